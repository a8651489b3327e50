//! What an agent is told of a decision.

use holdpoint::{Decision, Outcome, tool_result};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use serde_json::Value;

/// The result of a tool that asked. The text says it all too: not every client hands the
/// structured part to its model.
pub(crate) fn told(
    decision: &Decision,
    proceed: bool,
    next_step: &str,
    own: JsonObject,
) -> CallToolResult {
    let mut text = match &decision.outcome {
        Outcome::Accepted(_) => "Accepted.".to_owned(),
        Outcome::Declined { reason: Some(why) } => format!("Declined: {why}."),
        Outcome::Declined { reason: None } => "Declined.".into(),
        Outcome::Cancelled => "Cancelled.".into(),
        Outcome::TimedOut => "Timed out.".into(),
        Outcome::Unreachable { why } => format!("Nobody could be reached: {why}."),
        Outcome::Invalid { errors } => {
            let errors: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
            format!("The answers were invalid: {}", errors.join(" "))
        }
        Outcome::Withdrawn { .. } => "Withdrawn.".into(),
    };
    for (name, value) in own.iter().filter(|(_, value)| is_said(value)) {
        text.push_str(&format!("\n{name}: {value}"));
    }
    text.push_str(if own.is_empty() { " " } else { "\n" });
    text.push_str(next_step);
    let mut result = tool_result(decision, proceed, Some(next_step), own);
    result.content = vec![ContentBlock::text(text)];
    result
}

fn is_said(value: &Value) -> bool {
    !value.is_null() && value != &Value::Array(Vec::new())
}

/// The result of an ask that was not accepted: passed on as it is.
pub(crate) fn passed_on(decision: &Decision) -> CallToolResult {
    told(
        decision,
        false,
        decision.outcome.next_step(),
        JsonObject::new(),
    )
}
