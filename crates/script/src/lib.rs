//! Tools that are one JavaScript file: generators that yield asks.
//!
//! - [`program`]: a file, what it offers and may do
//! - [`engine`]: runs it, from yield to yield
//! - [`library`]: a folder of files, with changes

pub mod engine;
pub mod library;
pub mod program;

mod declared;
mod docs;
mod jsdoc;
mod load_error;
mod names;
mod schema;
mod tokens;

pub use declared::Permissions;
pub use engine::{
    At, Failed, Limits, LogLine, Resume, Running, Said, ScriptError, Start, Thrown, Turn, Uncaught,
    What,
};
pub use library::{Library, Loaded};
pub use load_error::LoadError;
pub use program::{Method, Param, Program};
