//! Tool results in the shape that every Holdpoint tool has.

use holdpoint_ask::{AskId, Decision, Outcome, describe};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

/// The result of a tool that asked: what became of the ask, what the agent does next, and the
/// tool's own fields.
///
/// `proceed` must be true only for a yes: a person's checked answer that says go on. For every
/// outcome but `accepted` it is false, whatever is passed.
pub fn tool_result(
    decision: &Decision,
    proceed: bool,
    next_step: Option<&str>,
    fields: Map<String, Value>,
) -> CallToolResult {
    let outcome = &decision.outcome;
    let accepted = matches!(outcome, Outcome::Accepted(_));
    let next_step = next_step.unwrap_or_else(|| outcome.next_step());
    let mut body = Map::new();
    body.insert("status".into(), outcome.status().into());
    body.insert("askId".into(), decision.ask.to_string().into());
    if let Some(channel) = decision.channel {
        body.insert("channel".into(), channel.as_str().into());
    }
    if let Some(by) = &decision.answered_by {
        body.insert("answeredBy".into(), by.clone().into());
    }
    body.insert("durationMs".into(), decision.duration_ms.into());
    body.insert("proceed".into(), (accepted && proceed).into());
    body.insert("nextStep".into(), next_step.into());
    body.extend(fields);
    let text = format!("{} {next_step}", describe::outcome_line(outcome));
    let failed = matches!(
        outcome,
        Outcome::Invalid { .. } | Outcome::TimedOut | Outcome::Unreachable { .. }
    );
    result(text, Value::Object(body), failed)
}

/// The result of a call whose answer is still out.
pub(crate) fn pending(ask: AskId, url: Option<String>) -> CallToolResult {
    let next_step = "The person has not answered yet: wait, then call await_answer with this askId; do not ask the question again.";
    let mut body = json!({
        "status": "pending",
        "askId": ask.to_string(),
        "proceed": false,
        "nextStep": next_step,
        "retryAfterSeconds": 30,
    });
    if let Some(url) = url {
        body["url"] = url.into();
    }
    result(format!("Pending. {next_step} (askId {ask})"), body, false)
}

fn result(text: String, body: Value, failed: bool) -> CallToolResult {
    let content = vec![ContentBlock::text(text)];
    let mut result = if failed {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = Some(body);
    result
}
