//! Tool results in the shape that every Holdpoint tool has: fields, and a text that says the same.

use super::result_text::say_fields;
use crate::core::open_inboxes::AnswerPlace;
use holdpoint_ask::{AskId, ChannelKind, Decision, Outcome, Review, describe};
use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// When an agent is told to come back for an answer.
const RETRY_AFTER_SECONDS: u64 = 30;

/// The result fields of every tool that asks. Each of its schemas names only what an agent acts on,
/// without words: it is in every tool's, and the server's instructions explain it once.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskFields {
    #[schemars(with = "String")]
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ask_id: Option<String>,
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<String>,
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    answered_by: Option<String>,
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    proceed: bool,
    next_step: String,
    // Why it ended so, where a person or a program said.
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    // What the person said beside the answer.
    #[schemars(skip)]
    #[serde(flatten)]
    review: Review,
    // These two while it is pending.
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_seconds: Option<u64>,
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

/// The result of a tool that asked: what became of the ask, what the agent does next, and the
/// tool's own fields.
///
/// `proceed` must be true only for a yes: a person's checked answer that says go on. For every
/// outcome but `accepted` it is false, whatever is passed.
///
#[doc = include_str!("../../docs/tool_result.md")]
pub fn tool_result(
    decision: &Decision,
    proceed: bool,
    next_step: Option<&str>,
    fields: Map<String, Value>,
) -> CallToolResult {
    let outcome = &decision.outcome;
    let next_step = next_step.unwrap_or_else(|| outcome.next_step());
    let asked = AskFields {
        status: Some(outcome.status()),
        ask_id: Some(decision.ask.to_string()),
        channel: channel_name(decision),
        answered_by: decision.answered_by.clone(),
        duration_ms: Some(decision.duration_ms),
        proceed: proceed && matches!(outcome, Outcome::Accepted(_)),
        next_step: next_step.to_owned(),
        reason: describe::reason(outcome),
        review: decision.review.as_deref().cloned().unwrap_or_default(),
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
    let mut result = result(body, failed);
    if let Some(review) = &decision.review
        && !review.comments.is_empty()
    {
        let text = format!("The person's comments:\n{}", review.text());
        result.content.push(ContentBlock::text(text));
    }
    result
}

/// The channel of a decision; a token by its name.
fn channel_name(decision: &Decision) -> Option<String> {
    let channel = decision.channel?;
    Some(match (channel, &decision.answered_by) {
        (ChannelKind::Token, Some(name)) => format!("token:{name}"),
        _ => channel.as_str().to_owned(),
    })
}

/// How whoever asked comes by an answer that is still out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ComeBack<'a> {
    /// An agent calls this tool.
    Tool(&'a str),
    /// An agent need not: the call goes on by itself.
    ByItself,
    /// A program asks for it again.
    Again,
}

impl<'a> ComeBack<'a> {
    /// By this tool, where there is one.
    pub fn by(tool: Option<&'a str>) -> Self {
        tool.map_or(Self::ByItself, Self::Tool)
    }
}

/// The result of a call whose answer is still out; `place` is where it can be given.
pub(crate) fn pending(ask: AskId, place: AnswerPlace, back: ComeBack<'_>) -> CallToolResult {
    let AnswerPlace { page, inbox } = place;
    let whereabouts = match describe::where_to_answer(page.as_deref(), inbox) {
        Some(place) => format!(" (they can answer {place})"),
        None => String::new(),
    };
    // A call that was answered meanwhile has gone on and ended: the same one again would ask once more.
    let next_step = match back {
        ComeBack::Tool(tool) => format!(
            "The person has not answered yet{whereabouts}: wait {RETRY_AFTER_SECONDS} seconds, then call {tool} with this askId; do not ask the question again."
        ),
        ComeBack::Again => format!(
            "The person has not answered yet{whereabouts}: wait for the answer; do not ask the question again."
        ),
        ComeBack::ByItself => format!(
            "The person has not answered yet{whereabouts}: stop, and tell them that this question waits. Once they answer, the call goes on by itself; do not make it again."
        ),
    };
    let asked = AskFields {
        status: Some("pending"),
        ask_id: Some(ask.to_string()),
        next_step,
        retry_after_seconds: matches!(back, ComeBack::Tool(_)).then_some(RETRY_AFTER_SECONDS),
        url: page,
        ..AskFields::default()
    };
    result(fields_of(&asked), false)
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

/// A result of these fields.
pub(crate) fn result(fields: Map<String, Value>, failed: bool) -> CallToolResult {
    let mut result = if failed {
        CallToolResult::error(Vec::new())
    } else {
        CallToolResult::success(Vec::new())
    };
    result.structured_content = Some(Value::Object(fields));
    say_fields(&mut result);
    result
}
