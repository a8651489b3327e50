//! Tool results in the shape that every Holdpoint tool has.

use holdpoint_ask::{AskId, ChannelKind, Decision, Outcome, describe};
use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// The result fields of every tool that asks.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskFields {
    /// What became of the question
    #[schemars(with = "Status")]
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    /// Names the question; await_answer takes it
    #[serde(skip_serializing_if = "Option::is_none")]
    ask_id: Option<String>,
    /// Through what the person answered: client, url, inbox, terminal, cli, preset, token:NAME or other
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<String>,
    /// Who answered
    #[serde(skip_serializing_if = "Option::is_none")]
    answered_by: Option<String>,
    /// How long it took
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    /// True only where a person's checked answer says go on
    proceed: bool,
    /// What to do now
    next_step: String,
    /// While pending: when to call await_answer
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_seconds: Option<u64>,
    /// While pending: where a person can answer
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum Status {
    Accepted,
    Declined,
    Cancelled,
    TimedOut,
    Unreachable,
    Invalid,
    Withdrawn,
    Pending,
}

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
    let next_step = next_step.unwrap_or_else(|| outcome.next_step());
    let text = format!("{} {next_step}", describe::outcome_line(outcome));
    let asked = AskFields {
        status: Some(outcome.status()),
        ask_id: Some(decision.ask.to_string()),
        channel: channel_name(decision),
        answered_by: decision.answered_by.clone(),
        duration_ms: Some(decision.duration_ms),
        proceed: proceed && matches!(outcome, Outcome::Accepted(_)),
        next_step: next_step.to_owned(),
        ..AskFields::default()
    };
    let failed = matches!(
        outcome,
        Outcome::Invalid { .. } | Outcome::TimedOut | Outcome::Unreachable { .. }
    );
    let mut body = fields_of(&asked);
    // A tool's own fields never replace these.
    for (name, value) in fields {
        body.entry(name).or_insert(value);
    }
    result(text, body, failed)
}

/// The channel of a decision; a token by its name.
fn channel_name(decision: &Decision) -> Option<String> {
    let channel = decision.channel?;
    Some(match (channel, &decision.answered_by) {
        (ChannelKind::Token, Some(name)) => format!("token:{name}"),
        _ => channel.as_str().to_owned(),
    })
}

/// The result of a call whose answer is still out.
pub(crate) fn pending(ask: AskId, url: Option<String>) -> CallToolResult {
    let next_step = "The person has not answered yet: wait, then call await_answer with this askId; do not ask the question again.";
    let asked = AskFields {
        status: Some("pending"),
        ask_id: Some(ask.to_string()),
        next_step: next_step.to_owned(),
        retry_after_seconds: Some(30),
        url,
        ..AskFields::default()
    };
    let text = format!("Pending. {next_step} (askId {ask})");
    result(text, fields_of(&asked), false)
}

/// The fields of a result; what is `null` at the top is left out.
pub(crate) fn fields_of(output: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(output) {
        Ok(Value::Object(mut fields)) => {
            fields.retain(|_, value| !value.is_null());
            fields
        }
        _ => Map::new(),
    }
}

/// A result with this text and these fields.
pub(crate) fn result(text: String, body: Map<String, Value>, failed: bool) -> CallToolResult {
    let content = vec![ContentBlock::text(text)];
    let mut result = if failed {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = Some(Value::Object(body));
    result
}
