//! Committing: batches of writes in one transaction of one connection.

use super::{
    checkpoint::Checkpoints,
    commit_waiters::CommitResult,
    high_water_mark::MarkWriter,
    open_files::OpenFiles,
    row_cache::RowCache,
    schema, select_rows,
    sql_error::write_error,
    transaction::{Known, Transaction},
};
use crate::{
    JournalError, Write,
    commit_counters::CommitCounters,
    rules::{Head, PreparedWrite, apply},
};
use holdpoint_ask::{CallId, Digest};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _};
use std::{
    collections::HashSet,
    path::PathBuf,
    time::{Duration, Instant},
};
use uuid::Uuid;

/// What a journal in a file has beside its connection.
#[derive(Debug)]
pub(super) struct Surroundings {
    /// The folder of the process locks.
    pub locks: PathBuf,
    /// The files that SQLite has open.
    pub files: OpenFiles,
    /// The mark of how far the journal came.
    pub mark: MarkWriter,
    /// Its log, copied into the file.
    pub checkpoints: Checkpoints,
}

/// The connection that writes, and what is known of the database between two transactions.
#[derive(Debug)]
pub(super) struct Committer {
    conn: Connection,
    me: Uuid,
    /// None in memory, where no other process can have the journal open.
    surroundings: Option<Surroundings>,
    counters: CommitCounters,
    /// SQLite's count of other connections' commits, when last read.
    version: i64,
    /// The last event; none where it must be read again.
    head: Option<Head>,
    row_cache: RowCache,
    lease: Duration,
    lease_until: i64,
    /// The calls that this process came to own; some may be finished or lost by now.
    owned: HashSet<CallId>,
    renew_at: Instant,
}

impl Committer {
    /// A process counts as alive for the time of the lease, which is renewed every third of it
    /// while the process owns unfinished calls.
    pub fn new(
        conn: Connection,
        me: Uuid,
        surroundings: Option<Surroundings>,
        counters: CommitCounters,
        lease: Duration,
    ) -> Result<Self, JournalError> {
        let mut committer = Self {
            conn,
            me,
            surroundings,
            counters,
            version: 0,
            head: None,
            row_cache: RowCache::default(),
            lease,
            lease_until: 0,
            owned: HashSet::new(),
            renew_at: Instant::now() + lease / 3,
        };
        // Whatever another process commits from here on is seen.
        committer.version = committer.read_version().map_err(write_error)?;
        Ok(committer)
    }

    pub fn connection(&self) -> &Connection {
        &self.conn
    }

    /// When the lease must be renewed; never while this process owns no call.
    pub fn renew_at(&self) -> Option<Instant> {
        (!self.owned.is_empty()).then_some(self.renew_at)
    }

    /// Commits the batches in one transaction. One that fails is undone alone.
    pub fn commit(&mut self, batches: Vec<Vec<Write>>) -> Vec<CommitResult> {
        let prepared: Vec<_> = batches
            .into_iter()
            .map(PreparedWrite::prepare_batch)
            .collect();
        let ready: Vec<&[PreparedWrite]> = prepared.iter().flatten().map(Vec::as_slice).collect();
        let mut results = if ready.is_empty() {
            Vec::new().into_iter()
        } else {
            self.transact(&ready).into_iter()
        };
        let result_of = |batch: &Result<_, JournalError>| match batch {
            Ok(_) => results.next().unwrap_or(Err(JournalError::Closed)),
            Err(error) => Err(error.clone()),
        };
        prepared.iter().map(result_of).collect()
    }

    /// No savepoints are set at first, since failures are rare; when one happens, all is done
    /// again with them.
    fn transact(&mut self, batches: &[&[PreparedWrite]]) -> Vec<CommitResult> {
        // Left open by a panic.
        if !self.conn.is_autocommit() {
            self.roll_back();
        }
        for with_savepoints in [false, true] {
            match self.attempt(batches, with_savepoints) {
                Ok(Some(results)) => return results,
                Ok(None) => self.roll_back(),
                Err(error) => {
                    self.roll_back();
                    return batches.iter().map(|_| Err(error.clone())).collect();
                }
            }
        }
        unreachable!("an attempt with savepoints has a result for every batch")
    }

