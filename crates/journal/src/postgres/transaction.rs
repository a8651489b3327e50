//! The `Store` over an open transaction: rows that were fetched, and what is changed of them, in memory.
//!
//! The database is far away, so nothing here waits for it. What the rules look up and was not fetched is noted
//! as missing; the committer fetches it and applies the writes again from the start.

use super::{
    lookups::{Fetched, Lookups, StepKey},
    table::Table,
};
use crate::{
    EventKind, GrantRecord, JournalError, StoredEvent,
    rules::{AskRow, CallRow, Entry, Head, StepRow, Store},
};
use holdpoint_ask::{AskId, CallId, Digest, GrantId};
use jiff::Timestamp;
use serde::Deserialize;
use std::{borrow::Cow, collections::BTreeMap};
use uuid::Uuid;

/// An event that is to be written.
#[derive(Debug)]
pub(super) struct NewEvent {
    pub seq: u64,
    pub at: i64,
    pub kind: EventKind,
    pub call: Option<CallId>,
    pub ask: Option<AskId>,
    pub body: String,
    pub hash: Digest,
}

/// What a call is looked up by, beside its row: copied out of the event that opened it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct CallLabels {
    pub method: String,
    pub origin: OriginLabels,
}

/// See [`CallLabels`].
#[derive(Debug, Default, Deserialize)]
pub(super) struct OriginLabels {
    pub tool: Option<String>,
    pub server: Option<String>,
}

/// Something beside the rows that a batch did.
#[derive(Debug)]
pub(super) enum Extra {
    InsertParcel(AskId, Vec<u8>),
    DropParcel(AskId),
    /// The grants of an ask that goes.
    DropGrants(AskId),
    /// The bodies of these events, which this one says.
    DropBodies(Vec<u64>, u64),
    /// The process counts as alive until then, in milliseconds.
    Renew(Uuid, i64),
}

/// A transaction that is open.
#[derive(Debug)]
pub(super) struct Transaction {
    me: Uuid,
    pub head: Head,
    pub calls: Table<CallId, CallRow>,
    pub asks: Table<AskId, AskRow>,
    pub steps: Table<StepKey, StepRow>,
    pub grants: Table<GrantId, GrantRecord>,
    granted: BTreeMap<AskId, bool>,
    bodies: BTreeMap<u64, Option<(String, String)>>,
    hashes: BTreeMap<u64, Option<Digest>>,
    owners: BTreeMap<Uuid, bool>,
    last_pin: Option<u64>,
    pub events: Vec<NewEvent>,
    pub labels: BTreeMap<CallId, CallLabels>,
    pub extras: Vec<Extra>,
    /// The calls that this process came to own.
    pub won: Vec<CallId>,
    /// What was looked up and not fetched.
    pub missing: Lookups,
}

/// Where a batch began.
#[derive(Debug)]
pub(super) struct Mark {
    head: Head,
    events: usize,
    extras: usize,
    won: usize,
}

impl Transaction {
    pub fn new(me: Uuid, head: Head, fetched: Fetched) -> Self {
        Self {
            me,
            head,
            calls: Table::new(fetched.calls),
            asks: Table::new(fetched.asks),
            steps: Table::new(fetched.steps),
            grants: Table::new(fetched.grants),
            granted: fetched.granted,
            bodies: fetched.bodies,
            hashes: fetched.hashes,
            owners: fetched.owners,
            last_pin: fetched.last_pin,
            events: Vec::new(),
            labels: BTreeMap::new(),
            extras: Vec::new(),
            won: Vec::new(),
            missing: Lookups::default(),
        }
    }

    /// Begins a batch.
    pub fn begin(&mut self) -> Mark {
        self.calls.begin();
        self.asks.begin();
        self.steps.begin();
        self.grants.begin();
        Mark {
            head: self.head,
            events: self.events.len(),
            extras: self.extras.len(),
            won: self.won.len(),
        }
    }

    /// Undoes the batch that began here.
    pub fn undo(&mut self, mark: &Mark) {
        self.calls.undo();
        self.asks.undo();
        self.steps.undo();
        self.grants.undo();
        self.head = mark.head;
        self.events.truncate(mark.events);
        self.extras.truncate(mark.extras);
        self.won.truncate(mark.won);
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.extras.is_empty()
    }

    fn push(&mut self, event: NewEvent) {
        if let (EventKind::Called, Some(call)) = (event.kind, event.call) {
            let labels: CallLabels = serde_json::from_str(&event.body).unwrap_or_default();
            self.labels.insert(call, labels);
        }
        self.head = Head {
            seq: event.seq,
            hash: event.hash,
        };
        self.events.push(event);
    }

    fn own(&mut self, owner: Uuid, call: CallId) {
        if owner == self.me {
            self.won.push(call);
        }
    }

