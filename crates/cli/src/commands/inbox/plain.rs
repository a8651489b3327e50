//! The list for a pipe.

use super::list;
use crate::terminal::ask_text;
use anstream::println;
use holdpoint::{Desk, journal::AskRecord};
use holdpoint_ask::{AskId, short_ids, visible};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::process::ExitCode;

/// A line or two for each ask.
pub async fn lines(desk: &Desk) -> anyhow::Result<ExitCode> {
    let open = list::now(desk).await?;
    let now = Timestamp::now();
    let ids: Vec<AskId> = open.asks.iter().map(|record| record.id).collect();
    for (record, id) in open.asks.iter().zip(short_ids(&ids)) {
        let danger = if record.ask.dangerous {
            "DANGEROUS  "
        } else {
            ""
        };
        println!("{id}  {danger}{}", record.ask.title());
        println!("    {}", ask_text::about(record, now).join(" · "));
    }
    match open.count {
        0 => println!("Nothing waits for you."),
        count if count > open.asks.len() as u64 => println!("{count} are open in all."),
        _ => {}
    }
    if let Some(words) = open.remembered_words() {
        println!("{words}");
    }
    Ok(ExitCode::SUCCESS)
}

/// One JSON object with all of them.
pub async fn json(desk: &Desk) -> anyhow::Result<ExitCode> {
    let open = list::now(desk).await?;
    let asks: Vec<Value> = open.asks.iter().map(one).collect();
    println!("{}", json!({ "asks": asks, "open": open.count }));
    Ok(ExitCode::SUCCESS)
}

/// JSON in whose texts nothing is hidden.
fn visible_json(value: Value) -> Value {
    match value {
        Value::String(text) => visible(&text).into_owned().into(),
        Value::Array(values) => values.into_iter().map(visible_json).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| (name, visible_json(value)))
            .collect(),
        other => other,
    }
}

fn one(record: &AskRecord) -> Value {
    let shown = |text: &String| visible(text).into_owned();
    let (ask, origin) = (&record.ask, &record.origin);
    json!({
        "id": record.id,
        "message": shown(&ask.message),
        "details": ask.details.as_ref().map(shown),
        "form": visible_json(json!(ask.form)),
        "dangerous": ask.dangerous,
        "server": origin.server.as_ref().map(shown),
        "client": origin.client.as_ref().map(shown),
        "tool": origin.tool.as_ref().map(shown),
        "workspace": origin.workspace.as_ref().map(shown),
        "openedAt": record.opened_at,
        "deadlineAt": record.deadline_at,
        "agentGone": record.agent_gone,
    })
}
