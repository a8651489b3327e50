//! The maps of a memory journal, and how a batch is applied to them.

use crate::{
    EventKind, GrantRecord, JournalError, Written,
    rules::apply::{Store, apply},
    rules::chain::{Entry, Head},
    rules::prepared_write::{PreparedWrite, StepName},
    rules::rows::{AskRow, CallRow, StepRow},
};
use holdpoint_ask::{AskId, CallId, Digest, GrantId};
use jiff::Timestamp;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Names a step: its call, name and occurrence.
pub(super) type StepKey = (CallId, String, u32);

#[derive(Debug)]
pub(super) struct State {
    me: Uuid,
    head: Head,
    pub events: Vec<Kept>,
    pub calls: BTreeMap<CallId, CallRow>,
    pub asks: BTreeMap<AskId, AskRow>,
    /// The asks of each call by the place of their event, which is the order of opening.
    pub asks_of: BTreeMap<(CallId, u64), AskId>,
    pub steps: BTreeMap<StepKey, StepRow>,
    pub grants: BTreeMap<GrantId, GrantRecord>,
    pub parcels: BTreeMap<AskId, Vec<u8>>,
    leases: BTreeMap<Uuid, i64>,
    undo: Vec<Undo>,
}

/// An event as it is kept.
#[derive(Debug)]
pub(super) struct Kept {
    pub at: i64,
    pub kind: EventKind,
    pub call: Option<CallId>,
    pub ask: Option<AskId>,
    pub body: String,
    pub hash: Digest,
}

/// What something was before the batch changed it.
#[derive(Debug)]
enum Undo {
    Event(Head),
    Call(CallId, Option<CallRow>),
    Ask(AskId, Option<AskRow>),
    AskOf(CallId, u64),
    Step(StepKey, Option<StepRow>),
    Grant(GrantId, Option<GrantRecord>),
    Parcel(AskId, Option<Vec<u8>>),
    Lease(Uuid, Option<i64>),
}

impl State {
    pub fn new(me: Uuid) -> Self {
        Self {
            me,
            head: Head::start(),
            events: Vec::new(),
            calls: BTreeMap::new(),
            asks: BTreeMap::new(),
            asks_of: BTreeMap::new(),
            steps: BTreeMap::new(),
            grants: BTreeMap::new(),
            parcels: BTreeMap::new(),
            leases: BTreeMap::new(),
            undo: Vec::new(),
        }
    }

    /// Applies a batch, or nothing of it.
    pub fn commit(&mut self, batch: &[PreparedWrite]) -> Result<Vec<Written>, JournalError> {
        let written: Result<_, _> = batch.iter().map(|change| apply(self, change)).collect();
        if written.is_err() {
            self.roll_back();
        }
        self.undo.clear();
        written
    }

    fn roll_back(&mut self) {
        while let Some(undo) = self.undo.pop() {
            match undo {
                Undo::Event(head) => {
                    self.events.pop();
                    self.head = head;
                }
                Undo::Call(id, row) => put(&mut self.calls, id, row),
                Undo::Ask(id, row) => put(&mut self.asks, id, row),
                Undo::AskOf(call, seq) => put(&mut self.asks_of, (call, seq), None),
                Undo::Step(key, row) => put(&mut self.steps, key, row),
                Undo::Grant(id, row) => put(&mut self.grants, id, row),
                Undo::Parcel(ask, sealed) => put(&mut self.parcels, ask, sealed),
                Undo::Lease(id, until) => put(&mut self.leases, id, until),
            }
        }
    }

    fn change_call(&mut self, id: CallId, change: impl FnOnce(&mut CallRow)) {
        if let Some(row) = self.calls.get_mut(&id) {
            self.undo.push(Undo::Call(id, Some(row.clone())));
            change(row);
        }
    }

    fn change_ask(&mut self, id: AskId, change: impl FnOnce(&mut AskRow)) {
        if let Some(row) = self.asks.get_mut(&id) {
            self.undo.push(Undo::Ask(id, Some(row.clone())));
            change(row);
        }
    }
}

impl Store for State {
    fn append(&mut self, entry: Entry<'_>) -> Result<u64, JournalError> {
        self.undo.push(Undo::Event(self.head));
        self.head = self.head.then(&entry);
        self.events.push(Kept {
            at: entry.at,
            kind: entry.kind,
            call: entry.call,
            ask: entry.ask,
            body: entry.body.to_owned(),
            hash: self.head.hash,
        });
        Ok(self.head.seq)
    }

    fn body(&mut self, seq: u64, kind: EventKind) -> Result<Option<String>, JournalError> {
        let event = self.event(seq).filter(|event| event.kind == kind);
        Ok(event.map(|event| event.body.clone()))
    }

    fn call(&mut self, id: CallId) -> Result<Option<CallRow>, JournalError> {
        Ok(self.calls.get(&id).cloned())
    }

