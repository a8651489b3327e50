//! `search_decisions`: finds what people decided about this agent's questions.

use super::{Tool, filter::Filter};
use holdpoint::{
    Outcome, ToolContext, describe,
    journal::{AskRecord, Search, Status},
    tool::{PlainResult, ToolError, ToolHints, ToolInfo},
    visible,
};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How many are given at once, where an agent says nothing, and at most.
const USUAL: usize = 20;
const MOST: usize = 100;
/// How much of a text is given, in characters, and how much of a list.
const LONGEST: usize = 200;
const MOST_ITEMS: usize = 20;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    #[serde(flatten)]
    filter: Filter,
    /// Default: all but pending
    #[serde(default)]
    #[schemars(extend("enum" = Status::ALL.map(Status::as_str)))]
    status: Option<String>,
    /// Up to 100; default 20
    #[serde(default)]
    limit: Option<usize>,
    /// The page after this: next of the one before
    #[serde(default)]
    before: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Newest first, with askId, status, message, tool, askedAt, decidedAt, channel, answeredBy, durationMs, answer or reason, comments
    #[schemars(with = "Vec<JsonObject>")]
    decisions: Vec<Found>,
    /// Give it as before for the next page
    next: Option<String>,
}

/// One ask, short.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    ask_id: String,
    status: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    asked_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answered_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "search_decisions",
        title: "Search decisions",
        description: "Finds what people decided about your questions in this workspace. A decision that it finds permits nothing now: ask for what you need.",
        hints: ToolHints::Reads,
    };
    Tool::new(about, run)
}

async fn run(cx: ToolContext, arguments: Arguments) -> Result<PlainResult<Output>, ToolError> {
    let limit = match arguments.limit {
        None => USUAL,
        Some(limit @ 1..=MOST) => limit,
        Some(_) => {
            let what = format!("expected a number from 1 to {MOST}");
            return Err(ToolError::argument("limit", what));
        }
    };
    let status = match arguments.status.as_deref() {
        None => Status::ALL
            .into_iter()
            .filter(|status| *status != Status::Pending)
            .collect(),
        Some(word) => vec![parse_status(word)?],
    };
    let mut search = Search {
        status,
        limit: Some(limit),
        ..arguments.filter.search(&cx)?
    };
    if let Some(before) = arguments.before {
        search.before = Some(page(&cx, &search, before.trim()).await?);
    }
    let found = cx.desk().journal().search(search).await?;
    let last = found.asks.last().filter(|_| found.more);
    let output = Output {
        next: last.map(|ask| ask.id.to_string()),
        decisions: found.asks.iter().map(Found::new).collect(),
    };
    let next_step = match output.decisions.len() {
        0 => "Nothing of yours was found in this workspace.",
        _ => "These are on record and permit nothing now: where you need a yes, ask.",
    };
    Ok(PlainResult::new(next_step, &output))
}

fn parse_status(word: &str) -> Result<Status, ToolError> {
    Status::parse(word).ok_or_else(|| {
        let words = Status::ALL.map(Status::as_str).join(", ");
        ToolError::argument("status", format!("expected one of {words}"))
    })
}

/// The ask that a page begins behind. Another's, and one that never was, look the same.
async fn page(cx: &ToolContext, search: &Search, id: &str) -> Result<holdpoint::AskId, ToolError> {
    let unknown = || ToolError::argument("before", "expected what next was on the page before");
    let id = id.parse().map_err(|_| unknown())?;
    let ask = cx.desk().journal().ask(id).await?;
    let own = ask.filter(|ask| search.sees(&ask.origin));
    own.map(|ask| ask.id).ok_or_else(unknown)
}

impl Found {
    fn new(ask: &AskRecord) -> Self {
        let decision = ask.decision.as_ref();
        let outcome = decision.map(|decision| &decision.outcome);
        Self {
            ask_id: ask.id.to_string(),
            status: ask.status().as_str(),
            message: cut(&ask.ask.message),
            tool: ask.origin.tool.as_deref().map(cut),
            asked_at: ask.opened_at.to_string(),
            decided_at: decision.map(|decision| decision.at.to_string()),
            channel: decision.and_then(|decision| Some(decision.channel?.as_str().to_owned())),
            answered_by: decision
                .and_then(|decision| Some(cut(decision.answered_by.as_deref()?))),
            duration_ms: decision.map(|decision| decision.duration_ms),
            answer: outcome.and_then(|outcome| match outcome {
                Outcome::Accepted(answer) => Some(short(&Value::Object(answer.clone()))),
                _ => None,
            }),
            reason: outcome.and_then(|outcome| Some(cut(&describe::reason(outcome)?))),
            comments: decision
                .and_then(|decision| decision.review.as_ref())
                .into_iter()
                .flat_map(|review| review.comments.iter().take(MOST_ITEMS))
                .map(|comment| cut(&format!("{}: {}", comment.place.describe(), comment.text)))
                .collect(),
        }
    }
}

/// The beginning of a text, with nothing hidden in it.
fn cut(text: &str) -> String {
    let mut chars = text.chars();
    let mut short: String = chars.by_ref().take(LONGEST).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    visible(&short).into_owned()
}

/// The beginnings of all texts and lists in a value.
fn short(value: &Value) -> Value {
    match value {
        Value::String(text) => cut(text).into(),
        Value::Array(items) => items.iter().take(MOST_ITEMS).map(short).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().take(MOST_ITEMS);
            let fields = fields.map(|(name, value)| (cut(name), short(value)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}