    /// None where a batch failed and there is no savepoint to go back to.
    fn attempt(
        &mut self,
        batches: &[&[PreparedWrite]],
        with_savepoints: bool,
    ) -> Result<Option<Vec<CommitResult>>, JournalError> {
        let (head, mut row_cache) = self.begin()?;
        let mut transaction = self.transaction(head, &mut row_cache);
        let mut results = Vec::with_capacity(batches.len());
        for batch in batches {
            let (known, won) = (transaction.known, transaction.won.len());
            if with_savepoints {
                self.execute("SAVEPOINT batch")?;
            }
            let result: CommitResult = batch
                .iter()
                .map(|write| apply(&mut transaction, write))
                .collect();
            if let Err(error) = &result {
                if !with_savepoints {
                    return Ok(None);
                }
                // A full disk may have ended the whole transaction.
                if self.conn.is_autocommit() {
                    return Err(error.clone());
                }
                self.execute("ROLLBACK TO batch")?;
                transaction.known = known;
                transaction.won.truncate(won);
                *transaction.row_cache = RowCache::default();
            }
            if with_savepoints {
                self.execute("RELEASE batch")?;
            }
            results.push(result);
        }
        let Transaction { known, won, .. } = transaction;
        self.end(known, won, row_cache)?;
        for write in batches.iter().copied().flatten() {
            if let Some(call) = write.finished_call() {
                self.owned.remove(&call);
            }
        }
        let mut writes = batches.iter().copied().flatten();
        if let Some(file) = &mut self.surroundings
            && writes.any(PreparedWrite::accepts_loss)
        {
            file.mark.accept_loss();
        }
        Ok(Some(results))
    }

    /// Does something in a transaction of its own.
    pub fn alone<T>(
        &mut self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        // Left open by a panic.
        if !self.conn.is_autocommit() {
            self.roll_back();
        }
        let attempt = || {
            let (head, mut row_cache) = self.begin()?;
            let mut transaction = self.transaction(head, &mut row_cache);
            let done = work(&mut transaction)?;
            let Transaction { known, won, .. } = transaction;
            self.end(known, won, row_cache)?;
            Ok(done)
        };
        let result = attempt();
        if result.is_err() {
            self.roll_back();
        }
        result
    }

    /// Begins a transaction. The cache is back in its place only once all of it is committed.
    fn begin(&mut self) -> Result<(Head, RowCache), JournalError> {
        self.execute("BEGIN IMMEDIATE")?;
        let head = self.read_head()?;
        Ok((head, std::mem::take(&mut self.row_cache)))
    }

    fn transaction<'a>(&'a self, head: Head, row_cache: &'a mut RowCache) -> Transaction<'a> {
        Transaction {
            conn: &self.conn,
            me: self.me,
            locks: self.surroundings.as_ref().map(|file| file.locks.as_path()),
            now: Timestamp::now().as_millisecond(),
            lease: self.lease.as_millis() as i64,
            known: Known {
                head,
                lease_until: self.lease_until,
            },
            row_cache,
            won: Vec::new(),
        }
    }

    /// Commits the transaction that is open.
    fn end(
        &mut self,
        known: Known,
        won: Vec<CallId>,
        row_cache: RowCache,
    ) -> Result<(), JournalError> {
        // Before it, so that nothing is left where the file is gone; after it, since it may have
        // gone meanwhile, and nobody must act on what only a deleted file says.
        self.check_files()?;
        self.execute("COMMIT")?;
        self.check_files()?;
        self.head = Some(known.head);
        self.row_cache = row_cache;
        if known.lease_until != self.lease_until {
            self.lease_until = known.lease_until;
            self.renew_at = Instant::now() + self.lease / 3;
        }
        self.owned.extend(won);
        if let Some(file) = &mut self.surroundings {
            file.mark.reach(known.head);
        }
        Ok(())
    }

    /// Makes sure that the files which are written to are those that others find.
    fn check_files(&self) -> Result<(), JournalError> {
        match &self.surroundings {
            Some(file) => file.files.check(),
            None => Ok(()),
        }
    }

    /// When the mark beside the journal is to be written; never while it says all there is.
    pub fn mark_at(&self) -> Option<Instant> {
        self.surroundings.as_ref()?.mark.due()
    }

    /// Writes the mark beside the journal, if it is due by then.
    pub fn write_mark(&mut self, by: Instant) {
        if let Some(file) = &mut self.surroundings
            && file.mark.due().is_some_and(|due| due <= by)
            && file.files.check().is_ok()
        {
            file.mark.write(&self.conn, by);
        }
    }

    /// Copies the log into the file, as far as it is due; whoever waits for a commit has been told of it.
    pub fn checkpoint(&mut self) {
        if let Some(file) = &mut self.surroundings {
            file.checkpoints.go_on(&mut self.conn);
        }
    }

    /// Copies all of the log into the file, so that nothing of what was removed stays in it.
    pub fn empty_log(&mut self) -> Result<(), JournalError> {
        match &mut self.surroundings {
            Some(file) => file.checkpoints.empty_log(&self.conn),
            None => Ok(()),
        }
    }

    /// The last event. Read again only if another process has committed since.
    fn read_head(&mut self) -> Result<Head, JournalError> {
        self.check_foreign();
        if let Some(head) = self.head {
            return Ok(head);
        }
        // Another process may have changed what a program must know.
        schema::check_known(&self.conn)?;
        let read = || {
            self.conn
                .prepare_cached("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1")?
                .query_row([], |row| {
                    Ok(Head {
                        seq: row.get(0)?,
                        hash: Digest::from_bytes(row.get(1)?),
                    })
                })
                .optional()
        };
        let head = read().map_err(write_error)?;
        Ok(head.unwrap_or_else(Head::start))
    }

