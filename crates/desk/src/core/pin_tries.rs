//! Counts the tries to guess a PIN, each person's apart, and slows them down.
//!
//! A try is recorded before it is judged, on the condition that no other try came in between. So of many
//! tries at once, in many processes, only as many are judged as the waiting time allows. Wrong ones slow down those
//! who try the same PIN, and nobody else.

use super::{
    pin_place::Keeper,
    pin_state::{newest_until, person},
};
use crate::{Desk, PinError};
use holdpoint_ask::AskId;
use holdpoint_journal::{Event, EventKind, JournalError, Write, Written};
use serde_json::Value;
use std::time::Duration;

/// So many wrong ones cost nothing: people mistype.
const FREE_TRIES: u32 = 3;
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);
/// Enough to see how many wrong ones came in a row; more of them wait the longest anyway.
const MOST_COUNTED: usize = 48;
/// How often a try that others were faster than is begun again.
const MOST_RACES: usize = 100;

const TRYING: [EventKind; 5] = EventKind::PIN;

/// What was recorded of the tries of one PIN.
struct History {
    /// The last event about any PIN.
    last: u64,
    /// Those about this one, newest first.
    own: Vec<Event>,
}

impl Keeper {
    /// Records that this PIN is tried, if one may be tried now; gives how many tries in a row that makes.
    pub async fn reserve_try(
        &self,
        desk: &Desk,
        ask: Option<AskId>,
        body: &Value,
    ) -> Result<u32, PinError> {
        for _ in 0..MOST_RACES {
            let history = self.history().await?;
            let tries = tries_in_a_row(&history.own);
            if let Some(retry_after) = wait(desk, &history.own, tries) {
                return Err(PinError::Wrong { retry_after });
            }
            let reserve = Write::NotePin {
                after: history.last,
                ask: ask.filter(|_| self.is_own),
                kind: EventKind::PinTried,
                body: self.named(body.clone()),
                at: desk.now(),
            };
            if self.journal.commit(vec![reserve]).await? == [Written::Applied(true)] {
                return Ok(tries + 1);
            }
        }
        Err(PinError::Wrong {
            retry_after: Duration::from_secs(1),
        })
    }

    /// Records that a try was wrong: in the desk's own journal, which has the ask.
    pub async fn note_wrong(
        &self,
        desk: &Desk,
        ask: Option<AskId>,
        mut body: Value,
    ) -> Result<(), JournalError> {
        body["tried"] = true.into();
        let mut own = desk.own_keeper();
        own.person = self.person.clone();
        own.note(desk, EventKind::WrongPin, ask, body).await
    }

    /// Records something about this PIN where it is kept; with the ask, where that is the journal which has it.
    pub async fn note(
        &self,
        desk: &Desk,
        kind: EventKind,
        ask: Option<AskId>,
        body: Value,
    ) -> Result<(), JournalError> {
        let note = Write::Note {
            call: None,
            ask: ask.filter(|_| self.is_own),
            kind,
            body: self.named(body),
            at: desk.now(),
        };
        self.journal.commit(vec![note]).await.map(drop)
    }

    async fn history(&self) -> Result<History, JournalError> {
        let of_this = |event: &&Event| person(event) == self.person.as_deref();
        let events = newest_until(&*self.journal, &TRYING, |events| {
            let mut own = events.iter().filter(of_this);
            own.clone().count() >= MOST_COUNTED || own.any(|event| !is_about_a_try(event))
        });
        let events = events.await?;
        Ok(History {
            last: events.first().map_or(0, |event| event.seq),
            own: events
                .iter()
                .filter(of_this)
                .take(MOST_COUNTED)
                .cloned()
                .collect(),
        })
    }
}

/// How long a try has to wait after so many wrong ones in a row.
pub(super) fn pause(wrong: u32) -> Duration {
    match wrong.checked_sub(FREE_TRIES) {
        None | Some(0) => Duration::ZERO,
        Some(more) => Duration::from_secs(1 << more.min(20)).min(LONGEST_WAIT),
    }
}

fn wait(desk: &Desk, history: &[Event], tries: u32) -> Option<Duration> {
    let last = history.iter().find(|event| is_try(event))?;
    let since = desk.now().duration_since(last.at);
    let since = Duration::try_from(since).unwrap_or_default();
    pause(tries)
        .checked_sub(since)
        .filter(|left| !left.is_zero())
}

/// How many tries came since the last right one, or since it was set.
fn tries_in_a_row(history: &[Event]) -> u32 {
    let in_a_row = history.iter().take_while(|event| is_about_a_try(event));
    in_a_row.filter(|event| is_try(event)).count() as u32
}

fn is_about_a_try(event: &Event) -> bool {
    matches!(event.kind, EventKind::PinTried | EventKind::WrongPin)
}

/// Whether it is a try, and not only what came of one. An older program recorded wrong ones alone.
fn is_try(event: &Event) -> bool {
    match event.kind {
        EventKind::WrongPin => event.body.get("tried").is_none(),
        kind => kind == EventKind::PinTried,
    }
}
