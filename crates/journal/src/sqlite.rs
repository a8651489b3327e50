//! The journal in SQLite: in a file that many processes share, or in memory.
//!
//! A file has one writer thread per process, which commits whatever has queued in one transaction,
//! and readers on connections of their own. Beside the file `PATH` lie `PATH-wal` and `PATH-shm`
//! (SQLite's own), `PATH-mark` (how far it came), `PATH-keys/` (the keys), `PATH-kept/` (private values), `PATH-owners/` (a locked
//! file for each process that has the journal open), `PATH-watchers/` (one for each inbox that watches
//! it), `PATH-page/` (a locked file of the process that hosts the page), `PATH-tokens/` and `PATH-files/` (tokens
//! of programs, files that people gave) and, once somebody has searched, `PATH-index` (what searches use; it can be
//! removed at any time).

use crate::{
    AskHistory, AskQuery, AskRecord, CallBinding, CallHistory, CallQuery, CallRecord, Event,
    EventKind, Found, FoundRuns, GrantRecord, Journal, JournalError, PageSeat, Records, RunSearch,
    Search, Seat, Stats, Verified, Watcher, Write, Written, commit_counters::CommitCounters,
    sidecar_files,
};
use checkpoint::Checkpoints;
use committer::{Committer, Surroundings};
use foreign_watch::ForeignWatch;
use futures::future::{BoxFuture, FutureExt, ready};
use high_water_mark::MarkWriter;
use holdpoint_ask::{AskId, CallId, GrantId};
use holdpoint_workspace::{Access, FileLock, Folder, ProcessLock};
use in_memory::InMemory;
use jiff::tz::TimeZone;
use open_files::OpenFiles;
use read_only::ReadOnly;
use readers::Readers;
use rusqlite::Connection;
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use tokio::sync::watch;
use uuid::Uuid;
use writer::Writer;

mod checkpoint;
mod commit_waiters;
mod committer;
mod file;
mod foreign_watch;
mod high_water_mark;
mod history;
mod in_memory;
mod look_times;
mod open_files;
mod query;
#[cfg(all(test, feature = "testing"))]
mod query_plans;
mod read_only;
mod readers;
mod row_cache;
mod schema;
mod search_index;
mod select_rows;
mod sql_error;
mod transaction;
mod upkeep;
mod vault;
mod verify_file;
mod writer;

/// For how long a process that owns calls counts as alive without a further sign.
const LEASE: Duration = Duration::from_secs(30);

/// The folder beside the file in which each inbox that watches it has a locked file.
const WATCHERS: &str = "watchers";

/// The folder beside the file that holds the lock of the process that hosts the page.
const PAGE: &str = "page";

/// A journal in SQLite.
#[derive(Debug)]
pub struct SqliteJournal {
    owner: Uuid,
    storage: Storage,
}

#[derive(Debug)]
enum Storage {
    File(InFile),
    Memory(Box<InMemory>),
    ReadOnly(Looked),
}

/// A journal that is only looked at.
#[derive(Debug)]
struct Looked {
    journal: ReadOnly,
    /// Counts nothing: whoever only looks is not told of commits.
    commits: watch::Sender<u64>,
}

/// A journal in a file, shared by all processes that open it.
#[derive(Debug)]
struct InFile {
    path: PathBuf,
    // Dropped in this order: the writer commits what has queued before the process's lock goes.
    writer: Writer,
    readers: Readers,
    _lock: ProcessLock,
}

