//! Runs of scripts in the record: in the list, as JSON, and one in full.

use super::{
    Record, entries,
    output::Output,
    show::{WIDEST, about, heading, result_line, value_line},
};
use crate::times;
use anstyle::{AnsiColor, Style};
use holdpoint::{
    FlowResult,
    journal::{CallHistory, CallRecord, StepRecord, StepState},
};
use holdpoint_ask::{describe, short_id};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// A run in the list: what it did, and how it ended.
///
/// # Errors
/// When nobody reads the list any more.
pub fn print(record: &Record, out: &mut Output, run: &CallHistory, id: &str) -> anyhow::Result<()> {
    let call = &run.call;
    let from = entries::from(&call.origin);
    let steps: Vec<_> = run
        .steps
        .iter()
        .filter(|step| is_told(step))
        .map(words)
        .collect();
    let did = match (steps.is_empty(), is_empty(&call.arguments)) {
        (false, _) => steps.join(", "),
        (true, false) => value_line(&call.arguments),
        (true, true) => "nothing but to compute and to ask".to_owned(),
    };
    let room = WIDEST.saturating_sub(from.chars().count()).max(30);
    let begun = times::local(call.opened_at, &record.zone);
    let text = format!("{from}{}", entries::line(&did, room));
    out.line(format_args!(
        "{BOLD}{id}{BOLD:#}  {:<8}  {DIM}{begun}{DIM:#}  {text}",
        "ran"
    ))?;
    let (Some(ended), Some(ended_at)) = (ended_as(call), call.ended_at) else {
        return Ok(());
    };
    let style = match ended.as_str() {
        "done" => AnsiColor::Green.on_default(),
        _ => AnsiColor::Yellow.on_default(),
    };
    let at = times::local(ended_at, &record.zone);
    let blank = " ".repeat(id.len());
    out.line(format_args!(
        "{blank}  {style}{:<8}{style:#}  {DIM}{at}{DIM:#}  {}",
        "ended",
        describe::sentence(&ended.replace('_', " "))
    ))
}

/// A run as JSON.
pub fn json(run: &CallHistory) -> Value {
    let CallRecord {
        id,
        origin,
        arguments,
        flow_version,
        opened_at,
        ended_at,
        ..
    } = &run.call;
    let step = |step: &StepRecord| {
        let result = match &step.state {
            StepState::Finished(result) => Some(result),
            StepState::Started { .. } => None,
        };
        json!({
            "at": step.started_at, "step": step.name, "label": step.label,
            "cameTo": step.end_label, "ended": result.is_some(), "result": result,
        })
    };
    let asks: Vec<_> = run.asks.iter().map(|ask| ask.id).collect();
    json!({
        "id": id,
        "status": ended_as(&run.call).unwrap_or_else(|| "running".to_owned()),
        "server": origin.server,
        "tool": origin.tool,
        "client": origin.client,
        "workspace": origin.workspace,
        "version": flow_version,
        "arguments": arguments,
        "begunAt": opened_at,
        "endedAt": ended_at,
        "asks": asks,
        "steps": run.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

/// One run in full.
///
/// # Errors
/// When nobody reads it any more.
pub fn show(record: &Record, out: &mut Output, run: &CallHistory) -> anyhow::Result<()> {
    let call = &run.call;
    if out.json {
        let mut value = json(run);
        value["result"] = json!(call.result);
        return out.value(&value);
    }
    let what = if call.run { "Run" } else { "Call" };
    out.line(format_args!("{BOLD}{what} {}{BOLD:#}", call.id))?;
    about(out, &call.origin)?;
    out.line(format_args!(
        "  {DIM}version   {DIM:#}{}",
        describe::one_line(&call.flow_version)
    ))?;
    let local = |at| times::local(at, &record.zone);
    heading(out, "Begun", Some(local(call.opened_at)))?;
    if !is_empty(&call.arguments) {
        out.line(format_args!("  {}", value_line(&call.arguments)))?;
    }
    if !run.asks.is_empty() {
        heading(out, "Asked", None)?;
    }
    for ask in &run.asks {
        let at = local(ask.opened_at);
        let gist = entries::line(&describe::first_line(&ask.ask.message), WIDEST);
        let ended = match &ask.decision {
            Some(decision) => describe::decision_on(&ask.ask.form, decision),
            None => "not decided yet".to_owned(),
        };
        out.line(format_args!("  {DIM}{at}{DIM:#}  {gist}"))?;
        out.line(format_args!(
            "    → {ended}  {DIM}{}{DIM:#}",
            short_id(&ask.id)
        ))?;
    }
    if !run.steps.is_empty() {
        heading(out, "Did", None)?;
    }
    for step in &run.steps {
        let at = step.started_at.map(local).unwrap_or_default();
        out.line(format_args!("  {DIM}{at}{DIM:#}  {}", words(step)))?;
    }
    let Some(result) = &call.result else {
        return heading(out, "It has not ended", None);
    };
    let ended = describe::sentence(&ended_as(call).unwrap_or_default().replace('_', " "));
    heading(out, &ended, call.ended_at.map(local))?;
    out.line(format_args!("  {}", result_line(result)))
}

/// A step in words: what was done, and what came of it.
fn words(step: &StepRecord) -> String {
    let label = step.label.as_deref().unwrap_or(&step.name);
    entries::step_words(
        label,
        step.end_label.as_deref(),
        matches!(step.state, StepState::Finished(_)),
    )
}

/// Whether a step is told in the list. What is looked up and remembered of permissions is not what the run
/// is known by.
fn is_told(step: &StepRecord) -> bool {
    !step.name.starts_with("script permission ")
}

fn ended_as(call: &CallRecord) -> Option<String> {
    let result = FlowResult::deserialize(call.result.as_ref()?);
    Some(result.map_or_else(|_| "failed".to_owned(), |result| result.ended_as()))
}

fn is_empty(arguments: &Value) -> bool {
    arguments.is_null() || arguments.as_object().is_some_and(Map::is_empty)
}
