//! The JSON API: one file for each thing that the page can do.

pub(crate) mod artifacts;
pub(crate) mod asks;
pub(crate) mod error;
pub(crate) mod events;
pub(crate) mod extend;
pub(crate) mod files;
pub(crate) mod first_steps;
pub(crate) mod history;
pub(crate) mod odd;
pub(crate) mod open_list;
pub(crate) mod openapi;
pub(crate) mod own_asks;
pub(crate) mod presence;
pub(crate) mod remembered;
pub(crate) mod respond;
pub(crate) mod respond_many;
pub(crate) mod runs;
pub(crate) mod scripts;
pub(crate) mod session;
pub(crate) mod stats;
pub(crate) mod verdicts;
