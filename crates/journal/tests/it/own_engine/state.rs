//! What the engine keeps: the chain of events, and the rows beside it.

use holdpoint_ask::{AskId, CallId, Digest, GrantId};
use holdpoint_journal::{
    AskHistory, AskQuery, AskRecord, CallBinding, CallHistory, CallQuery, CallRecord, Event,
    EventKind, GrantRecord, JournalError, Search, StoredEvent,
    rules::{
        AskRow, CallRow, Entry, Head, Link, RowCounts, RowSource, StepRow, Store, missing_event,
        no_such_page, pruned_body, read_event, step_result,
    },
};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

type StepKey = (CallId, String, u32);
type Result<T> = std::result::Result<T, JournalError>;

/// Everything; a transaction is a copy of it.
#[derive(Debug, Clone)]
pub struct State {
    pub head: Head,
    pub events: Vec<StoredEvent>,
    calls: BTreeMap<CallId, CallRow>,
    asks: BTreeMap<AskId, AskRow>,
    steps: BTreeMap<StepKey, StepRow>,
    pub grants: BTreeMap<GrantId, GrantRecord>,
    pub parcels: BTreeMap<AskId, Vec<u8>>,
    leases: BTreeMap<Uuid, i64>,
}

impl State {
    pub fn new() -> Self {
        Self {
            head: Head::start(),
            events: Vec::new(),
            calls: BTreeMap::new(),
            asks: BTreeMap::new(),
            steps: BTreeMap::new(),
            grants: BTreeMap::new(),
            parcels: BTreeMap::new(),
            leases: BTreeMap::new(),
        }
    }

    /// The events in order, as they are stored.
    pub fn links(&self) -> impl DoubleEndedIterator<Item = (Link<'_>, Digest)> {
        self.events.iter().map(|event| (event.link(), event.hash))
    }

    /// The event of this number, if it is of this kind.
    fn event(&self, seq: u64, kind: EventKind) -> Option<&StoredEvent> {
        let event = self.events.get((seq as usize).checked_sub(1)?)?;
        (event.kind == kind.as_str()).then_some(event)
    }

    /// The body of the event of this number, if it is of this kind.
    fn text(&self, seq: Option<u64>, kind: EventKind) -> Option<&str> {
        Some(&self.event(seq?, kind)?.body)
    }

    pub fn ask_record(&self, id: AskId) -> Result<Option<AskRecord>> {
        let Some(row) = self.asks.get(&id) else {
            return Ok(None);
        };
        let asked = self.event(row.opened, EventKind::Asked);
        let asked = asked.ok_or_else(|| missing_event("ask", &id, row.opened))?;
        let refused = self.text(row.refused, EventKind::Refused);
        let decided = self.text(row.decided, EventKind::Decided);
        row.record(asked.at, &asked.body, refused, decided)
            .map(Some)
    }

    pub fn asks(&self, query: &AskQuery) -> Result<Vec<AskRecord>> {
        let fits = |row: &&AskRow| {
            !(query.open && row.decided.is_some())
                && query
                    .dangerous
                    .is_none_or(|dangerous| row.dangerous == dangerous)
                && query.call.is_none_or(|call| row.call == Some(call))
                && query
                    .principal
                    .as_ref()
                    .is_none_or(|principal| row.principal == *principal)
                && query.part.as_ref().is_none_or(|part| part.is_in(&row.id))
                && query.before.is_none_or(|before| row.id < before)
        };
        let newest_first = self.asks.values().rev().filter(fits);
        let records = newest_first.map(|row| self.ask_record(row.id));
        let records = records.filter_map(std::result::Result::transpose);
        records.take(query.limit.unwrap_or(usize::MAX)).collect()
    }

