//! The journal in a SQLite file: one writer thread per process that commits whatever has queued in
//! one transaction, and readers on connections of their own.
//!
//! Beside the file `PATH` lie `PATH-wal` and `PATH-shm` (SQLite's own), `PATH-keys/` (the keys),
//! `PATH-kept/` (what else is kept beside the record), `PATH-owners/` (a locked file for each process
//! that has the journal open), whatever folders [`Journal::folder`] was asked for and, once somebody
//! has searched, `PATH-index` (what searches use; it can be removed at any time).

use crate::{
    AskHistory, AskQuery, AskRecord, CallHistory, CallQuery, CallRecord, Event, EventKind, Found,
    GrantRecord, Journal, JournalError, Search, Stats, Verified, Write, Written,
};
use futures::future::BoxFuture;
use holdpoint_ask::{AskId, CallId, GrantId};
use holdpoint_workspace::ProcessLock;
use jiff::tz::TimeZone;
use readers::Readers;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use tokio::sync::watch;
use uuid::Uuid;
use writer::Writer;

mod commit_waiters;
mod file;
mod history;
mod query;
mod readers;
mod row_cache;
mod schema;
mod search_index;
mod select_rows;
mod transaction;
mod verify_file;
mod writer;

/// For how long a process that owns calls counts as alive without a further lock.
const LEASE: Duration = Duration::from_secs(30);

/// A journal in a SQLite file, shared by all processes that open it.
#[derive(Debug)]
pub struct SqliteJournal {
    path: PathBuf,
    owner: Uuid,
    // Dropped in this order: the writer commits what has queued before the process's lock of life
    // goes down.
    writer: Writer,
    readers: Readers,
    _lock: ProcessLock,
}

impl SqliteJournal {
    /// Opens the journal in this file, made where there is none.
    ///
    /// # Errors
    /// When the file cannot be opened for writing, belongs to another application, or was written
    /// by a newer Holdpoint; it is then left as it was.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        Self::open_with_lease(path.as_ref(), LEASE)
    }

    fn open_with_lease(path: &Path, lease: Duration) -> Result<Self, JournalError> {
        let (conn, path) = file::open(path)?;
        let owner = Uuid::now_v7();
        let folder = file::beside(&path, "owners");
        let lock = ProcessLock::take(&folder, &owner.to_string())
            .map_err(|error| file::fault(&path, &error))?;
        Ok(Self {
            owner,
            readers: Readers::start(&path)?,
            writer: Writer::start(conn, owner, folder, lease)?,
            path,
            _lock: lock,
        })
    }
}

