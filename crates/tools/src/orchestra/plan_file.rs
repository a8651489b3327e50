//! The plan file as a person is shown it, with what changed since it was shown last.

use super::Flow;
use super::{
    decisions::{Asked, asked_about},
    plan_approval::NAME,
};
use holdpoint::tool::ToolError;
use holdpoint::{Outcome, journal::StepState, review::EditableText};
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::diff::unified_with_names;
use holdpoint_ask::markdown::{contained, cut, fenced};
use serde::{Deserialize, Serialize};

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
    /// That version is the person's own: they edited what they were shown.
    #[serde(default)]
    edited: bool,
    /// How many bytes of it can be shown.
    #[serde(default = "least_room")]
    room: usize,
}

/// What there was room for before that was recorded.
fn least_room() -> usize {
    48 * 1024
}

/// Reads the plan, of which as much is shown as there is room for beside what has `taken` it, in a step with all of its checks: a later run of the flow sees what the person
/// saw, whatever has become of the file.
pub(super) async fn read(
    flow: &Flow,
    path: &str,
    plan: Option<&str>,
    taken: usize,
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
            edited: last.as_ref().is_some_and(|last| last.edited),
            changes: last.map(|last| diff(file.name(), &last.text, &text)),
            text,
            room: flow.cx.room_for_details().saturating_sub(taken),
        })
    };
    let read = flow.cx.step(STEP, effect).await?;
    read.map_err(|what| ToolError::argument("planFile", what))
}

/// The version of a plan that a person saw last, or made themselves.
struct LastVersion {
    text: String,
    edited: bool,
}

/// The text of this plan in the ask before this one, by the journal; as the person edited it, where they did.
async fn shown_last(flow: &Flow, plan: Option<&str>) -> Result<Option<LastVersion>, String> {
    let Some(plan) = plan else { return Ok(None) };
    let asked = asked_about(flow, plan, &[NAME], Some(LOOK_BACK)).await;
    let asked = asked.map_err(|error| error_chain(&error))?;
    Ok(asked.into_iter().filter(was_shown).find_map(last_version))
}

fn last_version(asked: Asked) -> Option<LastVersion> {
    let review = asked.ask.decision.and_then(|decision| decision.review);
    if let Some(edited) = review.and_then(|review| review.edited) {
        return Some(LastVersion {
            text: edited.text,
            edited: true,
        });
    }
    let mut steps = asked.steps.into_iter().filter(|step| step.name == STEP);
    let read = steps.find_map(|step| match step.state {
        StepState::Finished(read) => serde_json::from_value::<Result<PlanFile, String>>(read).ok(),
        StepState::Started { .. } => None,
    });
    Some(LastVersion {
        text: read?.ok()?.text,
        edited: false,
    })
}

/// An ask that reached nobody was not shown.
fn was_shown(asked: &Asked) -> bool {
    let decision = asked.ask.decision.as_ref();
    !decision.is_some_and(|decision| matches!(decision.outcome, Outcome::Unreachable { .. }))
}

fn diff(path: &str, last: &str, text: &str) -> String {
    unified_with_names((&format!("a/{path}"), last), (&format!("b/{path}"), text))
}

impl PlanFile {
    /// The text that a person may edit, and approve so.
    pub fn editable(&self) -> EditableText {
        EditableText::file(&self.path, "Plan", &self.text)
    }

    /// The plan as Markdown.
    pub fn shown(&self) -> String {
        let room = self.room;
        let mut shown = String::new();
        match self.changes.as_deref() {
            None => {}
            Some("") if self.edited => {
                shown.push_str("*The plan file is what you made of it when it was shown last.*\n\n")
            }
            Some("") => {
                shown.push_str("*The plan file has not changed since it was shown last.*\n\n")
            }
            Some(changes) => {
                let (kept, left_out) = cut(changes, room / 2);
                shown.push_str(if self.edited {
                    "### Changed since you edited it\n\n"
                } else {
                    "### Changed since it was shown last\n\n"
                });
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