impl SqliteJournal {
    /// Opens the journal in this file, and makes the file if it is missing.
    ///
    /// # Errors
    /// When the file cannot be opened for writing, belongs to another application, or was written
    /// by a newer Holdpoint; it is then left as it was.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        Self::open_with(path.as_ref(), LEASE, true)
    }

    /// Opens it where the system tells nobody of writes to files.
    ///
    /// # Errors
    /// As [`SqliteJournal::open`].
    #[cfg(feature = "testing")]
    #[doc(hidden)]
    pub fn open_untold(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        Self::open_with(path.as_ref(), LEASE, false)
    }

    /// Opens the journal in this file only to look at it: nothing is made, migrated or changed, so
    /// that also a copy that cannot be written can be read. An index for searches is used beside a
    /// journal that Holdpoint serves, and nowhere else.
    ///
    /// # Errors
    /// When there is no such file, it cannot be read, belongs to another application, or was written
    /// by a newer Holdpoint.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        Ok(Self {
            owner: Uuid::nil(),
            storage: Storage::ReadOnly(Looked {
                journal: ReadOnly::open(path.as_ref())?,
                commits: watch::Sender::default(),
            }),
        })
    }

    /// Makes an empty journal in memory, with the rules and the chain of a durable one: for tests,
    /// and for servers that need no record. It is gone when it is dropped.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn in_memory() -> Result<Self, JournalError> {
        let owner = Uuid::now_v7();
        Ok(Self {
            owner,
            storage: Storage::Memory(Box::new(InMemory::open(owner, LEASE)?)),
        })
    }

    fn open_with(path: &Path, lease: Duration, watched: bool) -> Result<Self, JournalError> {
        let named = path;
        let (mut conn, path, seen) = file::open(named)?;
        let owner = Uuid::now_v7();
        let locks = file::beside(&path, "owners");
        let lock = ProcessLock::take(&locks, &owner.to_string())
            .map_err(|error| file::io_error(&path, error))?;
        let readers = Readers::start(&path)?;
        let counters = CommitCounters::default();
        let watch = if watched {
            ForeignWatch::start(&path, &locks, counters.clone())
        } else {
            ForeignWatch::without_files(counters.clone())
        };
        let surroundings = Surroundings {
            files: OpenFiles::new(&path, named, seen)?,
            mark: MarkWriter::new(&path, &locks, owner),
            checkpoints: Checkpoints::of(&mut conn, &path)?,
            locks,
        };
        let committer = Committer::new(conn, owner, Some(surroundings), counters.clone(), lease)?;
        Ok(Self {
            owner,
            storage: Storage::File(InFile {
                writer: Writer::start(committer, counters, watch?)?,
                readers,
                path,
                _lock: lock,
            }),
        })
    }

    /// Reads on one of the readers' connections.
    fn read<T: Send + 'static>(
        &self,
        read: impl Fn(&Connection) -> Result<T, JournalError> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, JournalError>> {
        match &self.storage {
            Storage::ReadOnly(looked) => looked.journal.read(read),
            Storage::File(file) => file.readers.read(read),
            Storage::Memory(memory) => ready(memory.read(read)).boxed(),
        }
    }

    /// As [`Self::read`], for what an index finds in a moment, and every call wants to know.
    fn read_at_once<T: Send + 'static>(
        &self,
        read: impl Fn(&Connection) -> Result<T, JournalError> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, JournalError>> {
        match &self.storage {
            Storage::File(file) => file.readers.read_at_once(read),
            _ => self.read(read),
        }
    }

    /// Reads something that may take long, so that it delays no other read.
    fn read_long<T: Send + 'static>(
        &self,
        read: impl Fn(&Connection) -> Result<T, JournalError> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, JournalError>> {
        match &self.storage {
            Storage::ReadOnly(looked) => looked.journal.read(read),
            Storage::File(file) => readers::read_apart(&file.path, read),
            Storage::Memory(memory) => ready(memory.read(read)).boxed(),
        }
    }

    /// The file; none in memory.
    fn path(&self) -> Option<PathBuf> {
        match &self.storage {
            Storage::File(file) => Some(file.path.clone()),
            Storage::ReadOnly(looked) => Some(looked.journal.path().to_owned()),
            Storage::Memory(_) => None,
        }
    }

    /// The file, where it has its search index beside it.
    fn indexed_path(&self) -> Option<PathBuf> {
        match &self.storage {
            Storage::ReadOnly(looked) if !looked.journal.has_index() => None,
            _ => self.path(),
        }
    }
}

