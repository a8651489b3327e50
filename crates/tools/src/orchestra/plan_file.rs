//! The plan file as a person is shown it, with what changed since it was shown last.

use super::Flow;
use super::{
    decisions::{Asked, asked_about},
    plan_approval::NAME,
};
use holdpoint::tool::ToolError;
use holdpoint::{Outcome, journal::StepState};
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::markdown::{contained, cut, fenced};
use serde::{Deserialize, Serialize};
use similar::TextDiff;

/// The most bytes of a plan.
const MOST: u64 = 256 * 1024;
/// The step that reads it; later calls look for it in the journal.
const STEP: &str = "plan file";

/// How many asks about a plan are looked through for the file's last version.
const LOOK_BACK: usize = 20;

/// A plan file as it was when a person was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PlanFile {
    path: String,
    text: String,
    /// What changed since the version that was shown last; none where there was none.
    changes: Option<String>,
}

/// Reads the plan, in a step with all of its checks: a later run of the flow sees what the person
/// saw, whatever has become of the file.
pub(super) async fn read(
    flow: &Flow,
    path: &str,
    plan: Option<&str>,
) -> Result<PlanFile, ToolError> {
    let workspace = flow.workspace()?;
    let effect = async {
        let file = workspace.path(path).map_err(|error| error.to_string())?;
        let text = workspace
            .read_text(path, MOST)
            .map_err(|error| error.to_string())?;
        let last = shown_last(flow, plan).await?;
        Ok::<_, String>(PlanFile {
            path: file.name().to_owned(),
            changes: last.map(|last| diff(&last, &text)),
            text,
        })
    };
    let read = flow.cx.step(STEP, effect).await?;
    read.map_err(|what| ToolError::argument("planFile", what))
}

/// The text of this plan in the ask before this one, by the journal.
async fn shown_last(flow: &Flow, plan: Option<&str>) -> Result<Option<String>, String> {
    let Some(plan) = plan else { return Ok(None) };
    let asked = asked_about(flow, plan, &[NAME], Some(LOOK_BACK)).await;
    let asked = asked.map_err(|error| error_chain(&error))?;
    let steps = asked
        .into_iter()
        .filter(was_shown)
        .flat_map(|asked| asked.steps);
    let read = steps
        .filter(|step| step.name == STEP)
        .find_map(|step| match step.state {
            StepState::Finished(read) => {
                serde_json::from_value::<Result<PlanFile, String>>(read).ok()
            }
            StepState::Started { .. } => None,
        });
    Ok(read.and_then(Result::ok).map(|read| read.text))
}

/// An ask that reached nobody was not shown.
fn was_shown(asked: &Asked) -> bool {
    let decision = asked.ask.decision.as_ref();
    !decision.is_some_and(|decision| matches!(decision.outcome, Outcome::Unreachable { .. }))
}

fn diff(last: &str, text: &str) -> String {
    TextDiff::from_lines(last, text)
        .unified_diff()
        .context_radius(3)
        .header("shown last", "now")
        .to_string()
}

impl PlanFile {
    /// The plan as Markdown, in this much room.
    pub fn shown(&self, room: usize) -> String {
        let mut shown = String::new();
        match self.changes.as_deref() {
            None => {}
            Some("") => {
                shown.push_str("*The plan file has not changed since it was shown last.*\n\n")
            }
            Some(changes) => {
                let (kept, left_out) = cut(changes, room / 2);
                shown.push_str("### Changed since it was shown last\n\n");
                shown.push_str(&note(left_out, &self.path));
                shown.push_str(&fenced("diff", kept));
                shown.push_str("\n\n");
            }
        }
        let room = room.saturating_sub(shown.len() + 300);
        let mut most = room;
        // To keep HTML in its place takes room, too.
        let (text, left_out) = loop {
            let (kept, left_out) = cut(&self.text, most);
            let text = contained(kept);
            if text.len() <= room || most == 0 {
                break (text, left_out);
            }
            most = most * 3 / 4;
        };
        shown.push_str(&note(left_out, &self.path));
        shown.push_str(&format!("---\n\n{text}"));
        shown
    }
}

/// What is not shown is said, before what is.
pub(super) fn note(left_out: usize, path: &str) -> String {
    match left_out {
        0 => String::new(),
        bytes => {
            format!("**{bytes} bytes more are not shown here: read {path} before you decide.**\n\n")
        }
    }
}
