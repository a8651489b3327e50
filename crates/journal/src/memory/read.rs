//! What is read back from a memory journal.

use super::state::{Kept, State};
use crate::{
    AskQuery, AskRecord, CallHistory, CallQuery, CallRecord, Event, EventKind, GrantRecord,
    JournalError, StepRecord, Verified,
    rules::chain::Link,
    rules::rows::{self, AskRow, CallRow, StepRow},
    rules::verify::{Check, Counts, Rows},
};
use holdpoint_ask::{AskId, CallId, GrantId};
use serde_json::Value;

impl State {
    /// The event at this place.
    pub fn event(&self, seq: u64) -> Option<&Kept> {
        self.events.get(usize::try_from(seq.checked_sub(1)?).ok()?)
    }

    fn body_of(&self, seq: Option<u64>) -> Option<&str> {
        Some(self.event(seq?)?.body.as_str())
    }

    pub fn read_ask(&self, id: AskId) -> Result<Option<AskRecord>, JournalError> {
        self.asks
            .get(&id)
            .map(|row| self.ask_record(row))
            .transpose()
    }

    pub fn ask_record(&self, row: &AskRow) -> Result<AskRecord, JournalError> {
        let asked = self
            .event(row.opened)
            .ok_or_else(|| rows::missing("ask", &row.id, row.opened))?;
        let (refused, decided) = (self.body_of(row.refused), self.body_of(row.decided));
        row.record(asked.at, &asked.body, refused, decided)
    }

    pub fn read_asks(&self, query: &AskQuery) -> Result<Vec<AskRecord>, JournalError> {
        let fits = |row: &&AskRow| {
            (!query.open || row.decided.is_none())
                && query.dangerous.is_none_or(|wanted| row.dangerous == wanted)
                && query.call.is_none_or(|call| row.call == Some(call))
                && query
                    .principal
                    .as_ref()
                    .is_none_or(|name| row.principal == *name)
                && query.before.is_none_or(|before| row.id < before)
        };
        let rows = self.asks.values().rev().filter(fits);
        rows.take(query.limit.unwrap_or(usize::MAX))
            .map(|row| self.ask_record(row))
            .collect()
    }

    pub fn count_open(&self) -> u64 {
        let open = self.asks.values().filter(|row| row.decided.is_none());
        open.count() as u64
    }

    pub fn read_call(&self, id: CallId) -> Result<Option<CallHistory>, JournalError> {
        let Some(row) = self.calls.get(&id) else {
            return Ok(None);
        };
        let called = self
            .event(row.opened)
            .ok_or_else(|| rows::missing("call", &id, row.opened))?;
        let asks = self.asks_of.range((id, 0)..=(id, u64::MAX));
        let mut steps: Vec<&StepRow> = self
            .steps
            .range((id, String::new(), 0)..)
            .take_while(|((call, ..), _)| *call == id)
            .map(|(_, row)| row)
            .collect();
        steps.sort_by_key(|row| row.started);
        Ok(Some(CallHistory {
            call: row.record(called.at, &called.body, self.body_of(row.finished))?,
            asks: asks
                .filter_map(|(_, ask)| self.asks.get(ask))
                .map(|row| self.ask_record(row))
                .collect::<Result<_, _>>()?,
            steps: steps
                .into_iter()
                .map(|row| row.record(self.body_of(row.finished)))
                .collect::<Result<Vec<StepRecord>, _>>()?,
        }))
    }

