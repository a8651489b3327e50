//! What agents call: tools that put a question, a plan or a commit to a person, and tell the
//! agent what was decided.
//!
//! | module | holds |
//! |---|---|
//! | [`config`] | which tools, over which workspace |
//! | [`server`] | [`FlowServer`]: the tools as an rmcp server, to be wrapped in `holdpoint::Holdpoint` |
//! | `elicit` | single questions: choice, input, confirm, number, rating, form; and `await_answer` |
//! | `orchestra` | plan approval, phase commits, failed reviews, completion files |
//! | `onboarding` | taking over a repository's instruction file |
//! | `plans` | plan folders with a state; prompts, resources and completions |
//! | `arguments`, `schema` | reading what an agent sent, and telling it beforehand what fits |
//! | `told`, `fault` | what an agent is told, and what it is told when nothing could be asked |
//! | `asking` | asking with a line in the client's log |
//! | `markdown` | agent text inside the messages that people read |
//! | `workspace`, `git`, `files` | paths that stay inside, the `git` program, files written whole |
//!
//! No channel is named here and no transport: a flow asks, and the desk reaches somebody.

pub mod config;
pub mod server;

mod arguments;
mod asking;
mod blocking;
mod elicit;
mod fault;
mod files;
mod git;
mod markdown;
mod onboarding;
mod orchestra;
mod plans;
mod schema;
mod told;
mod tool;
mod workspace;

pub use config::{Commit, ConfigError, FlowConfig, ToolSet, UnknownToolSet};
#[doc(hidden)]
pub use onboarding::disk::{Disk, Files};
pub use server::FlowServer;