    /// All asks that were opened before this one, as people page through them.
    pub fn last_opened_first(&self, search: &Search) -> Result<Vec<AskRecord>> {
        let before = match search.before {
            Some(id) => {
                let ask = self.ask_record(id)?;
                let ask = ask.filter(|ask| search.sees(&ask.origin));
                ask.and(self.asks.get(&id))
                    .ok_or_else(|| no_such_page(id))?
                    .opened
            }
            None => u64::MAX,
        };
        let mut rows: Vec<_> = self
            .asks
            .values()
            .filter(|row| row.opened < before)
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.opened));
        let records = rows.iter().map(|row| self.ask_record(row.id));
        records.filter_map(std::result::Result::transpose).collect()
    }

    fn call_record(&self, row: &CallRow) -> Result<CallRecord> {
        let called = self.event(row.opened, EventKind::Called);
        let called = called.ok_or_else(|| missing_event("call", &row.id, row.opened))?;
        let finished = self.text(row.finished, EventKind::Finished);
        row.record(called.at, &called.body, finished)
    }

    pub fn call_history(&self, id: CallId) -> Result<Option<CallHistory>> {
        let Some(row) = self.calls.get(&id) else {
            return Ok(None);
        };
        let mut asks: Vec<_> = self
            .asks
            .values()
            .filter(|ask| ask.call == Some(id))
            .collect();
        asks.sort_by_key(|ask| ask.opened);
        let asks = asks.iter().map(|ask| self.ask_record(ask.id));
        let mut steps: Vec<_> = self.steps.values().filter(|step| step.call == id).collect();
        steps.sort_by_key(|step| step.started);
        let steps = steps.iter().map(|step| {
            let finished = self.text(step.finished, EventKind::StepFinished);
            match self.event(step.started, EventKind::StepStarted) {
                Some(start) => step.labelled_record(start.at, &start.body, finished),
                None => step.record(finished),
            }
        });
        Ok(Some(CallHistory::new(
            self.call_record(row)?,
            asks.filter_map(std::result::Result::transpose)
                .collect::<Result<_>>()?,
            steps.collect::<Result<_>>()?,
        )))
    }

    pub fn calls_newest_first(&self, before: Option<CallId>) -> Result<Vec<CallHistory>> {
        let wanted = |id: &&CallId| before.is_none_or(|before| **id < before);
        let ids = self.calls.keys().rev().filter(wanted);
        let calls = ids.map(|id| self.call_history(*id));
        calls.filter_map(std::result::Result::transpose).collect()
    }

    pub fn unfinished_calls(&self, binding: CallBinding, me: Uuid) -> Vec<CallId> {
        let fits = |row: &&CallRow| {
            row.finished.is_none() && row.binding == Some(binding) && row.owner != me
        };
        let found = self.calls.values().rev().filter(fits);
        found.map(|row| row.id).take(16).collect()
    }

    pub fn latest_step(&self, name: &str, server: Option<&str>) -> Result<Option<(CallId, Value)>> {
        let mut newest: Option<&StepRow> = None;
        for step in self.steps.values().filter(|step| step.name == name) {
            let of_server = match self.calls.get(&step.call) {
                Some(call) => self.call_record(call)?.origin.server.as_deref() == server,
                None => false,
            };
            if of_server && step.finished > newest.and_then(|newest| newest.finished) {
                newest = Some(step);
            }
        }
        let Some((step, seq)) = newest.and_then(|step| Some((step, step.finished?))) else {
            return Ok(None);
        };
        let body = self.text(Some(seq), EventKind::StepFinished);
        let body = body.ok_or_else(|| missing_event("call", &step.call, seq))?;
        Ok(Some((step.call, step_result(seq, body)?)))
    }

    pub fn latest_steps(&self, prefix: &str, server: Option<&str>) -> Result<Vec<(String, Value)>> {
        let names: BTreeSet<&str> = self.steps.values().map(|step| &*step.name).collect();
        let mut found = Vec::new();
        for name in names.into_iter().filter(|name| name.starts_with(prefix)) {
            let newest = self.latest_step(name, server)?;
            found.extend(newest.map(|(_, result)| (name.to_owned(), result)));
        }
        Ok(found)
    }

    pub fn calls(&self, query: &CallQuery) -> Result<Vec<CallRecord>> {
        let mut found = Vec::new();
        for row in self.calls.values().rev() {
            let record = self.call_record(row)?;
            if query.before.is_none_or(|before| row.id < before)
                && query.wants(&record)
                && found.len() < query.limit
            {
                found.push(record);
            }
        }
        Ok(found)
    }

    pub fn history(&self, id: AskId) -> Result<Option<AskHistory>> {
        let (Some(ask), Some(row)) = (self.ask_record(id)?, self.asks.get(&id)) else {
            return Ok(None);
        };
        use EventKind::{Called, Finished, StepFinished, StepStarted};
        let of_the_call = [Called, StepStarted, StepFinished, Finished];
        let until = row.decided.unwrap_or(u64::MAX);
        let belongs = |event: &Event| {
            let around = event.call == row.call && row.call.is_some() && event.ask.is_none();
            let meanwhile = (row.opened..=until).contains(&event.seq);
            around && of_the_call.contains(&event.kind)
                || meanwhile && (event.ask == Some(id) || around)
        };
        let events = self.links().map(|(link, hash)| read_event(&link, hash));
        let events: Vec<_> = events.collect::<Result<_>>()?;
        let events = events.into_iter().filter(belongs).collect();
        let mut grants: Vec<_> = self
            .grants
            .values()
            .filter(|grant| grant.ask == id)
            .collect();
        grants.sort_by_key(|grant| (grant.issued_at, grant.id));
        let grants = grants.into_iter().cloned().collect();
        Ok(Some(AskHistory::new(ask, events, grants)))
    }
}

