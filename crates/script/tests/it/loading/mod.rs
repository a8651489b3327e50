//! From a file to its tools.

mod files;
mod jsdoc;
