//! What an agent is told of a decision.

use holdpoint::{Decision, tool_result};
use holdpoint_ask::describe::outcome_line;
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
    let mut text = outcome_line(&decision.outcome);
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
