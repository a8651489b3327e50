//! Turning an outcome into a tool's result.

use holdpoint::{Decided, Decision, Outcome, tool_result};
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// What every tool here gives.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)] // It is here for its schema.
pub struct AskResult {
    /// accepted, declined, cancelled, timed_out, unreachable, invalid, withdrawn or pending
    status: String,
    /// A person's checked answer says go on
    proceed: bool,
    /// What to do now
    next_step: String,
    /// Names the question
    ask_id: String,
    /// Through which channel the answer came
    channel: Option<String>,
    /// Who answered
    answered_by: Option<String>,
    /// How long it took
    duration_ms: Option<u64>,
    /// What was asked for
    value: Option<Value>,
    /// Nobody gave a value, and this is used in its place, for this reason
    default_used: Option<String>,
}

/// A value that a person gave.
pub fn given<T>(decided: &Decided<T>, value: impl Serialize, next_step: &str) -> CallToolResult {
    tool_result(
        &decided.decision,
        true,
        Some(next_step),
        fields(json!({ "value": value })),
    )
}

/// A value that stands in where nobody can be asked, or somebody did not choose; and why.
pub fn stand_in(decision: &Decision, value: impl Serialize, why: &str) -> CallToolResult {
    let fields = fields(json!({ "value": value, "defaultUsed": why }));
    let mut result = tool_result(decision, false, Some(why), fields);
    // An optional input that is skipped is not a failure.
    result.is_error = Some(false);
    result
}

/// Every other outcome: passed on as it is.
pub fn passed_on<T>(decided: &Decided<T>) -> CallToolResult {
    tool_result(&decided.decision, false, None, Map::new())
}

/// Whether an optional input may be skipped: nobody can be asked.
pub fn nobody<T>(outcome: &Outcome<T>) -> bool {
    matches!(outcome, Outcome::Unreachable { .. })
}

fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