    fn insert_call(&mut self, row: CallRow) -> Result<(), JournalError> {
        let id = row.id;
        free(&self.calls, &id, "call", &id)?;
        self.undo.push(Undo::Call(id, None));
        self.calls.insert(id, row);
        Ok(())
    }

    fn set_owner(&mut self, id: CallId, owner: Uuid, epoch: u64) -> Result<(), JournalError> {
        self.change_call(id, |row| (row.owner, row.epoch) = (owner, epoch));
        Ok(())
    }

    fn set_finished(&mut self, id: CallId, seq: u64) -> Result<(), JournalError> {
        self.change_call(id, |row| row.finished = Some(seq));
        Ok(())
    }

    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>, JournalError> {
        Ok(self.asks.get(&id).cloned())
    }

    fn insert_ask(&mut self, row: AskRow) -> Result<(), JournalError> {
        let id = row.id;
        free(&self.asks, &id, "ask", &id)?;
        if let Some(call) = row.call {
            if !self.calls.contains_key(&call) {
                return Err(JournalError::Write(format!("there is no call {call}")));
            }
            self.undo.push(Undo::AskOf(call, row.opened));
            self.asks_of.insert((call, row.opened), id);
        }
        self.undo.push(Undo::Ask(id, None));
        self.asks.insert(id, row);
        Ok(())
    }

    fn set_refused(&mut self, id: AskId, refusals: u32, seq: u64) -> Result<(), JournalError> {
        self.change_ask(id, |row| {
            (row.refusals, row.refused) = (refusals, Some(seq))
        });
        Ok(())
    }

    fn set_deadline(&mut self, id: AskId, at: Option<i64>) -> Result<(), JournalError> {
        self.change_ask(id, |row| row.deadline_at = at);
        Ok(())
    }

    fn set_decided(&mut self, id: AskId, seq: u64) -> Result<(), JournalError> {
        self.change_ask(id, |row| row.decided = Some(seq));
        Ok(())
    }

    fn set_gone(&mut self, id: AskId, gone: bool) -> Result<(), JournalError> {
        self.change_ask(id, |row| row.gone = gone);
        Ok(())
    }

    fn insert_parcel(&mut self, ask: AskId, sealed: &[u8]) -> Result<(), JournalError> {
        let old = self.parcels.insert(ask, sealed.to_owned());
        self.undo.push(Undo::Parcel(ask, old));
        Ok(())
    }

    fn drop_parcel(&mut self, ask: AskId) -> Result<(), JournalError> {
        let old = self.parcels.remove(&ask);
        self.undo.push(Undo::Parcel(ask, old));
        Ok(())
    }

    fn step(&mut self, step: &StepName) -> Result<Option<StepRow>, JournalError> {
        Ok(self.steps.get(&key(step)).cloned())
    }

    fn insert_step(&mut self, row: StepRow) -> Result<(), JournalError> {
        let key = (row.call, row.name.clone(), row.occurrence);
        self.undo.push(Undo::Step(key.clone(), None));
        self.steps.insert(key, row);
        Ok(())
    }

    fn set_step_finished(&mut self, step: &StepName, seq: u64) -> Result<(), JournalError> {
        let key = key(step);
        if let Some(row) = self.steps.get_mut(&key) {
            self.undo.push(Undo::Step(key, Some(row.clone())));
            row.finished = Some(seq);
        }
        Ok(())
    }

    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>, JournalError> {
        Ok(self.grants.get(&id).cloned())
    }

    fn insert_grant(&mut self, grant: &GrantRecord) -> Result<(), JournalError> {
        free(&self.grants, &grant.id, "grant", &grant.id)?;
        self.undo.push(Undo::Grant(grant.id, None));
        self.grants.insert(grant.id, grant.clone());
        Ok(())
    }

    fn set_redeemed(&mut self, id: GrantId, at: Timestamp) -> Result<(), JournalError> {
        if let Some(grant) = self.grants.get_mut(&id) {
            self.undo.push(Undo::Grant(id, Some(grant.clone())));
            grant.redeemed_at = Some(at);
        }
        Ok(())
    }

    fn set_lease(&mut self, owner: Uuid, until: i64) -> Result<(), JournalError> {
        let old = self.leases.insert(owner, until);
        self.undo.push(Undo::Lease(owner, old));
        Ok(())
    }

    fn alive(&mut self, owner: Uuid, at: i64) -> Result<bool, JournalError> {
        Ok(owner == self.me || self.leases.get(&owner).is_some_and(|until| *until > at))
    }
}

fn key(step: &StepName) -> StepKey {
    (step.call, step.name.clone(), step.occurrence)
}

fn put<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, old: Option<V>) {
    match old {
        Some(value) => map.insert(key, value),
        None => map.remove(&key),
    };
}

fn free<K: Ord, V>(
    map: &BTreeMap<K, V>,
    key: &K,
    what: &str,
    id: &impl std::fmt::Display,
) -> Result<(), JournalError> {
    if map.contains_key(key) {
        return Err(JournalError::Write(format!(
            "there is a {what} {id} already"
        )));
    }
    Ok(())
}