impl Journal for SqliteJournal {
    fn commit(&self, batch: Vec<Write>) -> BoxFuture<'static, Result<Vec<Written>, JournalError>> {
        match &self.storage {
            Storage::File(file) => file.writer.commit(batch),
            Storage::Memory(memory) => ready(memory.commit(batch)).boxed(),
            Storage::ReadOnly(_) => ready(Err(only_looked_at())).boxed(),
        }
    }

    fn ask(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskRecord>, JournalError>> {
        self.read(move |conn| query::ask(conn, id))
    }

    fn asks(&self, query: AskQuery) -> BoxFuture<'_, Result<Vec<AskRecord>, JournalError>> {
        self.read(move |conn| query::asks(conn, &query))
    }

    fn open_asks(&self) -> BoxFuture<'_, Result<u64, JournalError>> {
        self.read(query::open_asks)
    }

    fn call(&self, id: CallId) -> BoxFuture<'_, Result<Option<CallHistory>, JournalError>> {
        self.read(move |conn| query::call(conn, id))
    }

    fn unfinished_calls(
        &self,
        binding: CallBinding,
    ) -> BoxFuture<'_, Result<Vec<CallId>, JournalError>> {
        let me = self.owner;
        self.read_at_once(move |conn| query::unfinished_calls(conn, binding, me))
    }

    fn latest_step(
        &self,
        name: &str,
        server: Option<&str>,
    ) -> BoxFuture<'_, Result<Option<(CallId, Value)>, JournalError>> {
        let (name, server) = (name.to_owned(), server.map(str::to_owned));
        self.read(move |conn| query::latest_step(conn, &name, server.as_deref()))
    }

    fn latest_steps(
        &self,
        prefix: &str,
        server: Option<&str>,
    ) -> BoxFuture<'_, Result<Vec<(String, Value)>, JournalError>> {
        let (prefix, server) = (prefix.to_owned(), server.map(str::to_owned));
        self.read(move |conn| query::latest_steps(conn, &prefix, server.as_deref()))
    }

    fn grant(&self, id: GrantId) -> BoxFuture<'_, Result<Option<GrantRecord>, JournalError>> {
        self.read(move |conn| query::grant(conn, id))
    }

    fn unused_grants(
        &self,
        purpose: &str,
    ) -> BoxFuture<'_, Result<Vec<GrantRecord>, JournalError>> {
        let purpose = purpose.to_owned();
        self.read(move |conn| query::unused_grants(conn, &purpose))
    }

    fn events(&self, after: u64, limit: usize) -> BoxFuture<'_, Result<Vec<Event>, JournalError>> {
        self.read(move |conn| query::events(conn, after, limit))
    }

    fn guard_events(
        &self,
        kinds: &'static [EventKind],
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Event>, JournalError>> {
        self.read(move |conn| query::guard_events(conn, kinds, limit))
    }

    fn head(&self) -> BoxFuture<'_, Result<u64, JournalError>> {
        self.read(query::head)
    }

    fn commits(&self) -> watch::Receiver<u64> {
        match &self.storage {
            Storage::File(file) => file.writer.commits(),
            Storage::Memory(memory) => memory.counters.all.subscribe(),
            Storage::ReadOnly(looked) => looked.commits.subscribe(),
        }
    }

    fn foreign_commits(&self) -> watch::Receiver<u64> {
        match &self.storage {
            Storage::File(file) => file.writer.foreign_commits(),
            Storage::Memory(memory) => memory.counters.foreign.subscribe(),
            Storage::ReadOnly(looked) => looked.commits.subscribe(),
        }
    }

    fn owner(&self) -> Uuid {
        self.owner
    }

    fn is_alive(&self, owner: Uuid) -> BoxFuture<'_, Result<bool, JournalError>> {
        let held = match self.path() {
            _ if owner == self.owner => Ok(true),
            Some(path) => {
                let locks = file::beside(&path, "owners");
                let held = ProcessLock::is_held(&locks, &owner.to_string());
                held.map_err(|error| file::io_error(&path, error))
            }
            // Nobody else has a journal in memory open.
            None => Ok(false),
        };
        ready(held).boxed()
    }

    fn watch(&self) -> BoxFuture<'_, Result<Watcher, JournalError>> {
        match &self.storage {
            Storage::Memory(memory) => ready(Ok(memory.watchers.add())).boxed(),
            Storage::ReadOnly(_) => ready(Err(only_looked_at())).boxed(),
            Storage::File(file) => {
                let folder = file::beside(&file.path, WATCHERS);
                self.read(move |_| {
                    let folder = sidecar_files::folder(folder.clone())?;
                    let taken = ProcessLock::take(&folder, &Uuid::now_v7().to_string());
                    let lock = taken.map_err(|error| {
                        let what = format!("{} cannot be used", folder.display());
                        JournalError::write(what).with_source(error)
                    })?;
                    Ok(Watcher::new(lock))
                })
            }
        }
    }

    fn is_watched(&self) -> BoxFuture<'_, Result<bool, JournalError>> {
        let folder = match (&self.storage, self.path()) {
            (Storage::Memory(memory), _) => return ready(Ok(memory.watchers.is_any())).boxed(),
            (_, Some(path)) => file::beside(&path, WATCHERS),
            (_, None) => return ready(Ok(false)).boxed(),
        };
        self.read(move |_| {
            ProcessLock::is_any_held(&folder).map_err(|error| {
                let what = format!("{} cannot be read", folder.display());
                JournalError::read(what).with_source(error)
            })
        })
    }

    fn page_seat(&self) -> BoxFuture<'_, Result<PageSeat, JournalError>> {
        match &self.storage {
            Storage::Memory(_) => ready(Ok(PageSeat::Free)).boxed(),
            Storage::ReadOnly(_) => ready(Err(only_looked_at())).boxed(),
            Storage::File(file) => {
                let folder = file::beside(&file.path, PAGE);
                self.read(move |_| {
                    let folder = sidecar_files::folder(folder.clone())?;
                    let taken = Folder::open(&folder)
                        .and_then(|folder| FileLock::try_take(&folder, "lock", Access::Private));
                    let taken = taken.map_err(|error| {
                        let what =
                            format!("the page's lock in {} cannot be used", folder.display());
                        JournalError::write(what).with_source(error)
                    })?;
                    Ok(taken.map_or(PageSeat::Taken, |lock| PageSeat::Ours(Seat::new(lock))))
                })
            }
        }
    }
}

