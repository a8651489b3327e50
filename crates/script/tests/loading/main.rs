//! From a file to its tools.

mod files;
mod jsdoc;
#[path = "../support/mod.rs"]
mod support;