    fn change_ask(
        &mut self,
        id: AskId,
        change: impl FnOnce(&mut AskRow),
    ) -> Result<(), JournalError> {
        let mut row = Store::ask(self, id)?.ok_or_else(no_row)?;
        change(&mut row);
        self.asks.put(id, row);
        Ok(())
    }
}

fn no_row() -> JournalError {
    JournalError::write("its row does not exist")
}

/// Ends the attempt: what is missing will be fetched, and all is applied again.
fn not_fetched() -> JournalError {
    JournalError::write("a row was not fetched")
}

fn id_taken() -> JournalError {
    JournalError::write("its id is taken")
}

/// Refuses a text that PostgreSQL cannot keep.
fn check_text(what: &str, text: &str) -> Result<(), JournalError> {
    if text.contains('\0') {
        return Err(JournalError::write(format!(
            "{what} holds a zero byte, which PostgreSQL cannot store"
        )));
    }
    Ok(())
}

impl Store for Transaction {
    fn append(&mut self, entry: Entry<'_>) -> Result<u64, JournalError> {
        let Head { seq, hash } = self.head.then(&entry);
        self.push(NewEvent {
            seq,
            at: entry.at,
            kind: entry.kind,
            call: entry.call,
            ask: entry.ask,
            body: entry.body.to_owned(),
            hash,
        });
        Ok(seq)
    }

    fn append_stored(&mut self, event: &StoredEvent) -> Result<(), JournalError> {
        self.push(NewEvent {
            seq: event.seq,
            at: event.at,
            kind: EventKind::of_word(&event.kind),
            call: event.call,
            ask: event.ask,
            body: event.body.clone(),
            hash: event.hash,
        });
        Ok(())
    }

    fn hashes_of_bodies(&mut self, seqs: &[u64]) -> Result<Vec<Head>, JournalError> {
        let mut there = Vec::with_capacity(seqs.len());
        for seq in seqs {
            match self.hashes.get(seq) {
                Some(hash) => there.extend(hash.map(|hash| Head { seq: *seq, hash })),
                None => {
                    self.missing.hashes.insert(*seq);
                }
            }
        }
        if !self.missing.hashes.is_empty() {
            return Err(not_fetched());
        }
        there.sort_by_key(|event| event.seq);
        Ok(there)
    }

    fn drop_bodies(&mut self, seqs: &[u64], by: u64) -> Result<(), JournalError> {
        for seq in seqs {
            self.hashes.insert(*seq, None);
        }
        self.extras.push(Extra::DropBodies(seqs.to_vec(), by));
        Ok(())
    }

    fn body(&mut self, seq: u64, kind: EventKind) -> Result<Option<String>, JournalError> {
        if let Some(event) = self.events.iter().find(|event| event.seq == seq) {
            return Ok((event.kind == kind).then(|| event.body.clone()));
        }
        match self.bodies.get(&seq) {
            Some(Some((word, body))) if word == kind.as_str() => Ok(Some(body.clone())),
            Some(_) => Ok(None),
            None => {
                self.missing.bodies.insert(seq);
                Err(not_fetched())
            }
        }
    }

    fn last_pin_event(&mut self) -> Result<u64, JournalError> {
        let new = self.events.iter().rev().find(|event| event.kind.is_pin());
        if let Some(event) = new {
            return Ok(event.seq);
        }
        self.last_pin.ok_or_else(|| {
            self.missing.last_pin = true;
            not_fetched()
        })
    }

    fn call(&mut self, id: CallId) -> Result<Option<CallRow>, JournalError> {
        self.calls.get(&id).ok_or_else(|| {
            self.missing.calls.insert(id);
            not_fetched()
        })
    }

    fn insert_call(&mut self, row: CallRow) -> Result<(), JournalError> {
        if Store::call(self, row.id)?.is_some() {
            return Err(id_taken());
        }
        self.own(row.owner, row.id);
        self.calls.put(row.id, row);
        Ok(())
    }

    fn set_owner(&mut self, id: CallId, owner: Uuid, epoch: u64) -> Result<(), JournalError> {
        let mut row = Store::call(self, id)?.ok_or_else(no_row)?;
        (row.owner, row.epoch) = (owner, epoch);
        self.calls.put(id, row);
        self.own(owner, id);
        Ok(())
    }

    fn set_finished(&mut self, id: CallId, seq: u64) -> Result<(), JournalError> {
        let mut row = Store::call(self, id)?.ok_or_else(no_row)?;
        row.finished = Some(seq);
        self.calls.put(id, row);
        Ok(())
    }

    fn remove_call(&mut self, id: CallId) -> Result<(), JournalError> {
        self.calls.remove(id);
        Ok(())
    }

    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>, JournalError> {
        self.asks.get(&id).ok_or_else(|| {
            self.missing.asks.insert(id);
            not_fetched()
        })
    }