/// Refuses an id that exists already.
fn insert<K: Ord, V>(rows: &mut BTreeMap<K, V>, key: K, row: V) -> Result<()> {
    match rows.insert(key, row) {
        None => Ok(()),
        Some(_) => Err(JournalError::write("its id is taken")),
    }
}

/// Changes a row that the rules have just read.
fn change<K: Ord, V>(rows: &mut BTreeMap<K, V>, key: &K, with: impl FnOnce(&mut V)) -> Result<()> {
    rows.get_mut(key)
        .map(with)
        .ok_or_else(|| JournalError::write("its row does not exist"))
}

impl Store for State {
    fn append(&mut self, entry: Entry<'_>) -> Result<u64> {
        self.head = self.head.then(&entry);
        self.events.push(StoredEvent {
            seq: self.head.seq,
            at: entry.at,
            kind: entry.kind.as_str().to_owned(),
            call: entry.call,
            ask: entry.ask,
            body: entry.body.to_owned(),
            hash: self.head.hash,
        });
        Ok(self.head.seq)
    }

    fn append_stored(&mut self, event: &StoredEvent) -> Result<()> {
        let (seq, hash) = (event.seq, event.hash);
        self.head = Head { seq, hash };
        self.events.push(event.clone());
        Ok(())
    }

    fn hashes_of_bodies(&mut self, seqs: &[u64]) -> Result<Vec<Head>> {
        let there = self.links().filter(|(link, _)| link.pruned_by().is_none());
        let wanted = there.filter(|(link, _)| seqs.contains(&link.seq));
        Ok(wanted
            .map(|(link, hash)| Head {
                seq: link.seq,
                hash,
            })
            .collect())
    }

    fn drop_bodies(&mut self, seqs: &[u64], by: u64) -> Result<()> {
        let gone = self
            .events
            .iter_mut()
            .filter(|event| seqs.contains(&event.seq));
        gone.for_each(|event| event.body = pruned_body(by));
        Ok(())
    }

    fn body(&mut self, seq: u64, kind: EventKind) -> Result<Option<String>> {
        Ok(self.text(Some(seq), kind).map(str::to_owned))
    }

    fn last_pin_event(&mut self) -> Result<u64> {
        let is_pin = |event: &StoredEvent| EventKind::of_word(&event.kind).is_pin();
        let last = self.events.iter().rposition(is_pin);
        Ok(last.map_or(0, |place| place as u64 + 1))
    }

    fn call(&mut self, id: CallId) -> Result<Option<CallRow>> {
        Ok(self.calls.get(&id).cloned())
    }

    fn insert_call(&mut self, row: CallRow) -> Result<()> {
        insert(&mut self.calls, row.id, row)
    }

    fn remove_call(&mut self, id: CallId) -> Result<()> {
        self.calls.remove(&id);
        Ok(())
    }

    fn set_owner(&mut self, id: CallId, owner: Uuid, epoch: u64) -> Result<()> {
        change(&mut self.calls, &id, |row| {
            (row.owner, row.epoch) = (owner, epoch)
        })
    }

    fn set_finished(&mut self, id: CallId, seq: u64) -> Result<()> {
        change(&mut self.calls, &id, |row| row.finished = Some(seq))
    }

    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>> {
        Ok(self.asks.get(&id).cloned())
    }

