//! From a file to its tools.

mod files;
mod jsdoc;
mod parameters;
mod plain_methods;
mod typescript;
