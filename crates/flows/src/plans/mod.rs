//! Plans: a folder with a state that agents work through and people read and edit.
//!
//! | module | holds |
//! |---|---|
//! | `create`, `info`, `look`, `list`, `step_add`, `step_start`, `step_complete` | the tools |
//! | `approval`, `gate` | steps that a person must approve |
//! | `orchestra` | what the tool set of that name tells a plan |
//! | `place`, `code` | where plans are, and what they may be called |
//! | `draft`, `tree`, `text` | the files of a new plan, and a folder that appears whole |
//! | `status`, `step_file`, `timeline` | what those files say |
//! | `store`, `transition` | changing a plan, one process at a time; which changes there are |
//! | `prompts`, `completion`, `resources` | the rest of MCP |

mod approval;
mod code;
mod completion;
mod create;
mod draft;
mod gate;
mod info;
mod list;
mod look;
pub(crate) mod orchestra;
mod place;
mod prompts;
mod resources;
mod status;
mod step_add;
mod step_complete;
mod step_file;
mod step_start;
mod steps_argument;
mod store;
mod text;
mod timeline;
mod transition;
mod tree;

use crate::{
    blocking::blocking,
    tool::{Entry, Flow},
};
use holdpoint::Decision;
use jiff::{Timestamp, Unit};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) use completion::complete;
pub(crate) use prompts::Prompts;
pub(crate) use resources::{Resources, Viewer};

/// The tools, in the order in which they are listed.
pub(crate) fn tools() -> Vec<Entry> {
    vec![
        create::tool(),
        info::tool(),
        look::tool(),
        list::tool(),
        step_add::tool(),
        step_start::tool(),
        step_complete::tool(),
    ]
}

/// When to use which.
pub(crate) const INSTRUCTIONS: &str = "\
A plan in files that people can read: `plan_create` (it asks the person for a code or description that you leave out; `elicit_plan_info` asks for everything), `plan_status` for what comes next, `plan_step_start` before any work on a step, `plan_step_complete` after it. Change STATUS.md through these tools only. Name the plan by its code, the same as planName in the approval tools.";

/// Which plan is meant.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Which {
    /// The plan's code
    #[serde(default)]
    code: Option<String>,
    /// The plan's folder, a path in the workspace; where the code alone does not say which
    #[serde(default)]
    path: Option<String>,
}

/// What a tool answers that asked nobody. The text says it all too: not every client hands the
/// structured part to its model.
fn answer(next: &str, own: JsonObject) -> CallToolResult {
    let mut text = next.to_owned();
    for (name, value) in own.iter().filter(|(_, value)| !value.is_null()) {
        text.push_str(&format!("\n{name}: {value}"));
    }
    answer_with(text, next, own)
}

fn answer_with(text: String, next: &str, mut own: JsonObject) -> CallToolResult {
    own.retain(|_, value| !value.is_null());
    own.insert("proceed".into(), false.into());
    own.insert("nextStep".into(), next.into());
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(own.into());
    result
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
