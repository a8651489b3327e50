//! A journal whose process dies at one of its commits.

use futures::{
    FutureExt,
    future::{BoxFuture, pending},
};
use holdpoint::{
    AskId, CallId, GrantId,
    journal::{
        AskHistory, AskQuery, AskRecord, CallBinding, CallHistory, CallQuery, CallRecord,
        Condition, Event, EventKind, Found, FoundRuns, GrantRecord, Journal, JournalEngine,
        JournalError, PruneBatch, Records, RunSearch, Search, Stats, StoredEvent, Upkeep, Vault,
        Verified, Watcher, Write, Written,
    },
};
use jiff::tz::TimeZone;
use serde_json::Value;
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use tokio::sync::watch;
use uuid::Uuid;

/// When a process dies.
#[derive(Debug, Clone, Copy)]
pub struct Death {
    /// At which of its commits.
    pub commit: u64,
    /// Whether the commit is made: nobody hears of it either way.
    pub is_made: bool,
}

/// A journal as one process has it open.
#[derive(Debug)]
pub struct DyingJournal {
    journal: Arc<dyn JournalEngine>,
    commits: AtomicU64,
    death: Option<Death>,
    dead: watch::Sender<bool>,
}

impl DyingJournal {
    pub fn new(journal: Arc<dyn JournalEngine>, death: Option<Death>) -> Arc<Self> {
        Arc::new(Self {
            journal,
            commits: AtomicU64::new(0),
            death,
            dead: watch::Sender::new(false),
        })
    }

    /// Waits until the process has died.
    pub async fn died(&self) {
        let mut dead = self.dead.subscribe();
        if dead.wait_for(|dead| *dead).await.is_err() {
            pending::<()>().await;
        }
    }

    /// How many commits there were.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::SeqCst)
    }
}

impl Journal for DyingJournal {
    fn commit(&self, batch: Vec<Write>) -> BoxFuture<'static, Result<Vec<Written>, JournalError>> {
        let number = self.commits.fetch_add(1, Ordering::SeqCst);
        match self.death {
            Some(death) if number == death.commit && death.is_made => {
                let made = self.journal.commit(batch);
                let dead = self.dead.clone();
                tokio::spawn(async move {
                    made.await.unwrap();
                    dead.send_replace(true);
                });
                pending().boxed()
            }
            Some(death) if number >= death.commit => {
                if !death.is_made {
                    self.dead.send_replace(true);
                }
                pending().boxed()
            }
            _ => self.journal.commit(batch),
        }
    }

    fn ask(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskRecord>, JournalError>> {
        self.journal.ask(id)
    }

    fn asks(&self, query: AskQuery) -> BoxFuture<'_, Result<Vec<AskRecord>, JournalError>> {
        self.journal.asks(query)
    }

    fn open_asks(&self) -> BoxFuture<'_, Result<u64, JournalError>> {
        self.journal.open_asks()
    }

    fn call(&self, id: CallId) -> BoxFuture<'_, Result<Option<CallHistory>, JournalError>> {
        self.journal.call(id)
    }

    fn unfinished_calls(
        &self,
        binding: CallBinding,
    ) -> BoxFuture<'_, Result<Vec<CallId>, JournalError>> {
        self.journal.unfinished_calls(binding)
    }

    fn latest_step(
        &self,
        name: &str,
        server: Option<&str>,
    ) -> BoxFuture<'_, Result<Option<(CallId, Value)>, JournalError>> {
        self.journal.latest_step(name, server)
    }

    fn latest_steps(
        &self,
        prefix: &str,
        server: Option<&str>,
    ) -> BoxFuture<'_, Result<Vec<(String, Value)>, JournalError>> {
        self.journal.latest_steps(prefix, server)
    }

    fn grant(&self, id: GrantId) -> BoxFuture<'_, Result<Option<GrantRecord>, JournalError>> {
        self.journal.grant(id)
    }

    fn unused_grants(
        &self,
        purpose: &str,
    ) -> BoxFuture<'_, Result<Vec<GrantRecord>, JournalError>> {
        self.journal.unused_grants(purpose)
    }

    fn events(&self, after: u64, limit: usize) -> BoxFuture<'_, Result<Vec<Event>, JournalError>> {
        self.journal.events(after, limit)
    }

    fn guard_events(
        &self,
        kinds: &'static [EventKind],
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Event>, JournalError>> {
        self.journal.guard_events(kinds, limit)
    }

    fn is_alive(&self, owner: Uuid) -> BoxFuture<'_, Result<bool, JournalError>> {
        self.journal.is_alive(owner)
    }

    fn head(&self) -> BoxFuture<'_, Result<u64, JournalError>> {
        self.journal.head()
    }

    fn commits(&self) -> watch::Receiver<u64> {
        self.journal.commits()
    }

    fn foreign_commits(&self) -> watch::Receiver<u64> {
        self.journal.foreign_commits()
    }

    fn owner(&self) -> Uuid {
        self.journal.owner()
    }

    fn watch(&self) -> BoxFuture<'_, Result<Watcher, JournalError>> {
        self.journal.watch()
    }

    fn is_watched(&self) -> BoxFuture<'_, Result<bool, JournalError>> {
        self.journal.is_watched()
    }
}

