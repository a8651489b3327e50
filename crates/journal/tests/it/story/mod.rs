//! One story of the journal, told on every kind of it.

mod asks;
mod beside;
mod calls;
mod grants;
mod history;
mod record;
mod search;
mod stats;
