//! Plans and phases of a Conductor agent: approval, commits, failed reviews, the files that stay.

mod commit_flow;
mod completion;
mod decisions;
mod phase_commit;
mod plan_approval;
mod plan_completion;
mod plan_file;
mod plan_name;
mod questions;
mod review;
mod undecided;

pub(crate) use plan_name::kebab;

use crate::{config::Commit, fault::Fault, tool::Entry};
use holdpoint::{Field, Kind, field::Text};

/// The tools, in the order in which they are listed.
pub(crate) fn tools(commit: Commit) -> Vec<Entry> {
    vec![
        plan_approval::tool(),
        phase_commit::tool(commit),
        review::tool(),
        completion::tool(),
        plan_completion::tool(),
    ]
}

/// When to use which.
pub(crate) const INSTRUCTIONS: &str = "\
Work in phases: after planning call `request_plan_approval`; after each reviewed phase `request_phase_commit_approval`, then `record_phase_completion`; when a review failed `request_review_decision`; at the end, or after an abort, `record_plan_completion`. Give the same planName each time: the completion files list a plan's decisions by it.";

/// A field for what a person has to say, up to 1000 characters.
fn words(name: &str, title: &str) -> Field {
    let text = Text {
        min_length: Some(0),
        max_length: Some(1000),
        multiline: true,
        ..Text::default()
    };
    Field::new(name, Kind::Text(text)).title(title).optional()
}

/// Nobody can decide about what is not said.
fn not_empty(name: &str, text: &str) -> Result<(), Fault> {
    match text.trim() {
        "" => Err(Fault::argument(name, "expected some text, and it is empty")),
        _ => Ok(()),
    }
}