    /// Checks whether another process has committed something. This connection's own commits do
    /// not count.
    pub fn check_foreign(&mut self) -> bool {
        match self.read_version() {
            Ok(version) if self.version == version => false,
            Ok(version) => {
                self.forget();
                self.version = version;
                self.counters.count_foreign();
                true
            }
            Err(error) => {
                tracing::warn!(%error, "cannot check for other processes' commits");
                self.forget();
                false
            }
        }
    }

    fn read_version(&self) -> rusqlite::Result<i64> {
        self.conn
            .prepare_cached("PRAGMA data_version")?
            .query_row([], |row| row.get(0))
    }

    /// Renews the lease if it is due and this process still owns an unfinished call; says whether it did.
    pub fn renew(&mut self, now: Instant) -> bool {
        if now < self.renew_at {
            return false;
        }
        self.renew_at = now + self.lease / 3;
        while let Some(call) = self.owned.iter().next().copied() {
            match select_rows::call(&self.conn, call) {
                Ok(Some(row)) if row.owner == self.me && row.finished.is_none() => break,
                Ok(_) => self.owned.remove(&call),
                Err(_) => break,
            };
        }
        if self.owned.is_empty() {
            return false;
        }
        let renewal = Write::Renew {
            owner: self.me,
            until: Timestamp::now() + self.lease,
        };
        if let Some(Err(error)) = self.commit(vec![vec![renewal]]).pop() {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "cannot renew this process's lease on its calls"
            );
        }
        true
    }

    fn execute(&self, sql: &str) -> Result<(), JournalError> {
        let run = || self.conn.prepare_cached(sql)?.execute([]);
        run().map(|_| ()).map_err(write_error)
    }

    /// Forgets what was known of the database, which may hold something else now.
    fn forget(&mut self) {
        self.head = None;
        self.row_cache = RowCache::default();
    }

    fn roll_back(&mut self) {
        self.forget();
        if !self.conn.is_autocommit()
            && let Err(error) = self.execute("ROLLBACK")
        {
            tracing::error!(error = &error as &dyn std::error::Error, "cannot roll back");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NewCall, sqlite::in_memory};
    use holdpoint_ask::Origin;
    use serde_json::Value;
    use std::sync::Arc;

    const LEASE: Duration = Duration::from_secs(30);

    #[test]
    fn a_lease_is_renewed_while_a_call_is_unfinished_and_no_longer() {
        let me = Uuid::now_v7();
        let mut committer = Committer::new(
            in_memory::connect().unwrap(),
            me,
            None,
            CommitCounters::default(),
            LEASE,
        )
        .unwrap();
        let lease = |committer: &Committer| -> Option<i64> {
            committer
                .conn
                .query_row("SELECT max(lease_until) FROM owners", [], |row| row.get(0))
                .unwrap()
        };
        let expire = |committer: &Committer| {
            committer
                .conn
                .execute("UPDATE owners SET lease_until = 7", [])
                .unwrap();
        };
        committer.renew(Instant::now() + LEASE);
        assert_eq!(lease(&committer), None, "an idle process writes nothing");
        assert_eq!(committer.renew_at(), None);

        let call = Arc::new(NewCall {
            id: CallId::new(),
            origin: Origin::default(),
            method: "tools/call".into(),
            arguments: Value::Null,
            flow_version: String::new(),
            owner: me,
            opened_at: Timestamp::now(),
            run: false,
        });
        committer.commit(vec![vec![Write::OpenCall(call.clone())]]);
        assert!(lease(&committer) > Some(Timestamp::now().as_millisecond()));
        let due = committer.renew_at().unwrap();
        expire(&committer);
        committer.renew(due - Duration::from_millis(1));
        assert_eq!(lease(&committer), Some(7), "it is not due yet");
        committer.renew(due);
        assert!(lease(&committer) > Some(Timestamp::now().as_millisecond()));

        let end = Write::FinishCall {
            call: call.id,
            epoch: 1,
            result: Arc::new(Value::Null),
            at: Timestamp::now(),
        };
        committer.commit(vec![vec![end]]);
        assert_eq!(committer.renew_at(), None);
        expire(&committer);
        committer.renew(due + LEASE);
        assert_eq!(lease(&committer), Some(7), "an idle process writes nothing");
    }

    #[test]
    fn a_transaction_that_a_panic_left_open_is_undone_first() {
        let conn = in_memory::connect().unwrap();
        let counters = CommitCounters::default();
        let me = Uuid::now_v7();
        let mut committer = Committer::new(conn, me, None, counters, LEASE).unwrap();
        committer
            .conn
            .execute_batch("BEGIN; INSERT INTO owners VALUES (x'00', 7)")
            .unwrap();
        let renewal = Write::Renew {
            owner: me,
            until: Timestamp::now(),
        };
        assert!(committer.commit(vec![vec![renewal]])[0].is_ok());
        let count = "SELECT count(*) FROM owners";
        let owners: i64 = committer
            .conn
            .query_row(count, [], |row| row.get(0))
            .unwrap();
        assert_eq!(owners, 1);
    }
}
