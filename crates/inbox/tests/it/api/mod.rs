//! The page's API: who is let in, and what they can do.

mod answers;
mod asking;
mod described;
mod door;
mod events;
mod files;
mod lists;
mod people;
mod pin;
mod presence;
mod programs;
mod remembered;
mod review;
mod review_answers;
mod scripts;
mod stand;
mod team;
mod tokens;
mod weight;

use crate::workshop;