    pub fn read_calls(&self, query: &CallQuery) -> Result<Vec<CallRecord>, JournalError> {
        let before = |row: &&CallRow| query.before.is_none_or(|before| row.id < before);
        let mut rows: Vec<&CallRow> = self.calls.values().filter(before).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.id));
        let mut found = Vec::new();
        for row in rows {
            if found.len() == query.limit {
                break;
            }
            let called = self.event(row.opened);
            let called = called.ok_or_else(|| rows::missing("call", &row.id, row.opened))?;
            let call = row.record(called.at, &called.body, self.body_of(row.finished))?;
            let tool = call.origin.tool.as_ref();
            if call.method == query.method || tool.is_some_and(|tool| query.tools.contains(tool)) {
                found.push(call);
            }
        }
        Ok(found)
    }

    pub fn latest_step(&self, name: &str) -> Result<Option<(CallId, Value)>, JournalError> {
        let ended = self.steps.values().filter(|row| row.name == name);
        let last = ended
            .filter_map(|row| Some((row.finished?, row.call)))
            .max();
        let Some((seq, call)) = last else {
            return Ok(None);
        };
        let text = self.body_of(Some(seq)).unwrap_or_default();
        let step: crate::rules::event_body::Step<'static> =
            crate::rules::event_body::parse(seq, text)?;
        Ok(Some((call, step.result.unwrap_or_default().into_owned())))
    }

    pub fn read_grant(&self, id: GrantId) -> Option<GrantRecord> {
        self.grants.get(&id).cloned()
    }

    pub fn read_events(&self, after: u64, limit: usize) -> Result<Vec<Event>, JournalError> {
        let skip = usize::try_from(after).unwrap_or(usize::MAX);
        let events = (after + 1..).zip(self.events.iter().skip(skip)).take(limit);
        events.map(|(seq, kept)| kept.event(seq)).collect()
    }

    pub fn read_guard_events(
        &self,
        kinds: &[EventKind],
        limit: usize,
    ) -> Result<Vec<Event>, JournalError> {
        let numbered = (1..).zip(&self.events).collect::<Vec<_>>();
        let newest = numbered.into_iter().rev();
        let guards = newest.filter(|(_, kept)| kept.kind.is_guard() && kinds.contains(&kept.kind));
        let guards = guards.take(limit);
        guards.map(|(seq, kept)| kept.event(seq)).collect()
    }

    pub fn verify(&self) -> Result<Verified, JournalError> {
        let mut check = Check::new(self);
        for (seq, kept) in (1..).zip(&self.events) {
            let link = Link {
                seq,
                at: kept.at,
                kind: kept.kind.as_str(),
                call: kept.call.as_ref().map(|id| id.as_bytes().as_slice()),
                ask: kept.ask.as_ref().map(|id| id.as_bytes().as_slice()),
                body: &kept.body,
            };
            check.event(&link, kept.hash)?;
        }
        check.finish()
    }
}

impl Kept {
    /// The event as it is read back.
    pub fn event(&self, seq: u64) -> Result<Event, JournalError> {
        Ok(Event {
            seq,
            at: rows::moment(self.at)?,
            kind: self.kind,
            call: self.call,
            ask: self.ask,
            body: crate::rules::event_body::parse::<Value>(seq, &self.body)?,
            hash: self.hash,
        })
    }
}

impl Rows for &State {
    fn call(&mut self, id: CallId) -> Result<Option<CallRow>, JournalError> {
        Ok(self.calls.get(&id).cloned())
    }

    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>, JournalError> {
        Ok(self.asks.get(&id).cloned())
    }

    fn step(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
    ) -> Result<Option<StepRow>, JournalError> {
        Ok(self
            .steps
            .get(&(call, name.to_owned(), occurrence))
            .cloned())
    }

    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>, JournalError> {
        Ok(self.grants.get(&id).cloned())
    }

    fn counts(&mut self) -> Result<Counts, JournalError> {
        Ok(Counts {
            calls: self.calls.len() as u64,
            asks: self.asks.len() as u64,
            steps: self.steps.len() as u64,
            grants: self.grants.len() as u64,
        })
    }

    fn strays(&mut self) -> Result<Vec<String>, JournalError> {
        // Rows and events of a memory journal are made together, and nobody else can reach them.
        Ok(Vec::new())
    }
}
