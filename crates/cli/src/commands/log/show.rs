//! `holdpoint log show`: one ask, or one run, whole.

use super::{
    Record,
    entries::{self, Action},
    output::Output,
    runs,
};
use crate::{
    find_by_id::{self, Found},
    terminal::{abilities::Abilities, markdown},
    times,
};
use anstyle::Style;
use anyhow::{Context, bail};
use holdpoint::{
    Field, Kind, Origin, Outcome,
    field::Pick,
    journal::{AskHistory, Event, EventKind},
    visible,
};
use holdpoint_ask::{
    describe,
    review::{Review, TextOf},
};
use serde_json::{Value, json};
use std::process::ExitCode;

/// The longest line where words allow it.
pub const WIDEST: usize = 100;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Shows it.
///
/// # Errors
/// When there is no such ask or run, or the record cannot be read.
pub async fn run(record: &Record, out: &mut Output, id: &str) -> anyhow::Result<ExitCode> {
    let id = match find(record, id).await? {
        Found::Ask(id) => id,
        Found::Run(run) => {
            runs::show(record, out, &run)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    let history = record.journal.history(id).await?;
    let history = history.context("the ask is gone from the record")?;
    if out.json {
        let mut value = entries::json(&history);
        value["events"] = history.events.iter().map(event_json).collect();
        value["grants"] = history
            .grants
            .iter()
            .map(|grant| {
                json!({
                    "id": grant.id, "purpose": grant.purpose, "digest": grant.digest,
                    "issuedAt": grant.issued_at, "expiresAt": grant.expires_at,
                    "redeemedAt": grant.redeemed_at,
                })
            })
            .collect();
        out.value(&value)?;
        return Ok(ExitCode::SUCCESS);
    }
    print(record, out, &history)?;
    Ok(ExitCode::SUCCESS)
}

/// An event as a JSON value.
pub fn event_json(event: &Event) -> Value {
    let mut value = json!({
        "seq": event.seq, "at": event.at, "kind": event.kind.as_str(), "call": event.call,
        "ask": event.ask, "body": event.body, "hash": event.hash,
    });
    if let Some(by) = event.pruned_by {
        value["prunedBy"] = by.into();
    }
    value
}

/// The one ask, or else the one run, that an id or a part of it means.
///
/// # Errors
/// When there is none, or more than one.
pub async fn find(record: &Record, text: &str) -> anyhow::Result<Found> {
    let found = find_by_id::ask_or_run(record.journal.as_ref(), text).await?;
    if let Some(found) = found {
        return Ok(found);
    }
    let (text, place) = (visible(text), &record.url);
    match record.pruned().await? {
        Some(gone) => bail!(
            "no ask or run in {place} has an id with {text} in it; it may be among what went: {gone}"
        ),
        None => bail!("no ask or run in {place} has an id with {text} in it"),
    }
}

fn print(record: &Record, out: &mut Output, history: &AskHistory) -> anyhow::Result<()> {
    let ask = &history.ask;
    out.line(format_args!("{BOLD}Ask {}{BOLD:#}", ask.id))?;
    about(out, &ask.origin)?;
    if let Some(danger) = ask.ask.danger() {
        out.line(format_args!("  {DIM}dangerous {DIM:#}{}", visible(danger)))?;
    }

    if let Some(round) = &ask.ask.round {
        let (about, number) = (describe::one_line(&round.about), round.number);
        out.line(format_args!("  {DIM}round     {DIM:#}{number} of {about}"))?;
    }

    heading(
        out,
        "Asked",
        Some(times::local(ask.opened_at, &record.zone)),
    )?;
    let shown = markdown::render(&ask.ask.shown(), WIDEST - 2, Abilities::of_stdout());
    for line in shown.lines() {
        out.line(format_args!("  {line}").to_string().trim_end())?;
    }
    for field in &ask.ask.form.fields {
        out.line(format_args!("  {DIM}▸{DIM:#} {}", field_line(field)))?;
    }
    for event in &history.events {
        if let Some(what) = note(event, record) {
            let at = times::local(event.at, &record.zone);
            out.line(format_args!("  {DIM}{at}{DIM:#}  {what}"))?;
        }
    }

    match &ask.decision {
        None => {
            heading(out, "Not decided yet", None)?;
            if let Some(deadline) = ask.deadline_at {
                let deadline = times::local(deadline, &record.zone);
                out.line(format_args!("  it waits until {deadline}"))?;
            }
        }
        Some(decision) => {
            heading(
                out,
                "Decided",
                Some(times::local(decision.at, &record.zone)),
            )?;
            let how = describe::decision_on(&ask.ask.form, decision);
            out.line(format_args!("  {how}"))?;
            if let Some(reason) = describe::reason(&decision.outcome) {
                out.line(format_args!("  “{reason}”"))?;
            }
            if let Outcome::Accepted(answer) = &decision.outcome {
                for (name, value) in answer {
                    out.line(format_args!(
                        "  {DIM}{}{DIM:#} {}",
                        visible(name),
                        value_line(value)
                    ))?;
                }
            }
            if let Some(review) = &decision.review {
                print_review(out, review)?;
            }
        }
    }

    let executed = entries::executed(history);
    if ask.decision.is_some() {
        heading(out, "Executed", None)?;
        if executed.is_empty() {
            out.line("  nothing that Holdpoint knows of")?;
        }
    }
    for action in executed {
        let at = times::local(action.at, &record.zone);
        out.line(format_args!("  {DIM}{at}{DIM:#}  {}", action.describe()))?;
        if let Action::Step {
            result: Some(result),
            ..
        } = &action.what
        {
            out.line(format_args!(
                "    → {}",
                entries::line(&value_line(result), WIDEST)
            ))?;
        }
    }
    let end = history
        .events
        .iter()
        .find(|event| event.kind == EventKind::Finished);
    if let Some(end) = end {
        heading(
            out,
            "The call ended",
            Some(times::local(end.at, &record.zone)),
        )?;
        out.line(format_args!("  {}", result_line(&end.body["result"])))?;
    }
    Ok(())
}

/// What the person said beside their answer.
fn print_review(out: &mut Output, review: &Review) -> anyhow::Result<()> {
    let comments = review.text();
    if !comments.is_empty() {
        out.line(format_args!("  {DIM}comments{DIM:#}"))?;
    }
    for line in visible(&comments).lines() {
        out.line(format_args!("  {line}"))?;
    }
    if let Some(edited) = &review.edited {
        let of = match &edited.of {
            TextOf::Field(name) | TextOf::File(name) => describe::one_line(name),
        };
        out.line(format_args!("  {DIM}edited{DIM:#} {of}:"))?;
        for line in visible(&edited.text).lines() {
            out.line(format_args!("    {line}"))?;
        }
    }
    Ok(())
}

/// Where it came from.
///
/// # Errors
/// When nobody reads it any more.
pub fn about(out: &mut Output, origin: &Origin) -> anyhow::Result<()> {
    for (name, value) in [
        ("server", &origin.server),
        ("tool", &origin.tool),
        ("client", &origin.client),
        ("workspace", &origin.workspace),
    ] {
        if let Some(value) = value {
            let value = describe::one_line(value);
            out.line(format_args!("  {DIM}{name:<10}{DIM:#}{value}"))?;
        }
    }
    Ok(())
}

/// What a call ended with, in a line: the first text of its result.
pub fn result_line(result: &Value) -> String {
    let texts = [&result["tool"]["content"], &result["content"]];
    let text = texts.iter().find_map(|content| content[0]["text"].as_str());
    let text = text.map_or_else(|| result.to_string(), str::to_owned);
    entries::line(&text, WIDEST * 2)
}

/// A heading, with a time.
///
/// # Errors
/// When nobody reads it any more.
pub fn heading(out: &mut Output, text: &str, at: Option<String>) -> anyhow::Result<()> {
    out.line("")?;
    let at = at
        .map(|at| format!("  {DIM}{at}{DIM:#}"))
        .unwrap_or_default();
    out.line(format_args!("{BOLD}{text}{BOLD:#}{at}"))
}

fn field_line(field: &Field) -> String {
    let options: &[Pick] = match &field.kind {
        Kind::Choice(choice) => &choice.options,
        Kind::Choices(choices) => &choices.options,
        _ => &[],
    };
    let options: Vec<_> = options
        .iter()
        .map(|option| visible(option.shown()))
        .collect();
    let options = if options.is_empty() {
        String::new()
    } else {
        format!(": {}", options.join(" · "))
    };
    format!("{}{options}", visible(&field.full_label()))
}

/// A value in a line.
pub fn value_line(value: &Value) -> String {
    match value {
        Value::String(text) => visible(text).into_owned(),
        other => visible(&other.to_string()).into_owned(),
    }
}

/// What an event says beside the question and its decision, in words.
fn note(event: &Event, record: &Record) -> Option<String> {
    event.describe(&|time| times::local(time, &record.zone))
}
