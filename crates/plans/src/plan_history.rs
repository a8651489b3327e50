//! `plan_history`: what happened to a plan by its own history, and what was decided about it by the
//! journal.

use super::{
    Which, answerer, blocking,
    held_history::history,
    locate::{PlanDir, PlanRoot},
    timeline::Entry,
};
use crate::{Flow, Tool};
use holdpoint::journal::{AskQuery, AskRecord};
use holdpoint::tool::{PlainResult, ToolError, ToolHints, ToolInfo};
use holdpoint::{AskId, Outcome};
use holdpoint_workspace::kebab_case;
use jiff::Timestamp;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How many are told where nothing is said, and the most.
const USUAL: usize = 50;
const MOST: usize = 200;
/// How many asks of the caller are looked through, and how many at once.
const LOOK_BACK: usize = 4_096;
const PAGE: usize = 256;
/// The tools whose asks are about one plan.
const TOOLS: [&str; 7] = [
    "plan_create",
    "plan_step_complete",
    "plan_step_skip",
    "plan_restore",
    "request_plan_approval",
    "request_phase_commit_approval",
    "request_review_decision",
];

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    #[serde(flatten)]
    which: Which,
    #[serde(default)]
    step: Option<u32>,
    /// Only events of this name
    #[serde(default)]
    event: Option<String>,
    /// RFC 3339
    #[serde(default)]
    since: Option<String>,
    /// Default 50, at most 200
    #[serde(default)]
    limit: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    code: String,
    path: String,
    /// By the plan's own file, oldest first; onRecord where the journal has the decision
    #[schemars(with = "Vec<JsonObject>")]
    events: Vec<Event>,
    /// By the journal, oldest first
    #[schemars(with = "Vec<JsonObject>")]
    decisions: Vec<Decided>,
}

/// A line of the plan's history.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    #[serde(flatten)]
    line: Entry,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_record: Option<bool>,
}

/// A decision, as the journal has it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Decided {
    at: String,
    tool: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<u64>,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    ask_id: AskId,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "plan_history",
        title: "Show a plan's history",
        description: "What happened to a plan, and what people decided about it.",
        hints: ToolHints::Reads,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> Result<PlainResult<Output>, ToolError> {
    let root = PlanRoot::from_call(&flow)?;
    let since = arguments.since.as_deref().map(|since| {
        let moment = since.trim().parse::<Timestamp>();
        moment.map_err(|_| {
            ToolError::argument("since", "expected a moment like 2026-07-28T09:00:00Z")
        })
    });
    let since = since.transpose()?;
    let limit = arguments.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        let what = format!("expected 1 to {MOST}, and it is {limit}");
        return Err(ToolError::argument("limit", what));
    }
    let (own, which) = (root.clone(), arguments.which);
    let (place, lines) = blocking(move || {
        let place = own.find(&which)?;
        let lines = history(&own, &place);
        Ok::<_, ToolError>((place, lines))
    })
    .await?;
    let wanted = |line: &Entry| {
        let at = line.at.parse::<Timestamp>().ok();
        arguments
            .event
            .as_ref()
            .is_none_or(|event| *event == line.event)
            && arguments.step.is_none_or(|step| line.step == Some(step))
            && since.is_none_or(|since| at.is_some_and(|at| at >= since))
    };
    let mut lines: Vec<_> = lines.into_iter().filter(wanted).collect();
    lines.drain(..lines.len().saturating_sub(limit));
    let mut events = Vec::new();
    for line in lines {
        let on_record = match line.ask_id.as_deref() {
            Some(ask) => Some(is_on_record(&flow, ask).await?),
            None => None,
        };
        events.push(Event { line, on_record });
    }
    let decisions = decisions(&flow, &place, arguments.step, since, limit).await?;
    let next = "A decision counts as the journal has it; the events are the plan's own report.";
    let output = Output {
        code: place.code.clone(),
        path: place.path.name().to_owned(),
        events,
        decisions,
    };
    Ok(PlainResult::new(next, &output))
}

