//! A small creative server: its tools ask people, through Holdpoint, what only people can say.
//!
//! - `server`: what rmcp is told, with everything below
//! - `tools`: what agents call; each tells what it shows
//! - [`prompts`], [`resources`], [`completions`]
//! - `results`: how an outcome becomes a result
//! - [`clips`], [`key`], [`render`]: what it is all about, files in a folder

pub mod clips;
pub mod completions;
pub mod key;
pub mod prompts;
pub mod render;
pub mod resources;
pub mod results;
pub mod server;
pub mod tools;

pub use server::Studio;
