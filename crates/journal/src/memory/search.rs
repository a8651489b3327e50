//! What people look for in a memory journal: every ask is looked at.

use super::state::{Kept, State};
use crate::{
    AskHistory, EventKind, Found, JournalError, Search, Stats,
    rules::rows::AskRow,
    search::{Matcher, no_such_page},
    stats::{Fact, Tally},
};
use holdpoint_ask::AskId;
use jiff::tz::TimeZone;

impl State {
    pub fn search(&self, search: &Search) -> Result<Found, JournalError> {
        let mut found = Found::default();
        let matcher = Matcher::new(search);
        for row in self.last_opened_first(search)? {
            let record = self.ask_record(row)?;
            if matcher.fits(&record) && !found.take(record, search.limit) {
                break;
            }
        }
        Ok(found)
    }

    pub fn stats(&self, search: &Search, zone: TimeZone) -> Result<Stats, JournalError> {
        let mut tally = Tally::new(zone);
        let matcher = Matcher::new(search);
        for row in self.last_opened_first(search)? {
            let record = self.ask_record(row)?;
            if matcher.fits(&record) {
                tally.add(&Fact::of(&record));
            }
        }
        Ok(tally.finish())
    }

    pub fn history(&self, id: AskId) -> Result<Option<AskHistory>, JournalError> {
        let Some(row) = self.asks.get(&id) else {
            return Ok(None);
        };
        let until = row.decided.unwrap_or(u64::MAX);
        let belongs = |seq: u64, kept: &Kept| {
            let while_open = (row.opened..=until).contains(&seq);
            let of_call = row.call.is_some() && kept.call == row.call && kept.ask.is_none();
            match kept.kind {
                EventKind::Called
                | EventKind::StepStarted
                | EventKind::StepFinished
                | EventKind::Finished => of_call,
                _ => while_open && (of_call || kept.ask == Some(id)),
            }
        };
        let events = (1..).zip(&self.events);
        let events = events.filter(|(seq, kept)| belongs(*seq, kept));
        let mut grants: Vec<_> = self
            .grants
            .values()
            .filter(|it| it.ask == id)
            .cloned()
            .collect();
        grants.sort_by_key(|grant| (grant.issued_at, grant.id));
        Ok(Some(AskHistory {
            ask: self.ask_record(row)?,
            events: events
                .map(|(seq, kept)| kept.event(seq))
                .collect::<Result<_, _>>()?,
            grants,
        }))
    }

    fn last_opened_first(&self, search: &Search) -> Result<Vec<&AskRow>, JournalError> {
        let before = match search.before {
            Some(id) => self.asks.get(&id).ok_or_else(|| no_such_page(id))?.opened,
            None => u64::MAX,
        };
        let rows = self.asks.values().filter(|row| row.opened < before);
        let mut rows: Vec<_> = rows.collect();
        rows.sort_unstable_by_key(|row| std::cmp::Reverse(row.opened));
        Ok(rows)
    }
}
