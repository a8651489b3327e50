//! Lists what in the record looks odd.

use super::error::ApiError;
use crate::gate::Gate;
use axum::{Json, extract::State};
use holdpoint::{
    AskId,
    journal::{self, Event},
    visible,
};
use jiff::{Timestamp, tz::TimeZone};
use serde::Serialize;
use std::collections::{HashMap, hash_map::Entry};

/// How many are listed, the newest first.
const MOST: usize = 100;

#[derive(Serialize)]
pub(crate) struct Odd {
    events: Vec<OddView>,
}

#[derive(Serialize)]
struct OddView {
    at: Timestamp,
    /// What happened, in words.
    words: String,
    /// The ask that it belongs to.
    ask: Option<AskId>,
    /// What that ask says.
    text: Option<String>,
}

/// What was tried and did not count, and answers that were given out of view.
pub(crate) async fn list(State(gate): State<Gate>) -> Result<Json<Odd>, ApiError> {
    let journal = gate.page.desk().journal();
    let events = journal::odd_events(&**journal, None, MOST).await?;
    let mut texts: HashMap<AskId, Option<String>> = HashMap::new();
    for ask in events.iter().filter_map(|event| event.ask) {
        if let Entry::Vacant(entry) = texts.entry(ask) {
            let record = journal.ask(ask).await?;
            let text = record.map(|record| visible(&record.ask.message).into_owned());
            entry.insert(text);
        }
    }
    let view = |event: &Event| OddView {
        at: event.at,
        words: event.describe_odd(&local),
        ask: event.ask,
        text: event.ask.and_then(|ask| texts.get(&ask).cloned().flatten()),
    };
    let events = events.iter().map(view).collect();
    Ok(Json(Odd { events }))
}

fn local(time: Timestamp) -> String {
    let time = time.to_zoned(TimeZone::system());
    time.strftime("%Y-%m-%d %H:%M").to_string()
}
