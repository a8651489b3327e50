//! What agents call: tools that put a question, a plan or a commit to a person, and give back what
//! was decided.
//!
//! | module | holds |
//! |---|---|
//! | `elicit` | single questions: choice, input, confirm, number, rating, form; and `await_answer` |
//! | `orchestra` | plan approval, phase commits, failed reviews, completion files |
//! | `record` | what was decided earlier: found and counted, for those whose questions they were |
//! | `files` | reports in the workspace, never over a person's edits |
//!
//! No channel is named here and no transport: a flow asks, and the desk reaches somebody.
// Standard output belongs to the protocol, and a library has no terminal of its own.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)
)]

mod elicit;
mod files;
mod orchestra;
mod record;

pub use elicit::ElicitTools;
pub use orchestra::{
    Commit, NoPlanFolders, OrchestraConfig, OrchestraTools, PhaseCommit, PlanFolders, PlanStep,
};
pub use record::RecordTools;