impl Journal for SqliteJournal {
    fn commit(&self, batch: Vec<Write>) -> BoxFuture<'static, Result<Vec<Written>, JournalError>> {
        self.writer.commit(batch)
    }

    fn ask(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskRecord>, JournalError>> {
        self.readers.read(move |conn| query::ask(conn, id))
    }

    fn asks(&self, query: AskQuery) -> BoxFuture<'_, Result<Vec<AskRecord>, JournalError>> {
        self.readers.read(move |conn| query::asks(conn, &query))
    }

    fn search(&self, search: Search) -> BoxFuture<'_, Result<Found, JournalError>> {
        let path = self.path.clone();
        self.readers.read_apart(&self.path, move |conn| {
            search_index::search(conn, &path, &search)
        })
    }

    fn stats(&self, search: Search, zone: TimeZone) -> BoxFuture<'_, Result<Stats, JournalError>> {
        let path = self.path.clone();
        self.readers.read_apart(&self.path, move |conn| {
            search_index::stats(conn, &path, &search, &zone)
        })
    }

    fn history(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskHistory>, JournalError>> {
        self.readers
            .read_apart(&self.path, move |conn| history::history(conn, id))
    }

    fn call(&self, id: CallId) -> BoxFuture<'_, Result<Option<CallHistory>, JournalError>> {
        self.readers.read(move |conn| query::call(conn, id))
    }

    fn calls(&self, query: CallQuery) -> BoxFuture<'_, Result<Vec<CallRecord>, JournalError>> {
        self.readers
            .read_apart(&self.path, move |conn| query::calls(conn, &query))
    }

    fn grant(&self, id: GrantId) -> BoxFuture<'_, Result<Option<GrantRecord>, JournalError>> {
        self.readers.read(move |conn| query::grant(conn, id))
    }

    fn events(&self, after: u64, limit: usize) -> BoxFuture<'_, Result<Vec<Event>, JournalError>> {
        self.readers
            .read(move |conn| query::events(conn, after, limit))
    }

    fn latest_step(
        &self,
        name: &str,
    ) -> BoxFuture<'_, Result<Option<(CallId, serde_json::Value)>, JournalError>> {
        let name = name.to_owned();
        self.readers
            .read(move |conn| query::latest_step(conn, &name))
    }

    fn head(&self) -> BoxFuture<'_, Result<u64, JournalError>> {
        self.readers.read(query::head)
    }

    fn guard_events(
        &self,
        kinds: &'static [EventKind],
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Event>, JournalError>> {
        self.readers
            .read(move |conn| query::guard_events(conn, kinds, limit))
    }

    fn parcel(&self, ask: AskId) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>> {
        self.readers.read(move |conn| query::parcel(conn, ask))
    }

    fn verify(&self) -> BoxFuture<'_, Result<Verified, JournalError>> {
        self.readers.read_apart(&self.path, verify_file::verify)
    }

    fn foreign_commits(&self) -> watch::Receiver<u64> {
        self.writer.foreign_commits()
    }

    fn commits(&self) -> watch::Receiver<u64> {
        self.writer.commits()
    }

    fn open_asks(&self) -> BoxFuture<'_, Result<u64, JournalError>> {
        self.readers.read(query::open_asks)
    }

    fn owner(&self) -> Uuid {
        self.owner
    }

    fn key(&self, name: &str) -> BoxFuture<'_, Result<[u8; 32], JournalError>> {
        let (folder, name) = (file::beside(&self.path, "keys"), name.to_owned());
        self.readers
            .read(move |_| crate::key_file::read_or_make(&folder, &name))
    }

    fn kept(&self, name: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>> {
        let (folder, name) = (file::beside(&self.path, "kept"), name.to_owned());
        self.readers
            .read(move |_| crate::sidecar_files::read(&folder, &name))
    }

    fn keep(&self, name: &str, what: Option<Vec<u8>>) -> BoxFuture<'_, Result<(), JournalError>> {
        let (folder, name) = (file::beside(&self.path, "kept"), name.to_owned());
        self.readers
            .read(move |_| crate::sidecar_files::write(&folder, &name, what.as_deref()))
    }

    fn folder(&self, name: &str) -> BoxFuture<'_, Result<Option<PathBuf>, JournalError>> {
        let (path, name) = (self.path.clone(), name.to_owned());
        self.readers.read(move |_| {
            crate::key_file::check_name(&name)?;
            crate::sidecar_files::folder(file::beside(&path, &name)).map(Some)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NewCall;
    use holdpoint_ask::Origin;
    use jiff::Timestamp;
    use serde_json::Value;
    use std::{sync::Arc, time::Instant};

    const SHORT: Duration = Duration::from_millis(90);

    #[tokio::test]
    async fn a_lease_is_renewed_while_a_call_is_unfinished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = SqliteJournal::open_with_lease(&path, SHORT).unwrap();
        let raw = rusqlite::Connection::open(&path).unwrap();
        let lease = || -> Option<i64> {
            raw.query_row("SELECT max(lease_until) FROM owners", [], |row| row.get(0))
                .unwrap()
        };
        assert_eq!(lease(), None, "an idle process writes nothing");

        let call = Arc::new(NewCall {
            id: CallId::new(),
            origin: Origin::default(),
            method: "tools/call".into(),
            arguments: Value::Null,
            flow_version: String::new(),
            owner: journal.owner(),
            opened_at: Timestamp::now(),
        });
        journal
            .commit(vec![Write::OpenCall(call.clone())])
            .await
            .unwrap();
        let first = lease().unwrap();
        let started = Instant::now();
        while lease().unwrap() < first + 2 * SHORT.as_millis() as i64 {
            assert!(started.elapsed() < Duration::from_secs(20), "not renewed");
            tokio::task::yield_now().await;
        }
        let end = Write::FinishCall {
            call: call.id,
            epoch: 1,
            result: Arc::new(Value::Null),
            at: Timestamp::now(),
        };
        journal.commit(vec![end]).await.unwrap();
        let last = lease();
        tokio::time::sleep(3 * SHORT).await;
        assert_eq!(lease(), last, "an idle process writes nothing");
    }
}
