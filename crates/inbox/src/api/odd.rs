//! Lists what in the record looks odd.

use super::error::ApiError;
use crate::gate::Gate;
use axum::{
    Json,
    extract::{Query, State},
};
use holdpoint::{
    AskId,
    journal::{self, Event},
    visible,
};
use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, hash_map::Entry};

/// How many are listed at once, the newest first.
const MOST: usize = 100;

#[derive(Serialize)]
pub(crate) struct Odd {
    events: Vec<OddView>,
    /// Where to read on: `before` of the next request; none at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
}

#[derive(Deserialize)]
pub(crate) struct From {
    before: Option<u64>,
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
pub(crate) async fn list(
    State(gate): State<Gate>,
    Query(From { before }): Query<From>,
) -> Result<Json<Odd>, ApiError> {
    let journal = gate.page.desk().journal();
    let events = journal::odd_events(&**journal, before, None, MOST).await?;
    let next = (events.len() == MOST).then(|| events.last().map(|event| event.seq));
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
    let next = next.flatten();
    Ok(Json(Odd { events, next }))
}

fn local(time: Timestamp) -> String {
    let time = time.to_zoned(TimeZone::system());
    time.strftime("%Y-%m-%d %H:%M:%S").to_string()
}