    fn insert_ask(&mut self, row: AskRow) -> Result<(), JournalError> {
        check_text("the principal", &row.principal)?;
        if let Some(call) = row.call
            && Store::call(self, call)?.is_none()
        {
            return Err(JournalError::write("its call does not exist"));
        }
        if Store::ask(self, row.id)?.is_some() {
            return Err(id_taken());
        }
        self.asks.put(row.id, row);
        Ok(())
    }

    fn set_refused(&mut self, id: AskId, refusals: u32, seq: u64) -> Result<(), JournalError> {
        self.change_ask(id, |row| {
            (row.refusals, row.refused) = (refusals, Some(seq));
        })
    }

    fn set_deadline(&mut self, id: AskId, at: Option<i64>) -> Result<(), JournalError> {
        self.change_ask(id, |row| row.deadline_at = at)
    }

    fn set_decided(&mut self, id: AskId, seq: u64) -> Result<(), JournalError> {
        self.change_ask(id, |row| row.decided = Some(seq))
    }

    fn set_gone(&mut self, id: AskId, gone: bool) -> Result<(), JournalError> {
        // A note about an ask that does not exist changes nothing.
        match Store::ask(self, id)? {
            Some(_) => self.change_ask(id, |row| row.gone = gone),
            None => Ok(()),
        }
    }

    fn remove_ask(&mut self, id: AskId) -> Result<(), JournalError> {
        self.asks.remove(id);
        self.extras.push(Extra::DropGrants(id));
        self.extras.push(Extra::DropParcel(id));
        Ok(())
    }

    fn insert_parcel(&mut self, ask: AskId, sealed: &[u8]) -> Result<(), JournalError> {
        let parcel = Extra::InsertParcel(ask, sealed.to_owned());
        self.extras.push(parcel);
        Ok(())
    }

    fn drop_parcel(&mut self, ask: AskId) -> Result<(), JournalError> {
        self.extras.push(Extra::DropParcel(ask));
        Ok(())
    }

    fn step(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
    ) -> Result<Option<StepRow>, JournalError> {
        let key = (call, name.to_owned(), occurrence);
        self.steps.get(&key).ok_or_else(|| {
            self.missing.steps.insert(key);
            not_fetched()
        })
    }

    fn insert_step(&mut self, row: StepRow) -> Result<(), JournalError> {
        check_text("the step's name", &row.name)?;
        if Store::step(self, row.call, &row.name, row.occurrence)?.is_some() {
            return Err(id_taken());
        }
        let key = (row.call, row.name.clone(), row.occurrence);
        self.steps.put(key, row);
        Ok(())
    }

    fn set_step_finished(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
        seq: u64,
    ) -> Result<(), JournalError> {
        let mut row = Store::step(self, call, name, occurrence)?.ok_or_else(no_row)?;
        row.finished = Some(seq);
        self.steps.put((call, name.to_owned(), occurrence), row);
        Ok(())
    }

    fn remove_step(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
    ) -> Result<(), JournalError> {
        self.steps.remove((call, name.to_owned(), occurrence));
        Ok(())
    }

    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>, JournalError> {
        self.grants.get(&id).ok_or_else(|| {
            self.missing.grants.insert(id);
            not_fetched()
        })
    }

    fn has_granted(&mut self, ask: AskId) -> Result<bool, JournalError> {
        if self.grants.rows().any(|grant| grant.ask == ask) {
            return Ok(true);
        }
        self.granted.get(&ask).copied().ok_or_else(|| {
            self.missing.granted.insert(ask);
            not_fetched()
        })
    }

    fn insert_grant(&mut self, grant: &GrantRecord) -> Result<(), JournalError> {
        check_text("the principal", &grant.principal)?;
        check_text("the purpose", &grant.purpose)?;
        if Store::grant(self, grant.id)?.is_some() {
            return Err(id_taken());
        }
        self.grants.put(grant.id, grant.clone());
        Ok(())
    }

    fn set_redeemed(&mut self, id: GrantId, at: Timestamp) -> Result<(), JournalError> {
        let mut grant = Store::grant(self, id)?.ok_or_else(no_row)?;
        grant.redeemed_at = Some(at);
        self.grants.put(id, grant);
        Ok(())
    }

    fn set_lease(&mut self, owner: Uuid, until: i64) -> Result<(), JournalError> {
        self.extras.push(Extra::Renew(owner, until));
        Ok(())
    }

    /// By the database's clock, whatever the time of the write is.
    fn is_alive(&mut self, owner: Uuid, _at: i64) -> Result<bool, JournalError> {
        if owner == self.me {
            return Ok(true);
        }
        self.owners.get(&owner).copied().ok_or_else(|| {
            self.missing.owners.insert(owner);
            not_fetched()
        })
    }
}

/// A text for looking things up, without what PostgreSQL cannot store.
pub(super) fn label(text: &str) -> Cow<'_, str> {
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}
