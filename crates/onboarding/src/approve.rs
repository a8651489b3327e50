//! `approve`: a person approves exactly this change to exactly this file.

use super::{
    change::{Refusal, record, step},
    folder::Folder,
    output::{ActionResult, Output},
    proposal::Draft,
    read_only_actions::{checked, proposed},
    state::{Current, Proposal, Record, Status},
    traced_ask::{ask, comment, not_approved, said_yes},
};
use crate::Flow;
use holdpoint::tool::{AskResult, round_of};
use holdpoint::{Ask, Field, Form, Kind, Outcome, field::Text, review::EditableText};
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::markdown::{code, cut, fenced, indented};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long an approval is good.
pub(super) const GOOD_FOR: Duration = Duration::from_secs(86_400);

/// What an approval permits.
pub(super) fn purpose(file: &str) -> String {
    format!("migrate {file}")
}

/// What a person is shown, and what it was read from.
#[derive(Serialize, Deserialize)]
pub(super) struct Shown {
    pub current: Current,
    pub proposal: Proposal,
    pub message: String,
    pub details: String,
    /// The whole text that is proposed.
    #[serde(default)]
    pub text: String,
}

pub(super) async fn run(flow: &Flow, folder: &Folder, seconds: Option<u64>) -> ActionResult {
    let read = async {
        let current = Current::read(flow, folder).await?;
        if current.record.status == Status::Approved {
            let next = "Call migrate; or analyze to begin anew.";
            return Ok(Err(Refusal::state(
                Status::Approved,
                "This is approved already.",
                next,
            )));
        }
        Ok(proposed(folder, &current).map(|draft| Shown {
            message: format!("## Approve this proposal for {}?", code(folder.file)),
            details: details(&current.record, &draft, flow.cx.room_for_details()),
            proposal: draft.proposal,
            text: draft.migrated.text,
            current,
        }))
    };
    let shown = match checked(step(flow, "look", read).await?)? {
        Ok(shown) => shown,
        Err(refusal) => return Ok(refusal.into_result(folder)),
    };
    let file = folder.file;
    let about = format!("Proposal for {file}");
    let round = round_of(&flow.cx, &about, &format!("onboarding {file}")).await?;
    let question = Ask::new(shown.message.clone(), form())
        .titled(format!("Approve the proposal for {file}"))
        .details(shown.details.clone())
        .in_round(round)
        .editable(EditableText::file(file, "Proposed text", &shown.text));
    let decided = ask(flow, folder, "approve", question, seconds).await?;
    let decision = &decided.decision;
    let yes = said_yes(&decided.outcome, &["approved"]);
    // A form that is closed, or declined without an answer, says nothing about the proposal.
    if !matches!(decided.outcome, Outcome::Accepted(_)) {
        return Ok(not_approved(decision, shown.current.record.status, folder));
    }
    let review = decision.review.as_ref();
    let edited = review.and_then(|review| review.edited.as_ref());
    let proposal = match edited {
        Some(edited) => shown.proposal.clone().edited(&edited.text),
        None => shown.proposal.clone(),
    };
    let _lock = folder.lock().await?;
    let grant = async {
        let current = Current::read(flow, folder).await?;
        if current != shown.current {
            return Ok(Err(Refusal::overtaken(current.record.status)));
        }
        if folder.digest() != Ok(shown.proposal.source_digest) {
            let state = current.record.status;
            return Ok(Err(Refusal::changed(state, folder.file, "it was shown")));
        }
        if !yes {
            return Ok(Ok(None));
        }
        let digest = proposal.bound(folder.file);
        let desk = flow.cx.desk();
        let grant = desk
            .grant(decision, &purpose(folder.file), digest, GOOD_FOR)
            .await;
        let state = current.record.status;
        Ok(grant.map(Some).map_err(|error| {
            Refusal::new("GRANT", state, error_chain(&error), "Call approve again.")
        }))
    };
    let grant = match checked(step(flow, "grant", grant).await?)? {
        Ok(grant) => grant,
        Err(refusal) => return Ok(refusal.into_result(folder)),
    };
    let mut next = shown.current.record.clone();
    next.grant = grant;
    if yes {
        next.status = Status::Approved;
        next.times.approved = Some(decision.at);
        next.proposal = Some(proposal);
    } else {
        next.status = Status::Rejected;
        next.times.rejected = Some(decision.at);
        next.proposal = None;
    }
    let (next, report) = record(flow, folder, next).await?;
    if !yes {
        return Ok(not_approved(decision, next.status, folder));
    }
    let message = match edited {
        Some(_) => "The person approved the proposal with their own edits.",
        None => "The person approved exactly this proposal.",
    };
    let output = Output {
        comment: Some(comment(decision)),
        report,
        ..Output::new(folder, next.status, message)
    };
    let next = "Call migrate within a day: it asks once more, and writes only what was approved.";
    Ok(AskResult::new(decision, true, next, &output))
}

fn form() -> Form {
    let comment = Text {
        max_length: Some(1000),
        multiline: true,
        ..Text::default()
    };
    Form::new()
        .field(Field::new("approved", Kind::Confirm).title("Approve this proposal?"))
        .field(
            Field::new("comment", Kind::Text(comment))
                .title("Comment (optional)")
                .optional(),
        )
}

/// Pattern, problems, steps, risk and diff; what does not fit is said to be left out.
pub(super) fn details(record: &Record, draft: &Draft, room: usize) -> String {
    const PROBLEMS: usize = 20;
    let proposal = &draft.proposal;
    let mut parts = vec![
        proposal.summary.clone(),
        format!(
            "**Pattern:** {} · **Risk:** {}",
            draft.pattern.as_str(),
            proposal.risk.as_str()
        ),
        format!("**Steps**\n\n{}", numbered(&proposal.steps)),
    ];
    let mut problems: Vec<String> = Vec::new();
    for problem in record.problems.iter().take(PROBLEMS) {
        let lines: Vec<_> = problem.lines.iter().map(usize::to_string).collect();
        let texts: Vec<_> = problem
            .texts
            .iter()
            .map(|text| code(cut(text, 200).0))
            .collect();
        problems.push(format!(
            "- **{}**, line {} ({}): {}",
            problem.kind.as_str(),
            lines.join(" and "),
            problem.why,
            texts.join(" · ")
        ));
    }
    if record.problem_count > PROBLEMS {
        problems.push(format!("- and {} more", record.problem_count - PROBLEMS));
    }
    if !problems.is_empty() {
        parts.push(format!(
            "**Problems** ({})\n\n{}",
            record.problem_count,
            problems.join("\n")
        ));
    }
    let used: usize = parts.iter().map(|part| part.len() + 2).sum();
    parts.push(shown_diff(&draft.diff, (room - 1024).saturating_sub(used)));
    parts.join("\n\n")
}

/// A diff in this much room.
pub(super) fn shown_diff(diff: &str, room: usize) -> String {
    if diff.is_empty() {
        return "**The text does not change.**".to_owned();
    }
    let (kept, left_out) = cut(diff, room.saturating_sub(300));
    let mut shown = format!("**Diff**\n\n{}", fenced("diff", kept));
    if left_out > 0 {
        shown.push_str(&format!(
            "\n\n**{left_out} bytes of the diff more are not shown here: look at the action preview before you decide.**"
        ));
    }
    shown
}

fn numbered(steps: &[String]) -> String {
    let steps = steps.iter().enumerate();
    let steps = steps.map(|(number, step)| format!("{}. {}", number + 1, indented(step)));
    steps.collect::<Vec<_>>().join("\n")
}
