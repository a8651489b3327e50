//! Tools that are one JavaScript file: generators that yield asks.
//!
//! - [`program`]: a file, what it offers and may do
//! - [`engine`]: runs it, from yield to yield
//! - [`library`]: a folder of files, with changes
//! - `yields`, `asks`, `emits`, `effects`: what a script yields, and what it gets for it
//! - `flow`: a run, from its start to its result, under a call of the desk
//! - `permit`: whether a person lets a file act
//! - `server`: scripts as tools of an MCP server

pub mod engine;
pub mod library;
pub mod program;

mod arguments;
mod asks;
mod declared;
mod docs;
mod effects;
mod emits;
mod fields;
mod flow;
mod jsdoc;
mod load_error;
mod masked;
mod names;
mod permit;
mod schema;
mod server;
mod steps;
mod tokens;
mod told;
mod yields;

pub use asks::{AskKind, ScriptAsk};
pub use declared::Permissions;
pub use effects::{Effect, Fetch, Read, Run, Write};
pub use emits::{Artifact, ArtifactKind, Emit, Emits, Level, ToClient, ToNobody, Tone};
pub use engine::{
    At, Failed, Limits, LogLine, Resume, Running, Said, ScriptError, Start, Thrown, Turn, Uncaught,
    What,
};
pub use flow::{Job, run, version};
pub use library::{Library, Loaded};
pub use load_error::LoadError;
pub use program::{Method, Param, Program};
pub use server::ScriptServer;
pub use yields::{Yield, YieldError};
