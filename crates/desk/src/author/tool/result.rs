//! Results of tools: a text that says it all, and the same as fields.

use crate::{Decision, tool_result};
use holdpoint_ask::describe::outcome_line;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use serde_json::Value;

/// The result of a tool that asked. The text says it all too: not every client hands the
/// structured part to its model.
pub fn ask_result(
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
pub fn passed_on(decision: &Decision) -> CallToolResult {
    ask_result(
        decision,
        false,
        decision.outcome.next_step(),
        JsonObject::new(),
    )
}

/// The result of a tool that asked nobody. The text is its own, or the next step with the fields.
pub fn plain_result(text: Option<String>, next_step: &str, mut own: JsonObject) -> CallToolResult {
    own.retain(|_, value| !value.is_null());
    let text = text.unwrap_or_else(|| {
        let fields = own
            .iter()
            .map(|(name, value)| format!("\n{name}: {value}"))
            .collect::<String>();
        format!("{next_step}{fields}")
    });
    own.insert("proceed".into(), false.into());
    own.insert("nextStep".into(), next_step.into());
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(own.into());
    result
}