impl Records for SqliteJournal {
    fn search(&self, search: Search) -> BoxFuture<'_, Result<Found, JournalError>> {
        let path = self.indexed_path();
        self.read_long(move |conn| search_index::search(conn, path.as_deref(), &search))
    }

    fn stats(&self, search: Search, zone: TimeZone) -> BoxFuture<'_, Result<Stats, JournalError>> {
        let path = self.indexed_path();
        self.read_long(move |conn| search_index::stats(conn, path.as_deref(), &search, &zone))
    }

    fn history(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskHistory>, JournalError>> {
        self.read_long(move |conn| history::history(conn, id))
    }

    fn runs(&self, search: RunSearch) -> BoxFuture<'_, Result<FoundRuns, JournalError>> {
        let path = self.indexed_path();
        self.read_long(move |conn| search_index::runs(conn, path.as_deref(), &search))
    }

    fn calls(&self, query: CallQuery) -> BoxFuture<'_, Result<Vec<CallRecord>, JournalError>> {
        self.read_long(move |conn| query::calls(conn, &query))
    }

    fn verify(&self) -> BoxFuture<'_, Result<Verified, JournalError>> {
        let path = self.path();
        self.read_long(move |conn| verify_file::verify(conn, path.as_deref()))
    }
}

fn only_looked_at() -> JournalError {
    JournalError::write("it was opened only to look at it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NewCall;
    use holdpoint_ask::Origin;
    use jiff::Timestamp;
    use std::{sync::Arc, time::Instant};

    const SHORT: Duration = Duration::from_millis(90);

    /// When a lease is renewed is tested in `committer`; here, that the writer's thread does it.
    #[tokio::test]
    async fn the_writer_renews_the_lease_of_its_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = SqliteJournal::open_with(&path, SHORT, true).unwrap();
        let raw = Connection::open(&path).unwrap();
        let lease = || -> i64 {
            raw.query_row("SELECT max(lease_until) FROM owners", [], |row| row.get(0))
                .unwrap()
        };
        let call = Arc::new(NewCall {
            id: CallId::new(),
            origin: Origin::default(),
            method: "tools/call".into(),
            arguments: Value::Null,
            flow_version: String::new(),
            owner: journal.owner(),
            opened_at: Timestamp::now(),
            run: false,
        });
        journal.commit(vec![Write::OpenCall(call)]).await.unwrap();
        let first = lease();
        let started = Instant::now();
        while lease() < first + 2 * SHORT.as_millis() as i64 {
            assert!(started.elapsed() < Duration::from_secs(20), "not renewed");
            tokio::task::yield_now().await;
        }
    }
}
