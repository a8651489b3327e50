//! A journal in memory: one connection that whoever calls uses in turn. No thread is involved, so
//! that a test on a paused clock sees no time pass while it commits.

use super::{
    commit_waiters::CommitResult, committer::Committer, file, schema, sql_error::open_error,
};
use crate::{
    JournalError, Write,
    commit_counters::CommitCounters,
    key_file,
    rules::{check_key_name, check_name},
    watcher::WatcherCount,
};
use rusqlite::Connection;
use std::{
    collections::{BTreeMap, HashMap, btree_map::Entry},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use uuid::Uuid;

/// The journal, and the private things that a file has beside it.
#[derive(Debug)]
pub(super) struct InMemory {
    committer: Mutex<Committer>,
    pub counters: CommitCounters,
    keys: Mutex<HashMap<String, [u8; 32]>>,
    values: Mutex<BTreeMap<String, Vec<u8>>>,
    pub watchers: WatcherCount,
}

impl InMemory {
    pub fn open(owner: Uuid, lease: Duration) -> Result<Self, JournalError> {
        let conn = connect().map_err(|error| open_error("memory:", error))?;
        let counters = CommitCounters::default();
        let committer = Committer::new(conn, owner, None, counters.clone(), lease)?;
        Ok(Self {
            committer: Mutex::new(committer),
            counters,
            keys: Mutex::default(),
            values: Mutex::default(),
            watchers: WatcherCount::default(),
        })
    }

    pub fn commit(&self, batch: Vec<Write>) -> CommitResult {
        let result = lock(&self.committer).commit(vec![batch]).pop();
        self.counters.count_own();
        result.unwrap_or(Err(JournalError::Closed))
    }

    pub fn alone<T>(
        &self,
        work: impl FnOnce(&mut Committer) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let result = work(&mut lock(&self.committer));
        self.counters.count_own();
        result
    }

    pub fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        read(lock(&self.committer).connection())
    }

    pub fn key(&self, name: &str) -> Result<[u8; 32], JournalError> {
        check_key_name(name)?;
        let mut keys = lock(&self.keys);
        if let Some(key) = keys.get(name) {
            return Ok(*key);
        }
        let key = key_file::random()
            .map_err(|error| JournalError::read("no key can be made").with_source(error))?;
        keys.insert(name.into(), key);
        Ok(key)
    }

    pub fn key_names(&self) -> Vec<String> {
        lock(&self.keys).keys().cloned().collect()
    }

    pub fn put_key(&self, name: &str, key: [u8; 32]) -> Result<(), JournalError> {
        check_key_name(name)?;
        lock(&self.keys).insert(name.into(), key);
        Ok(())
    }

    pub fn value_names(&self) -> Vec<String> {
        lock(&self.values).keys().cloned().collect()
    }

    pub fn load(&self, name: &str) -> Result<Option<Vec<u8>>, JournalError> {
        check_name(name)?;
        Ok(lock(&self.values).get(name).cloned())
    }

    pub fn store(&self, name: &str, value: Option<Vec<u8>>) -> Result<(), JournalError> {
        check_name(name)?;
        let mut values = lock(&self.values);
        match value {
            Some(value) => values.insert(name.into(), value),
            None => values.remove(name),
        };
        Ok(())
    }

    pub fn create(&self, name: &str, value: Vec<u8>) -> Result<bool, JournalError> {
        check_name(name)?;
        match lock(&self.values).entry(name.into()) {
            Entry::Occupied(_) => Ok(false),
            Entry::Vacant(free) => {
                free.insert(value);
                Ok(true)
            }
        }
    }

    pub fn names(&self, below: &str) -> Result<Vec<String>, JournalError> {
        check_name(below)?;
        let values = lock(&self.values);
        let is_below = |name: &&String| name.rsplit_once('/').is_some_and(|(of, _)| of == below);
        Ok(values.keys().filter(is_below).cloned().collect())
    }
}

/// A connection to an empty journal in memory.
pub(super) fn connect() -> rusqlite::Result<Connection> {
    let conn = Connection::open_in_memory()?;
    file::configure(&conn)?;
    conn.execute_batch("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; BEGIN")?;
    schema::migrate(&conn, schema::Versions::default())?;
    conn.execute_batch("COMMIT")?;
    Ok(conn)
}

/// A panic while the lock was held leaves nothing half done: the next commit rolls back.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
