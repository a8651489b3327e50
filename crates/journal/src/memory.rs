//! A journal that forgets: for tests, and for servers that need no record.

use crate::{
    AskHistory, AskQuery, AskRecord, CallHistory, CallQuery, CallRecord, Event, EventKind, Found,
    GrantRecord, Journal, JournalError, Search, Stats, Verified, Write, Written,
    rules::prepared_write::PreparedWrite,
};
use futures::future::{BoxFuture, FutureExt, ready};
use holdpoint_ask::{AskId, CallId, GrantId};
use jiff::tz::TimeZone;
use state::State;
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard},
};
use tokio::sync::watch;
use uuid::Uuid;

mod read;
mod search;
mod state;

/// A journal in memory, with the rules and the chain of a durable one. It is gone with the process.
#[derive(Debug, Clone)]
pub struct MemoryJournal {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    owner: Uuid,
    state: Mutex<State>,
    keys: Mutex<HashMap<String, [u8; 32]>>,
    /// Never changes: no other process has this journal.
    foreign: watch::Sender<u64>,
    kept: Mutex<HashMap<String, Vec<u8>>>,
    commits: watch::Sender<u64>,
}

impl MemoryJournal {
    /// An empty journal.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let owner = Uuid::now_v7();
        Self {
            shared: Arc::new(Shared {
                owner,
                state: Mutex::new(State::new(owner)),
                keys: Mutex::default(),
                foreign: watch::Sender::new(0),
                kept: Mutex::default(),
                commits: watch::Sender::new(0),
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.shared.state)
    }
}

impl Journal for MemoryJournal {
    fn commit(&self, batch: Vec<Write>) -> BoxFuture<'static, Result<Vec<Written>, JournalError>> {
        let written = PreparedWrite::batch(batch).and_then(|batch| self.state().commit(&batch));
        self.shared.commits.send_modify(|count| *count += 1);
        ready(written).boxed()
    }

    fn ask(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskRecord>, JournalError>> {
        ready(self.state().read_ask(id)).boxed()
    }

    fn asks(&self, query: AskQuery) -> BoxFuture<'_, Result<Vec<AskRecord>, JournalError>> {
        ready(self.state().read_asks(&query)).boxed()
    }

    fn search(&self, search: Search) -> BoxFuture<'_, Result<Found, JournalError>> {
        ready(self.state().search(&search)).boxed()
    }

    fn stats(&self, search: Search, zone: TimeZone) -> BoxFuture<'_, Result<Stats, JournalError>> {
        ready(self.state().stats(&search, zone)).boxed()
    }

    fn history(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskHistory>, JournalError>> {
        ready(self.state().history(id)).boxed()
    }

    fn call(&self, id: CallId) -> BoxFuture<'_, Result<Option<CallHistory>, JournalError>> {
        ready(self.state().read_call(id)).boxed()
    }

    fn calls(&self, query: CallQuery) -> BoxFuture<'_, Result<Vec<CallRecord>, JournalError>> {
        ready(self.state().read_calls(&query)).boxed()
    }

    fn grant(&self, id: GrantId) -> BoxFuture<'_, Result<Option<GrantRecord>, JournalError>> {
        ready(Ok(self.state().read_grant(id))).boxed()
    }

    fn events(&self, after: u64, limit: usize) -> BoxFuture<'_, Result<Vec<Event>, JournalError>> {
        ready(self.state().read_events(after, limit)).boxed()
    }

    fn latest_step(
        &self,
        name: &str,
    ) -> BoxFuture<'_, Result<Option<(CallId, serde_json::Value)>, JournalError>> {
        ready(self.state().latest_step(name)).boxed()
    }

    fn head(&self) -> BoxFuture<'_, Result<u64, JournalError>> {
        ready(Ok(self.state().events.len() as u64)).boxed()
    }

    fn guard_events(
        &self,
        kinds: &'static [EventKind],
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Event>, JournalError>> {
        ready(self.state().read_guard_events(kinds, limit)).boxed()
    }

    fn parcel(&self, ask: AskId) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>> {
        ready(Ok(self.state().parcels.get(&ask).cloned())).boxed()
    }

    fn verify(&self) -> BoxFuture<'_, Result<Verified, JournalError>> {
        ready(self.state().verify()).boxed()
    }

    fn foreign_commits(&self) -> watch::Receiver<u64> {
        self.shared.foreign.subscribe()
    }

    fn commits(&self) -> watch::Receiver<u64> {
        self.shared.commits.subscribe()
    }

    fn open_asks(&self) -> BoxFuture<'_, Result<u64, JournalError>> {
        ready(Ok(self.state().count_open())).boxed()
    }

    fn owner(&self) -> Uuid {
        self.shared.owner
    }

    fn key(&self, name: &str) -> BoxFuture<'_, Result<[u8; 32], JournalError>> {
        let key = crate::key_file::check_name(name).map(|()| {
            let mut keys = lock(&self.shared.keys);
            *keys.entry(name.into()).or_insert_with(rand::random)
        });
        ready(key).boxed()
    }

    fn kept(&self, name: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>> {
        let kept =
            crate::key_file::check_name(name).map(|()| lock(&self.shared.kept).get(name).cloned());
        ready(kept).boxed()
    }

    fn keep(&self, name: &str, what: Option<Vec<u8>>) -> BoxFuture<'_, Result<(), JournalError>> {
        let done = crate::key_file::check_name(name).map(|()| {
            let mut kept = lock(&self.shared.kept);
            match what {
                Some(what) => kept.insert(name.into(), what),
                None => kept.remove(name),
            };
        });
        ready(done).boxed()
    }

    fn folder(&self, _name: &str) -> BoxFuture<'_, Result<Option<PathBuf>, JournalError>> {
        ready(Ok(None)).boxed()
    }
}

/// A panic in another task leaves a whole state behind: batches are undone before they unwind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}
