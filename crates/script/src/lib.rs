//! Tools that are one JavaScript or TypeScript file: generators that yield asks.
//!
//! - `source`: a file's text, parsed: what it declares, without its types
//! - [`program`]: a file, what it offers and may do
//! - [`engine`]: runs it, from yield to yield
//! - [`library`]: a folder of files, with changes
//! - `yields`, `asks`, `emits`, `effects`: what a script yields, and what it gets for it
//! - `flow`: a run, from its start to its result, under a call of the desk
//! - `permission_ask`: whether a person lets a file act
//! - `kept_source`: the sources of files whose calls wait
//! - `tool_source`: scripts as tools of an MCP server
// Standard output belongs to the protocol, and a library has no terminal of its own.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)
)]

pub mod engine;
pub mod library;
pub mod program;

mod asks;
mod call_result;
mod effect_step;
mod effects;
mod emit_kinds;
mod emits;
mod fields;
mod flow;
mod kept_source;
mod load_error;
mod masking;
mod memory;
mod memory_step;
mod permission_ask;
mod permissions;
mod sleep_step;
mod source;
mod steps;
mod tool_names;
mod tool_source;
mod yield_error;
mod yields;

pub use asks::{AskKind, ScriptAsk};
pub use effects::{Body, Effect, Fetch, Read, Run, Write};
pub use emit_kinds::Told;
pub use emits::ToClient;
pub use engine::{
    At, Failed, Limits, LogLine, Resume, Running, ScriptError, Start, Thrown, Turn, TurnEnd,
    Uncaught, What,
};
pub use flow::{Job, run, version};
pub use library::{Library, Loaded};
pub use load_error::LoadError;
pub use memory::Memory;
pub use permissions::Permissions;
pub use program::{Method, Program};
pub use source::script_stem;
pub use tool_source::ScriptTools;
pub use yield_error::YieldError;
pub use yields::Yield;
