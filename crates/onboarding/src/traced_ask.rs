//! Asking a person, with a trace of every ask, and the result where it was not a yes.

use super::{folder::Folder, output::Output, state::Status};
use crate::Flow;
use holdpoint::tool::{AskResult, ToolError, ask_and_log};
use holdpoint::{Answer, Ask, ClientProfile, Decided, Decision, Outcome, Withdrawal};
use holdpoint_ask::{Revision, describe::happened};
use serde_json::{Value, json};
use std::time::Duration;

/// The least time that a person gets.
const LEAST: Duration = Duration::from_secs(180);
const LONGEST: u64 = 86_400;

/// Asks, and leaves a trace whatever comes of it.
pub(super) async fn ask(
    flow: &Flow,
    folder: &Folder,
    action: &str,
    mut question: Ask,
    seconds: Option<u64>,
) -> Result<Decided<Answer>, ToolError> {
    question.timeout = time(flow, seconds);
    let shown = question.clone();
    let decided = ask_and_log(&flow.cx, question).await?;
    // Written again by a later run of this flow, it is the same trace.
    let (at, trace) = trace(action, &shown, &decided.decision);
    if let Err(why) = folder.trace(action, at, &trace) {
        tracing::warn!(why, "a trace of an ask was not written");
    }
    Ok(decided)
}

/// The user's own time, but never less than it takes to read a diff.
fn time(flow: &Flow, seconds: Option<u64>) -> Option<Duration> {
    let settings = flow.cx.desk().settings();
    let usual = if flow.cx.session().supports_elicitation() {
        settings.timeout
    } else {
        settings.inbox_timeout
    };
    match seconds {
        Some(seconds) => Some(Duration::from_secs(seconds.min(LONGEST)).max(LEAST)),
        None => usual.filter(|usual| *usual < LEAST).map(|_| LEAST),
    }
}

fn trace(action: &str, ask: &Ask, decision: &Decision) -> (jiff::Timestamp, Value) {
    let asked = Duration::from_millis(decision.duration_ms);
    let at = decision.at.saturating_sub(asked).unwrap_or(decision.at);
    // The form as it is, not as one client needs it.
    let mut any = ClientProfile::default();
    any.preselects_first = false;
    let lowered = ask.form.lower(&any, Revision::V2026_07_28);
    let schema = lowered
        .map(|lowered| json!(lowered.schema()))
        .unwrap_or_default();
    let (what, content) = response(&decision.outcome);
    let trace = json!({
        "timestamp": at,
        "action": action,
        "message": ask.shown(),
        "schema": schema,
        "response": { "action": what, "content": content },
        "duration_ms": decision.duration_ms,
        "ask_id": decision.ask,
        "channel": decision.channel,
        "answered_by": decision.answered_by,
    });
    (at, trace)
}

/// What really happened: an ask that timed out was not declined.
fn response(outcome: &Outcome) -> (&'static str, Value) {
    match outcome {
        Outcome::Accepted(answer) => ("accept", json!(answer)),
        Outcome::Declined { reason } => ("decline", json!({ "reason": reason })),
        Outcome::Cancelled => ("cancel", Value::Null),
        Outcome::TimedOut => ("timed_out", Value::Null),
        Outcome::Unreachable { why } => ("unreachable", json!({ "why": why })),
        Outcome::Invalid { errors } => ("invalid", json!({ "errors": errors })),
        Outcome::Withdrawn { why } => {
            let why = match why {
                Withdrawal::CallCancelled => "the call was cancelled",
                _ => "nobody waits for it any more",
            };
            ("withdrawn", json!({ "why": why }))
        }
        other => (other.status(), Value::Null),
    }
}

/// The comment that a person gave, or that there is none.
pub(super) fn comment(decision: &Decision) -> String {
    let given = match &decision.outcome {
        Outcome::Accepted(answer) => answer.get("comment").and_then(Value::as_str),
        Outcome::Declined { reason } => reason.as_deref(),
        _ => None,
    };
    let given = given.map(str::trim).filter(|given| !given.is_empty());
    given.unwrap_or("No comment provided").to_owned()
}

/// Whether each of these fields was answered with yes.
pub(super) fn said_yes(outcome: &Outcome<Answer>, fields: &[&str]) -> bool {
    match outcome {
        Outcome::Accepted(answer) => fields
            .iter()
            .all(|field| answer.get(*field) == Some(&Value::Bool(true))),
        _ => false,
    }
}

/// The result where a person did not say yes. Nothing was done.
pub(super) fn not_approved(
    decision: &Decision,
    state: Status,
    folder: &Folder,
) -> AskResult<Output> {
    let mut decision = decision.clone();
    if matches!(decision.outcome, Outcome::Accepted(_)) {
        // The form was sent with a no in it: that is what the person said.
        let reason = Some(comment(&decision)).filter(|reason| reason != "No comment provided");
        decision.outcome = Outcome::Declined { reason };
    }
    let message = format!("{}. Nothing was changed.", happened(&decision.outcome));
    let mut output = Output::new(folder, state, message);
    let mut next = decision.outcome.next_step();
    match &decision.outcome {
        Outcome::Declined { .. } => {
            output.comment = Some(comment(&decision));
        }
        Outcome::Unreachable { .. } => {
            output.error = Some("USER_APPROVAL_REQUIRED".into());
            output.suggestion = Some(SUGGESTION);
            output.message = REQUIRED.into();
            next = SUGGESTION;
        }
        _ => {}
    }
    AskResult::new(&decision, false, next, &output)
}

const REQUIRED: &str =
    "This needs a person's approval, and nobody can be reached. Nothing was changed.";
const SUGGESTION: &str = "Stop, and tell the person: open the inbox with `holdpoint inbox --web`, or use a client that shows forms, then call this again.";
