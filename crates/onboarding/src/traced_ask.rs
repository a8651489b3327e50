//! Asking a person, with a trace of every ask, and the result where it was not a yes.

use super::{folder::Folder, output::Output, state::Status, trace::Trace};
use crate::Flow;
use holdpoint::tool::{AskResult, ToolError, ask_and_log};
use holdpoint::{Answer, Ask, Decided, Decision, Outcome};
use holdpoint_ask::describe::happened;
use serde_json::Value;
use std::time::Duration;

/// The least time that a person gets.
const LEAST: Duration = Duration::from_secs(180);
const LONGEST: u64 = 86_400;

/// Asks, with a trace that is there from the moment of asking on and says in the end what came of it.
pub(super) async fn ask(
    flow: &Flow,
    folder: &Folder,
    action: &'static str,
    mut question: Ask,
    seconds: Option<u64>,
) -> Result<Decided<Answer>, ToolError> {
    question.timeout = time(flow, seconds);
    let (call, at) = (flow.cx.call_id(), flow.cx.opened_at());
    let trace = Trace::new(action, &question, call, at);
    // Begun once more after a crash, it is the same file; its name is on record from then on.
    let begun = async { folder.begin_trace(trace.action, trace.at, &trace.pending()) };
    let begun: Result<String, String> = flow.cx.step_at_least_once("trace", begun).await?;
    let decided = ask_and_log(&flow.cx, question).await;
    let trace = match &decided {
        Ok(decided) => trace.ended(&decided.decision),
        Err(ToolError::Unaskable(why)) => trace.not_asked(why),
        // The ask may be open still, and another process goes on with it.
        Err(_) => return decided,
    };
    if let Err(why) = begun.and_then(|name| folder.end_trace(&name, &trace)) {
        tracing::warn!(why, "a trace of an ask was not written");
    }
    decided
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

/// The comment that a person gave, or that there is none.
pub(super) fn comment(decision: &Decision) -> String {
    let given = match &decision.outcome {
        Outcome::Accepted(answer) => answer.get("comment").and_then(Value::as_str),
        Outcome::Declined { reason } => reason.as_deref(),
        _ => None,
    };
    let given = given.map(str::trim).filter(|given| !given.is_empty());
    given.unwrap_or(NO_COMMENT).to_owned()
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
    let comment = comment(&decision);
    if matches!(decision.outcome, Outcome::Accepted(_)) {
        // The form was sent with a no in it: that is what the person said.
        let reason = Some(comment.clone()).filter(|comment| comment != NO_COMMENT);
        decision.outcome = Outcome::Declined { reason };
        decision.said_no = true;
    }
    let message = format!("{}. Nothing was changed.", happened(&decision.outcome));
    let mut output = Output::new(folder, state, message);
    let mut next = decision.outcome.next_step();
    match &decision.outcome {
        Outcome::Declined { .. } => {
            output.comment = Some(comment);
            if !decision.said_no {
                output.message = TURNED_DOWN.into();
                next = WAIT;
            }
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

const NO_COMMENT: &str = "No comment provided";
/// Clients say so too where a person closes the form.
const TURNED_DOWN: &str =
    "The person turned the question down without an answer. Nothing was changed.";
const WAIT: &str = "Nothing is decided: stop, and ask again only when the person wants that.";
const REQUIRED: &str =
    "This needs a person's approval, and nobody can be reached. Nothing was changed.";
const SUGGESTION: &str = "Stop, and tell the person: open the inbox with `holdpoint inbox --web`, or use a client that shows forms, then call this again.";