impl Records for DyingJournal {
    fn search(&self, search: Search) -> BoxFuture<'_, Result<Found, JournalError>> {
        self.journal.search(search)
    }

    fn stats(&self, search: Search, zone: TimeZone) -> BoxFuture<'_, Result<Stats, JournalError>> {
        self.journal.stats(search, zone)
    }

    fn history(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskHistory>, JournalError>> {
        self.journal.history(id)
    }

    fn runs(&self, search: RunSearch) -> BoxFuture<'_, Result<FoundRuns, JournalError>> {
        self.journal.runs(search)
    }

    fn calls(&self, query: CallQuery) -> BoxFuture<'_, Result<Vec<CallRecord>, JournalError>> {
        self.journal.calls(query)
    }

    fn verify(&self) -> BoxFuture<'_, Result<Verified, JournalError>> {
        self.journal.verify()
    }
}

impl Vault for DyingJournal {
    fn key(&self, name: &str) -> BoxFuture<'_, Result<[u8; 32], JournalError>> {
        self.journal.key(name)
    }

    fn load(&self, name: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>> {
        self.journal.load(name)
    }

    fn store(&self, name: &str, value: Option<Vec<u8>>) -> BoxFuture<'_, Result<(), JournalError>> {
        self.journal.store(name, value)
    }

    fn create(&self, name: &str, value: Vec<u8>) -> BoxFuture<'_, Result<bool, JournalError>> {
        self.journal.create(name, value)
    }

    fn names(&self, below: &str) -> BoxFuture<'_, Result<Vec<String>, JournalError>> {
        self.journal.names(below)
    }

    fn file(&self, name: &str) -> BoxFuture<'_, Result<Option<PathBuf>, JournalError>> {
        self.journal.file(name)
    }

    fn parcel(&self, ask: AskId) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>> {
        self.journal.parcel(ask)
    }
}

impl Upkeep for DyingJournal {
    fn stored_events(
        &self,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredEvent>, JournalError>> {
        self.journal.stored_events(after, limit)
    }

    fn import(&self, events: Vec<StoredEvent>) -> BoxFuture<'_, Result<(), JournalError>> {
        self.journal.import(events)
    }

    fn key_names(&self) -> BoxFuture<'_, Result<Vec<String>, JournalError>> {
        self.journal.key_names()
    }

    fn put_key(&self, name: &str, key: [u8; 32]) -> BoxFuture<'_, Result<(), JournalError>> {
        self.journal.put_key(name, key)
    }

    fn value_names(&self) -> BoxFuture<'_, Result<Vec<String>, JournalError>> {
        self.journal.value_names()
    }

    fn prune_batch(&self, batch: PruneBatch) -> BoxFuture<'_, Result<u64, JournalError>> {
        self.journal.prune_batch(batch)
    }

    fn last_pruned(&self) -> BoxFuture<'_, Result<Option<Event>, JournalError>> {
        self.journal.last_pruned()
    }

    fn free_space(&self) -> BoxFuture<'_, Result<bool, JournalError>> {
        self.journal.free_space()
    }

    fn condition(&self) -> BoxFuture<'_, Result<Condition, JournalError>> {
        self.journal.condition()
    }

    fn is_open_elsewhere(&self) -> BoxFuture<'_, Result<bool, JournalError>> {
        self.journal.is_open_elsewhere()
    }
}