    fn insert_ask(&mut self, row: AskRow) -> Result<()> {
        if row.call.is_some_and(|call| !self.calls.contains_key(&call)) {
            return Err(JournalError::write("its call does not exist"));
        }
        insert(&mut self.asks, row.id, row)
    }

    fn set_refused(&mut self, id: AskId, refusals: u32, seq: u64) -> Result<()> {
        change(&mut self.asks, &id, |row| {
            (row.refusals, row.refused) = (refusals, Some(seq));
        })
    }

    fn set_deadline(&mut self, id: AskId, at: Option<i64>) -> Result<()> {
        change(&mut self.asks, &id, |row| row.deadline_at = at)
    }

    fn set_decided(&mut self, id: AskId, seq: u64) -> Result<()> {
        change(&mut self.asks, &id, |row| row.decided = Some(seq))
    }

    fn set_gone(&mut self, id: AskId, gone: bool) -> Result<()> {
        change(&mut self.asks, &id, |row| row.gone = gone)
    }

    fn remove_ask(&mut self, id: AskId) -> Result<()> {
        self.asks.remove(&id);
        self.grants.retain(|_, grant| grant.ask != id);
        self.drop_parcel(id)
    }

    fn insert_parcel(&mut self, ask: AskId, sealed: &[u8]) -> Result<()> {
        insert(&mut self.parcels, ask, sealed.to_owned())
    }

    fn drop_parcel(&mut self, ask: AskId) -> Result<()> {
        self.parcels.remove(&ask);
        Ok(())
    }

    fn step(&mut self, call: CallId, name: &str, occurrence: u32) -> Result<Option<StepRow>> {
        Ok(self
            .steps
            .get(&(call, name.to_owned(), occurrence))
            .cloned())
    }

    fn insert_step(&mut self, row: StepRow) -> Result<()> {
        insert(
            &mut self.steps,
            (row.call, row.name.clone(), row.occurrence),
            row,
        )
    }

    fn set_step_finished(&mut self, call: CallId, name: &str, nth: u32, seq: u64) -> Result<()> {
        let key = (call, name.to_owned(), nth);
        change(&mut self.steps, &key, |row| row.finished = Some(seq))
    }

    fn remove_step(&mut self, call: CallId, name: &str, nth: u32) -> Result<()> {
        self.steps.remove(&(call, name.to_owned(), nth));
        Ok(())
    }

    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>> {
        Ok(self.grants.get(&id).cloned())
    }

    fn has_granted(&mut self, ask: AskId) -> Result<bool> {
        Ok(self.grants.values().any(|grant| grant.ask == ask))
    }

    fn insert_grant(&mut self, grant: &GrantRecord) -> Result<()> {
        insert(&mut self.grants, grant.id, grant.clone())
    }

    fn set_redeemed(&mut self, id: GrantId, at: Timestamp) -> Result<()> {
        let at = Timestamp::from_millisecond(at.as_millisecond());
        let at = at.map_err(|error| JournalError::write("no such time").with_source(error))?;
        change(&mut self.grants, &id, |grant| grant.redeemed_at = Some(at))
    }

    fn set_lease(&mut self, owner: Uuid, until: i64) -> Result<()> {
        self.leases.insert(owner, until);
        Ok(())
    }

    fn is_alive(&mut self, owner: Uuid, at: i64) -> Result<bool> {
        Ok(self.leases.get(&owner).is_some_and(|until| *until > at))
    }
}

impl RowSource for State {
    fn call(&mut self, id: CallId) -> Result<Option<CallRow>> {
        Store::call(self, id)
    }

    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>> {
        Store::ask(self, id)
    }

    fn step(&mut self, call: CallId, name: &str, occurrence: u32) -> Result<Option<StepRow>> {
        Store::step(self, call, name, occurrence)
    }

    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>> {
        Store::grant(self, id)
    }

    fn counts(&mut self) -> Result<RowCounts> {
        Ok(RowCounts {
            calls: self.calls.len() as u64,
            asks: self.asks.len() as u64,
            steps: self.steps.len() as u64,
            grants: self.grants.len() as u64,
        })
    }

    fn strays(&mut self) -> Result<Vec<String>> {
        let stray = |row: &&AskRow| self.event(row.opened, EventKind::Asked).is_none();
        let asks = self.asks.values().filter(stray);
        Ok(asks.map(|row| format!("ask {}", row.id)).collect())
    }
}
