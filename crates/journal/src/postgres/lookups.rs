//! What the rules will look up, told from what they are given, and what was fetched of it.

use crate::{
    EventKind, GrantRecord, PruneBatch, StoredEvent, Write,
    rules::{AskRow, CallRow, PreparedWrite, StepRow, event_body::Redeemed},
};
use holdpoint_ask::{AskId, CallId, Digest, GrantId};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// A step's call, name and occurrence.
pub(super) type StepKey = (CallId, String, u32);

/// What may be looked up in the database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lookups {
    pub calls: BTreeSet<CallId>,
    pub asks: BTreeSet<AskId>,
    pub steps: BTreeSet<StepKey>,
    pub grants: BTreeSet<GrantId>,
    /// Whether these asks have given a grant.
    pub granted: BTreeSet<AskId>,
    /// The kinds and bodies of these events.
    pub bodies: BTreeSet<u64>,
    /// The hashes of these events, where they have a body.
    pub hashes: BTreeSet<u64>,
    /// Whether these processes are alive.
    pub owners: BTreeSet<Uuid>,
    /// The last event about the PIN.
    pub last_pin: bool,
}

impl Lookups {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What was fetched, under the lock of the head.
#[derive(Debug, Clone, Default)]
pub(super) struct Fetched {
    pub calls: BTreeMap<CallId, Option<CallRow>>,
    pub asks: BTreeMap<AskId, Option<AskRow>>,
    pub steps: BTreeMap<StepKey, Option<StepRow>>,
    pub grants: BTreeMap<GrantId, Option<GrantRecord>>,
    pub granted: BTreeMap<AskId, bool>,
    pub bodies: BTreeMap<u64, Option<(String, String)>>,
    pub hashes: BTreeMap<u64, Option<Digest>>,
    pub owners: BTreeMap<Uuid, bool>,
    pub last_pin: Option<u64>,
}

impl Lookups {
    /// What replaying these events will need.
    pub fn of_events(events: &[StoredEvent]) -> Self {
        #[derive(Deserialize)]
        struct Named {
            name: String,
            occurrence: u32,
        }
        let mut lookups = Self::default();
        for event in events {
            lookups.calls.extend(event.call);
            lookups.asks.extend(event.ask);
            match (EventKind::of_word(&event.kind), event.call) {
                (EventKind::StepStarted | EventKind::StepFinished, Some(call)) => {
                    if let Ok(Named { name, occurrence }) = serde_json::from_str(&event.body) {
                        lookups.steps.insert((call, name, occurrence));
                    }
                }
                (EventKind::Granted | EventKind::Redeemed, _) => {
                    if let Ok(Redeemed { grant }) = serde_json::from_str(&event.body) {
                        lookups.grants.insert(grant);
                    }
                }
                _ => {}
            }
        }
        lookups
    }

    /// What pruning this will need.
    pub fn of_prune(batch: &PruneBatch) -> Self {
        let mut lookups = Self::default();
        for over in &batch.over {
            lookups.asks.extend(&over.asks);
            lookups.calls.extend(over.call.as_ref().map(|call| call.id));
            lookups.hashes.extend(&over.events);
        }
        lookups
    }

    /// What applying these writes will most likely need.
    pub fn of<'a>(writes: impl IntoIterator<Item = &'a PreparedWrite>) -> Self {
        let mut lookups = Self::default();
        for write in writes {
            lookups.add(write.write());
        }
        lookups
    }

    fn add(&mut self, write: &Write) {
        match write {
            Write::OpenCall(call) => {
                self.calls.insert(call.id);
            }
            Write::OpenAsk(new) => {
                self.calls.extend(new.call);
                self.asks.insert(new.id);
            }
            Write::Refuse { ask, .. } | Write::Extend { ask, .. } => {
                self.asks.insert(*ask);
            }
            Write::SettleOwn { call, decision, .. } => {
                self.calls.insert(*call);
                self.asks.insert(decision.ask);
            }
            Write::Settle(decision)
            | Write::TimeOut(decision)
            | Write::SettleSealed { decision, .. } => {
                self.asks.insert(decision.ask);
            }
            Write::StartStep {
                call,
                name,
                occurrence,
                ..
            }
            | Write::FinishStep {
                call,
                name,
                occurrence,
                ..
            } => {
                self.calls.insert(*call);
                self.steps.insert((*call, name.clone(), *occurrence));
            }
            Write::FinishCall { call, .. } | Write::TakeOver { call, .. } => {
                self.calls.insert(*call);
            }
            // Its grant is of the same ask.
            Write::IssueGrant(grant) | Write::SettleGranting { grant, .. } => {
                self.grants.insert(grant.id);
                self.granted.insert(grant.ask);
                self.asks.insert(grant.ask);
            }
            Write::RedeemGrant { grant, .. } => {
                self.grants.insert(*grant);
            }
            Write::Note { ask, kind, .. } => {
                if matches!(kind, EventKind::AgentGone | EventKind::AgentBack) {
                    self.asks.extend(*ask);
                }
            }
            Write::NotePin { .. } => self.last_pin = true,
            Write::DropParcel { .. } | Write::Renew { .. } => {}
        }
    }
}