/// Whether the journal has a decision of this ask, and this caller may know of it.
async fn is_on_record(flow: &Flow, ask: &str) -> Result<bool, ToolError> {
    let Ok(ask) = ask.parse::<AskId>() else {
        return Ok(false);
    };
    let record = flow.cx.desk().journal().ask(ask).await?;
    Ok(record.is_some_and(|record| is_own(flow, &record) && record.decision.is_some()))
}

/// Each principal and workspace sees its own.
fn is_own(flow: &Flow, ask: &AskRecord) -> bool {
    let origin = flow.cx.origin();
    ask.origin.principal == origin.principal
        && ask.origin.workspace == origin.workspace
        && ask.origin.server == origin.server
}

/// The last decisions about a plan, or about this step of it, oldest first.
async fn decisions(
    flow: &Flow,
    place: &PlanDir,
    step: Option<u32>,
    since: Option<Timestamp>,
    limit: usize,
) -> Result<Vec<Decided>, ToolError> {
    let journal = flow.cx.desk().journal();
    let mut found = Vec::new();
    let mut query = AskQuery {
        principal: Some(flow.cx.session().principal.clone()),
        limit: Some(PAGE),
        ..AskQuery::default()
    };
    for _ in 0..LOOK_BACK / PAGE {
        let page = journal.asks(query.clone()).await?;
        let full = page.len() == PAGE;
        query.before = page.last().map(|ask| ask.id);
        for ask in page {
            let tool = ask.origin.tool.as_deref().unwrap_or_default();
            let Some(call) = ask
                .call
                .filter(|_| is_own(flow, &ask) && TOOLS.contains(&tool))
            else {
                continue;
            };
            let late = since.is_some_and(|since| ask.opened_at < since);
            if late || found.len() >= limit {
                found.reverse();
                return Ok(found);
            }
            let history = journal.call(call).await?;
            let arguments = history
                .map(|history| history.call.arguments)
                .unwrap_or_default();
            if is_about(&arguments, place) {
                let decided = Decided::new(&ask, &arguments);
                found.extend(decided.filter(|decided| decided.is_about(step)));
            }
        }
        if !full {
            break;
        }
    }
    found.reverse();
    Ok(found)
}

/// Whether a call with these arguments was about this plan.
fn is_about(arguments: &Value, place: &PlanDir) -> bool {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).map(str::trim);
    let path = text("path").map(|path| path.trim_start_matches("./").trim_end_matches('/'));
    match path {
        Some(path) => {
            path == place.path.name()
                || path
                    .strip_prefix(place.path.name())
                    .is_some_and(|rest| rest.starts_with('/'))
        }
        None => {
            text("code") == Some(place.code.as_str())
                || text("planName").is_some_and(|name| kebab_case(name) == place.code)
        }
    }
}

impl Decided {
    /// Whether it is about this step, where one is asked for.
    fn is_about(&self, step: Option<u32>) -> bool {
        step.is_none_or(|step| self.step == Some(u64::from(step)))
    }

    fn new(ask: &AskRecord, arguments: &Value) -> Option<Self> {
        let decision = ask.decision.as_ref()?;
        let (answer, reason) = match &decision.outcome {
            Outcome::Accepted(answer) => (serde_json::to_value(answer).ok(), None),
            Outcome::Declined { reason } => (None, reason.clone()),
            _ => (None, None),
        };
        let step = arguments
            .get("step")
            .or_else(|| arguments.get("phaseNumber"));
        Some(Self {
            at: decision.at.to_string(),
            tool: ask.origin.tool.clone()?,
            step: step.and_then(Value::as_u64),
            outcome: decision.outcome.status(),
            answer,
            reason,
            by: answerer(decision),
            ask_id: ask.id,
        })
    }
}
