//! What a journal and its vault say of a PIN: both must, and the same.

use super::pin_place::Keeper;
use holdpoint_ask::Digest;
use holdpoint_journal::{Event, EventKind, JournalEngine, JournalError};
use serde_json::json;
use std::collections::BTreeSet;

/// The first line of what is in the vault while a PIN is being set or cleared: until the event is there, nothing
/// has changed, and no crash locks anybody out.
pub(super) const CHANGING: &str = "changing";
/// Below which name in the vault the PINs of named persons are.
const NAMED: &str = "pins";

const SETTING: [EventKind; 2] = [EventKind::PinSet, EventKind::PinCleared];

/// What is known of a PIN in one place.
#[derive(Debug)]
pub(super) enum State {
    /// None was set, or it was cleared.
    None,
    /// It is checked with this hash.
    Set(String),
    /// One was set, and its hash or its event is lost.
    Missing,
}

/// Where the PIN of this person is in the vault; without a name, the one of whoever has no own.
pub(super) fn place(person: Option<&str>) -> String {
    person.map_or_else(|| "pin".to_owned(), |name| format!("{NAMED}/{name}"))
}

/// Whose PIN an event is about; none where it is nobody's in particular.
pub(super) fn person(event: &Event) -> Option<&str> {
    event.body["person"].as_str()
}

/// What is known of the PIN that is kept here.
pub(super) async fn state(keeper: &Keeper) -> Result<State, JournalError> {
    let journal = &*keeper.journal;
    let of_this = |event: &Event| person(event) == keeper.person.as_deref();
    let events = newest_until(journal, &SETTING, |events| events.iter().any(of_this)).await?;
    let stored = journal.load(&place(keeper.person.as_deref())).await?;
    let stored = stored.unwrap_or_default();
    let stored = String::from_utf8_lossy(&stored);
    Ok(match events.iter().find(|event| of_this(event)) {
        Some(event) if event.kind == EventKind::PinSet => {
            let check = &event.body["check"];
            let fits = |line: &&str| json!(Digest::hash_bytes(line.as_bytes())) == *check;
            match stored.lines().find(fits) {
                Some(hash) => State::Set(hash.to_owned()),
                None => State::Missing,
            }
        }
        _ if stored.is_empty() || stored.lines().next() == Some(CHANGING) => State::None,
        // A hash, and no event says that it was set: that event is lost.
        _ => State::Missing,
    })
}

/// Whether any named person has a PIN here, or had one that is missing.
pub(super) async fn is_any_named(keeper: &Keeper) -> Result<bool, JournalError> {
    let journal = &*keeper.journal;
    let events = newest_until(journal, &SETTING, |_| false).await?;
    let mut names: BTreeSet<_> = events
        .iter()
        .filter_map(person)
        .map(str::to_owned)
        .collect();
    let stored = journal.names(NAMED).await?;
    let stored = stored.iter().filter_map(|name| name.split_once('/'));
    names.extend(stored.map(|(_, name)| name.to_owned()));
    for name in names {
        if !matches!(state(&keeper.of(&name)).await?, State::None) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The newest events of these kinds, newest first: as many as are enough, or all.
pub(super) async fn newest_until(
    journal: &dyn JournalEngine,
    kinds: &'static [EventKind],
    enough: impl Fn(&[Event]) -> bool,
) -> Result<Vec<Event>, JournalError> {
    let mut limit = 64;
    loop {
        let events = journal.guard_events(kinds, limit).await?;
        if events.len() < limit || enough(&events) {
            return Ok(events);
        }
        limit *= 8;
    }
}
