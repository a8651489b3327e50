//! Plans: a folder with a state that agents work through and people read and edit.
//!
//! | module | holds |
//! |---|---|
//! | `create`, `info`, `plan_status`, `list`, `step_add`, `step_start`, `step_complete`, `validate`, `plan_history`, `checkpoint`, `restore` | the tools |
//! | `approval`, `gate` | steps that a person must approve |
//! | `drafted_steps` | steps that the client's model drafts and a person approves |
//! | `plan_record` | what other tools show and record of a plan |
//! | `locate`, `code` | where plans are, and what they may be called |
//! | `draft`, `templates` | the files of a new plan |
//! | `status`, `step_file`, `dependencies`, `timeline`, `snapshot` | what those files say |
//! | `held_history`, `locked_plan`, `transition` | changing a plan, one process at a time; which changes there are |
//! | `prompts`, `completion`, `resources` | the rest of MCP |
//! | `tool_source` | all of it, as a source for a server |
// Standard output belongs to the protocol, and a library has no terminal of its own.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)
)]

mod approval;
mod checkpoint;
mod code;
mod completion;
mod create;
mod dependencies;
mod draft;
mod drafted_steps;
mod gate;
mod held_history;
mod info;
mod list;
mod locate;
mod locked_plan;
mod plan_history;
mod plan_record;
mod plan_status;
mod prompts;
mod resources;
mod restore;
mod snapshot;
mod status;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod status_door;
mod step_add;
mod step_complete;
mod step_file;
mod step_start;
mod steps_argument;
mod templates;
mod timeline;
mod tool_source;
mod transition;
mod validate;

use holdpoint::Decision;
use holdpoint::tool::blocking;
use jiff::{Timestamp, Unit};
use schemars::JsonSchema;
use serde::Deserialize;

pub use plan_record::PlanStepMark;
use tool_source::{Flow, Tool};
pub use tool_source::{PlanTools, PlansConfig};

/// Which plan is meant.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Which {
    #[serde(default)]
    code: Option<String>,
    /// Its folder, where several have the code
    #[serde(default)]
    path: Option<String>,
}

/// The agent's client, as histories name it.
fn by(flow: &Flow) -> Option<String> {
    flow.cx.session().client.clone()
}

/// Who answered, as histories name them.
fn answerer(decision: &Decision) -> Option<String> {
    let channel = decision.channel.map(|channel| channel.as_str().to_owned());
    match (&decision.answered_by, channel) {
        (Some(by), Some(channel)) => Some(format!("{by} ({channel})")),
        (by, channel) => by.clone().or(channel),
    }
}

/// Now, as the files say it.
fn now() -> String {
    let now = Timestamp::now();
    now.round(Unit::Second).unwrap_or(now).to_string()
}
