//! The record as a whole: copied into, pruned, and looked over.

use super::{
    SqliteJournal, Storage,
    committer::Committer,
    file::{self, beside},
    only_looked_at, query,
    schema::{self, Identity, KNOWS_PRUNING},
    search_index, select_rows,
    sql_error::{read_error, write_error},
};
use crate::{
    Condition, Event, JournalError, PruneBatch, StoredEvent, Upkeep, key_file, rules,
    sidecar_files::SidecarFiles,
};
use futures::future::{BoxFuture, FutureExt, ready};
use holdpoint_workspace::ProcessLock;
use rusqlite::Connection;
use std::{fs, path::Path};

impl Upkeep for SqliteJournal {
    fn stored_events(
        &self,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredEvent>, JournalError>> {
        self.read(move |conn| stored_events(conn, after, limit).map_err(read_error))
    }

    fn import(&self, events: Vec<StoredEvent>) -> BoxFuture<'_, Result<(), JournalError>> {
        self.alone(move |committer| {
            committer.alone(|transaction| {
                rules::replay(transaction, transaction.known.head, &events)?;
                let pruned = |event: &StoredEvent| event.link().pruned_by().is_some();
                if events.iter().any(pruned) {
                    schema::require(transaction.conn, KNOWS_PRUNING).map_err(write_error)?;
                }
                Ok(())
            })
        })
    }

    fn key_names(&self) -> BoxFuture<'_, Result<Vec<String>, JournalError>> {
        let names = match (&self.storage, self.path()) {
            (Storage::Memory(memory), _) => Ok(memory.key_names()),
            (_, Some(path)) => key_file::names(&beside(&path, "keys")),
            (_, None) => Ok(Vec::new()),
        };
        ready(names).boxed()
    }

    fn put_key(&self, name: &str, key: [u8; 32]) -> BoxFuture<'_, Result<(), JournalError>> {
        match &self.storage {
            Storage::Memory(memory) => ready(memory.put_key(name, key)).boxed(),
            Storage::ReadOnly(_) => ready(Err(only_looked_at())).boxed(),
            Storage::File(file) => {
                let (folder, name) = (beside(&file.path, "keys"), name.to_owned());
                self.read(move |_| key_file::replace(&folder, &name, &key))
            }
        }
    }

    fn value_names(&self) -> BoxFuture<'_, Result<Vec<String>, JournalError>> {
        match (&self.storage, self.path()) {
            (Storage::Memory(memory), _) => ready(Ok(memory.value_names())).boxed(),
            (_, Some(path)) => self.read(move |_| SidecarFiles::new(&path).all_names()),
            (_, None) => ready(Ok(Vec::new())).boxed(),
        }
    }

    fn prune_batch(&self, batch: PruneBatch) -> BoxFuture<'_, Result<u64, JournalError>> {
        self.alone(move |committer| {
            // What is removed must not stay readable in the file.
            let erase = "PRAGMA secure_delete = ON";
            committer
                .connection()
                .query_row(erase, [], |_| Ok(()))
                .map_err(write_error)?;
            committer.alone(|transaction| {
                let gone = rules::prune(transaction, &batch)?;
                if gone > 0 {
                    schema::require(transaction.conn, KNOWS_PRUNING).map_err(write_error)?;
                }
                Ok(gone)
            })
        })
    }

    fn last_pruned(&self) -> BoxFuture<'_, Result<Option<Event>, JournalError>> {
        self.read(|conn| {
            let last = "WHERE kind = 'pruned' ORDER BY seq DESC LIMIT 1";
            Ok(query::select_events(conn, last, [])?.pop())
        })
    }

    fn free_space(&self) -> BoxFuture<'_, Result<bool, JournalError>> {
        let path = self.path();
        let elsewhere = self.has_others();
        self.alone(move |committer| {
            let Some(path) = path else { return Ok(true) };
            // It holds the words of what was removed.
            search_index::remove(&path);
            let shrink = if elsewhere? { "" } else { "VACUUM;" };
            let conn = committer.connection();
            conn.execute_batch(shrink).map_err(write_error)?;
            committer.empty_log()?;
            Ok(!shrink.is_empty())
        })
    }

    fn condition(&self) -> BoxFuture<'_, Result<Condition, JournalError>> {
        let (path, index) = (self.path(), self.indexed_path());
        self.read(move |conn| {
            let Identity::Journal(versions) = schema::identify(conn).map_err(read_error)? else {
                return Err(JournalError::damaged(
                    "it does not say that it is a journal",
                ));
            };
            let engine = format!("SQLite {}", rusqlite::version());
            let condition = Condition::new(engine, versions.version, versions.lowest);
            Ok(Condition {
                bytes: path.as_deref().map(bytes),
                indexed: index.as_deref().and_then(search_index::filled_to),
                ..condition
            })
        })
    }

    fn is_open_elsewhere(&self) -> BoxFuture<'_, Result<bool, JournalError>> {
        ready(self.has_others()).boxed()
    }
}

impl SqliteJournal {
    /// Does something with the connection that writes.
    fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Committer) -> Result<T, JournalError> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, JournalError>> {
        match &self.storage {
            Storage::File(file) => file.writer.alone(work),
            Storage::Memory(memory) => ready(memory.alone(work)).boxed(),
            Storage::ReadOnly(_) => ready(Err(only_looked_at())).boxed(),
        }
    }

    /// Whether another process has the file open.
    fn has_others(&self) -> Result<bool, JournalError> {
        // Nobody else has a journal in memory open.
        let Some(path) = self.path() else {
            return Ok(false);
        };
        let locks = beside(&path, "owners");
        let held = ProcessLock::is_other_held(&locks, &self.owner.to_string());
        held.map_err(|error| file::io_error(&path, error))
    }
}

fn stored_events(
    conn: &Connection,
    after: u64,
    limit: usize,
) -> rusqlite::Result<Vec<StoredEvent>> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    conn.prepare_cached(
        "SELECT seq, at, kind, call, ask, body, hash FROM events
         WHERE seq > ? ORDER BY seq LIMIT ?",
    )?
    .query_map((after, limit), select_rows::stored_event)?
    .collect()
}

/// How many bytes the file takes, with its log.
fn bytes(path: &Path) -> u64 {
    let size = |path: &Path| fs::metadata(path).map_or(0, |about| about.len());
    size(path) + size(&beside(path, "wal"))
}
