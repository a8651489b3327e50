//! The open asks in memory, as lists know them: read once, then kept up to date by the journal's events. A list
//! in any order, of any filter, reads no ask again.

use crate::{ask_kind::AskKind, rows::Gist};
use holdpoint::{
    AskId,
    journal::{AskQuery, EventKind, JournalEngine, JournalError},
};
use holdpoint_ask::open_order::{Group, Place};
use jiff::Timestamp;
use std::{
    collections::{HashMap, HashSet},
    fmt,
};
use tokio::sync::{Mutex, MutexGuard};

/// How many asks or events are read at once.
const CHUNK: usize = 500;
/// Further behind than this, all is read anew.
const FAR_BEHIND: u64 = 5_000;

/// The open asks of a journal.
#[derive(Debug, Default)]
pub(crate) struct OpenAsks {
    known: Mutex<Known>,
}

/// The open asks as they are at one event.
#[derive(Debug, Default)]
pub(crate) struct Known {
    asks: HashMap<AskId, Gist>,
    /// The last event that is in it; none before anything was read.
    seen: Option<u64>,
}

/// Which open asks are wanted.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub agent: Option<String>,
    pub folder: Option<String>,
    pub kind: Option<AskKind>,
    /// Only these; all where there are none.
    pub among: Option<HashSet<AskId>>,
}

/// Where a list goes on: behind this place, in the order as it was at this minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub as_of: Timestamp,
    pub behind: Place,
}

impl OpenAsks {
    /// All open asks as they are now.
    pub async fn now(
        &self,
        journal: &dyn JournalEngine,
    ) -> Result<MutexGuard<'_, Known>, JournalError> {
        let mut known = self.known.lock().await;
        known.catch_up(journal).await?;
        Ok(known)
    }
}

impl Known {
    async fn catch_up(&mut self, journal: &dyn JournalEngine) -> Result<(), JournalError> {
        let head = journal.head().await?;
        let Some(mut seen) = self.seen.filter(|seen| near(*seen, head)) else {
            return self.read_all(journal, head).await;
        };
        while seen < head {
            let events = journal.events(seen, CHUNK).await?;
            let Some(last) = events.last() else { break };
            seen = last.seq;
            let changed = events.iter().filter(|event| changes_row(event.kind));
            let changed: HashSet<AskId> = changed.filter_map(|event| event.ask).collect();
            for id in changed {
                self.read_one(journal, id).await?;
            }
            self.seen = Some(seen);
        }
        Ok(())
    }

    /// Reads all anew. What happens meanwhile is behind `head`, and is read after it.
    async fn read_all(
        &mut self,
        journal: &dyn JournalEngine,
        head: u64,
    ) -> Result<(), JournalError> {
        let mut asks = HashMap::new();
        let mut before = None;
        loop {
            let query = AskQuery {
                open: true,
                before,
                limit: Some(CHUNK),
                ..AskQuery::default()
            };
            let found = journal.asks(query).await?;
            asks.extend(found.iter().map(|record| (record.id, Gist::new(record))));
            match found.last() {
                Some(last) if found.len() == CHUNK => before = Some(last.id),
                _ => break,
            }
        }
        (self.asks, self.seen) = (asks, Some(head));
        Ok(())
    }

    async fn read_one(
        &mut self,
        journal: &dyn JournalEngine,
        id: AskId,
    ) -> Result<(), JournalError> {
        match journal.ask(id).await? {
            Some(record) if record.decision.is_none() => {
                self.asks.insert(id, Gist::new(&record));
            }
            _ => {
                self.asks.remove(&id);
            }
        }
        Ok(())
    }

    /// How many are open.
    pub fn len(&self) -> usize {
        self.asks.len()
    }

    /// All of them, in no order.
    pub fn all(&self) -> impl Iterator<Item = &Gist> {
        self.asks.values()
    }

    /// Those that are wanted, in their order at this time.
    pub fn list(&self, wanted: &Wanted, as_of: Timestamp) -> Vec<(Place, &Gist)> {
        let found = self.all().filter(|gist| wanted.fits(gist));
        let mut found: Vec<_> = found
            .map(|gist| (gist.waiting().place(as_of), gist))
            .collect();
        found.sort_unstable_by_key(|(place, _)| *place);
        found
    }
}

/// Whether so many events can be read one after another. Fewer than were seen are those of another journal.
fn near(seen: u64, head: u64) -> bool {
    head.checked_sub(seen)
        .is_some_and(|behind| behind <= FAR_BEHIND)
}

fn changes_row(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Asked
            | EventKind::Decided
            | EventKind::Extended
            | EventKind::AgentGone
            | EventKind::AgentBack
    )
}

impl Wanted {
    fn fits(&self, gist: &Gist) -> bool {
        let same = |wanted: &Option<String>, is: Option<&str>| {
            wanted
                .as_deref()
                .is_none_or(|wanted| wanted == is.unwrap_or_default())
        };
        same(&self.agent, Some(&gist.agent))
            && same(&self.folder, gist.folder.as_deref())
            && self.kind.is_none_or(|kind| kind == gist.kind)
            && self
                .among
                .as_ref()
                .is_none_or(|among| among.contains(&gist.id))
    }
}

impl Cursor {
    /// The time by which a list that begins now is ordered, for all its pages: the full minute.
    pub fn as_of(now: Timestamp) -> Timestamp {
        let second = now.as_second();
        Timestamp::from_second(second - second.rem_euclid(60)).unwrap_or(now)
    }

    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(4, '.');
        let as_of = parts.next()?.parse::<i64>().ok()?;
        let group = parts.next()?.parse::<usize>().ok()?;
        let behind = Place {
            group: *Group::ALL.get(group)?,
            at: parts.next()?.parse().ok()?,
            id: parts.next()?.parse().ok()?,
        };
        let as_of = Timestamp::from_second(as_of.checked_mul(60)?).ok()?;
        Some(Self { as_of, behind })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { group, at, id } = self.behind;
        let minute = self.as_of.as_second() / 60;
        write!(f, "{minute}.{}.{at}.{id}", group as usize)
    }
}
