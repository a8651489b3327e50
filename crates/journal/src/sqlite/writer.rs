//! The writer: one thread that commits whatever has queued in one transaction.

use super::{
    commit_waiters::{CommitResult, CommitWaiters, Waiter},
    row_cache::RowCache,
    transaction::{Known, Transaction, write_fault},
};
use crate::{
    JournalError, Write, rules::apply::apply, rules::chain::Head,
    rules::prepared_write::PreparedWrite,
};
use futures::future::{BoxFuture, FutureExt};
use holdpoint_ask::{CallId, Digest};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _};
use std::{
    collections::HashSet,
    path::PathBuf,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use tokio::sync::watch;
use uuid::Uuid;

/// How many batches go into one transaction at most, so that none waits too long for its own.
const MOST_BATCHES: usize = 512;

/// How often the file is looked at for other processes' commits, while anyone wants to know.
const LOOK: Duration = Duration::from_millis(50);

/// How long the thread stays awake after a commit: an ask that is answered by a machine goes on within
/// that time, and waking a thread takes as long as a commit.
const AWAKE: Duration = Duration::from_micros(300);

/// How long a call's result waits for another commit to go along with.
const LINGER: Duration = Duration::from_millis(5);

enum Job {
    Commit(Batch),
    /// Somebody wants to know of other processes' commits.
    Watch,
}

struct Batch {
    writes: Vec<Write>,
    answer: Waiter,
}

impl Batch {
    fn can_linger(&self) -> bool {
        let is_result = |write: &Write| matches!(write, Write::FinishCall { .. });
        self.writes.iter().all(is_result)
    }
}

/// The thread's handle. Dropping it commits what has queued.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    waiters: CommitWaiters,
    foreign: watch::Sender<u64>,
    commits: watch::Sender<u64>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread. Its process counts as alive for the time of the lease, which is renewed
    /// every third of it while the process owns unfinished calls.
    pub fn start(
        conn: Connection,
        me: Uuid,
        locks: PathBuf,
        lease: Duration,
    ) -> Result<Self, JournalError> {
        let (jobs, queue) = channel();
        let (foreign, commits) = (watch::Sender::new(0), watch::Sender::new(0));
        let waiters = CommitWaiters::default();
        let mut thread = WriterThread {
            conn,
            waiters: waiters.clone(),
            row_cache: RowCache::default(),
            me,
            locks,
            queue,
            foreign: foreign.clone(),
            commits: commits.clone(),
            version: 0,
            known: None,
            lease,
            lease_until: 0,
            owned: HashSet::new(),
            renew_at: Instant::now() + lease / 3,
            committed_at: Instant::now(),
        };
        // Whatever another process commits from here on is seen.
        thread.version = thread.read_version().map_err(|error| write_fault(&error))?;
        let thread = thread::Builder::new()
            .name("journal-writer".into())
            .spawn(move || thread.run())
            .map_err(|error| JournalError::Write(error.to_string()))?;
        Ok(Self {
            jobs: Some(jobs),
            waiters,
            foreign,
            commits,
            thread: Some(thread),
        })
    }

    /// Queues a batch at once; the answer comes when it is durable.
    pub fn commit(&self, writes: Vec<Write>) -> BoxFuture<'static, CommitResult> {
        let (answer, answered) = self.waiters.expect();
        if let Some(jobs) = &self.jobs {
            // A thread that is gone drops the batch, and the answer with it.
            let _ = jobs.send(Job::Commit(Batch { writes, answer }));
        }
        answered
            .map(|outcome| outcome.unwrap_or(Err(JournalError::Closed)))
            .boxed()
    }

    pub fn foreign_commits(&self) -> watch::Receiver<u64> {
        self.watched(&self.foreign)
    }

    pub fn commits(&self) -> watch::Receiver<u64> {
        self.watched(&self.commits)
    }

    fn watched(&self, counter: &watch::Sender<u64>) -> watch::Receiver<u64> {
        let receiver = counter.subscribe();
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(Job::Watch);
        }
        receiver
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.waiters.close();
    }
}

struct WriterThread {
    conn: Connection,
    me: Uuid,
    locks: PathBuf,
    queue: Receiver<Job>,
    waiters: CommitWaiters,
    foreign: watch::Sender<u64>,
    /// Counts this process's commits too.
    commits: watch::Sender<u64>,
    /// SQLite's count of other connections' commits, when last looked at.
    version: i64,
    /// The last event; none where it must be read anew.
    known: Option<Head>,
    row_cache: RowCache,
    lease: Duration,
    lease_until: i64,
    /// The calls that this process came to own; some may be finished or lost by now.
    owned: HashSet<CallId>,
    renew_at: Instant,
    committed_at: Instant,
}

impl WriterThread {
    fn run(&mut self) {
        loop {
            match self.wait() {
                Ok(Job::Commit(first)) => {
                    let group = self.collect(first);
                    self.commit(group);
                }
                Ok(Job::Watch) | Err(RecvTimeoutError::Timeout) => self.look(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if Instant::now() >= self.renew_at {
                self.renew();
            }
        }
    }

    fn wait(&self) -> Result<Job, RecvTimeoutError> {
        if let Some(job) = self.awake() {
            return Ok(job);
        }
        if self.foreign.receiver_count() + self.commits.receiver_count() > 0 {
            self.queue.recv_timeout(LOOK)
        } else if self.owned.is_empty() {
            self.queue
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            let time = self.renew_at.saturating_duration_since(Instant::now());
            self.queue.recv_timeout(time)
        }
    }

    /// What comes while the thread is still awake.
    fn awake(&self) -> Option<Job> {
        while self.committed_at.elapsed() < AWAKE {
            if let Ok(job) = self.queue.try_recv() {
                return Some(job);
            }
            thread::yield_now();
        }
        None
    }

    /// What goes into one transaction. A call's result was told before it is recorded, and nobody
    /// waits for it: alone it lingers for a moment and goes along with the next commit.
    fn collect(&self, first: Batch) -> Vec<Batch> {
        let until = Instant::now() + LINGER;
        let mut can_linger = first.can_linger();
        let mut group = vec![first];
        while group.len() < MOST_BATCHES {
            let next = if can_linger {
                self.awake().or_else(|| {
                    let time = until.saturating_duration_since(Instant::now());
                    self.queue.recv_timeout(time).ok()
                })
            } else {
                self.queue.try_recv().ok()
            };
            match next {
                Some(Job::Commit(batch)) => {
                    can_linger &= batch.can_linger();
                    group.push(batch);
                }
                Some(Job::Watch) => {}
                None => break,
            }
        }
        group
    }

    fn commit(&mut self, group: Vec<Batch>) {
        let mut waiting = Vec::with_capacity(group.len());
        let mut changes = Vec::with_capacity(group.len());
        for Batch { writes, answer } in group {
            match PreparedWrite::batch(writes) {
                Ok(batch) => {
                    changes.push(batch);
                    waiting.push(answer);
                }
                Err(error) => self.waiters.tell([(answer, Err(error))].into_iter()),
            }
        }
        if changes.is_empty() {
            return;
        }
        let batches: Vec<&[PreparedWrite]> = changes.iter().map(Vec::as_slice).collect();
        let outcomes = self.transact(&batches);
        self.waiters.tell(waiting.into_iter().zip(outcomes));
        self.committed_at = Instant::now();
        self.commits.send_modify(|count| *count += 1);
    }

    /// Commits the batches in one transaction. A batch that faults is undone alone: no savepoints
    /// are kept at first, since faults are rare; when one happens, all is done again with them.
    fn transact(&mut self, batches: &[&[PreparedWrite]]) -> Vec<CommitResult> {
        for apart in [false, true] {
            match self.attempt(batches, apart) {
                Ok(Some(outcomes)) => return outcomes,
                Ok(None) => self.roll_back(),
                Err(error) => {
                    self.roll_back();
                    return batches.iter().map(|_| Err(error.clone())).collect();
                }
            }
        }
        unreachable!("an attempt with savepoints has an outcome for every batch")
    }

    /// None where a batch faulted and there is no savepoint to go back to.
    fn attempt(
        &mut self,
        batches: &[&[PreparedWrite]],
        apart: bool,
    ) -> Result<Option<Vec<CommitResult>>, JournalError> {
        self.execute("BEGIN IMMEDIATE")?;
        let head = self.head()?;
        // Back in its place only once all of it is committed.
        let mut row_cache = std::mem::take(&mut self.row_cache);
        let mut transaction = Transaction {
            conn: &self.conn,
            me: self.me,
            locks: &self.locks,
            now: Timestamp::now().as_millisecond(),
            lease: self.lease.as_millis() as i64,
            known: Known {
                head,
                lease_until: self.lease_until,
            },
            row_cache: &mut row_cache,
            won: Vec::new(),
        };
        let mut outcomes = Vec::with_capacity(batches.len());
        for batch in batches {
            let (known, won) = (transaction.known, transaction.won.len());
            if apart {
                self.execute("SAVEPOINT batch")?;
            }
            let outcome: CommitResult = batch
                .iter()
                .map(|change| apply(&mut transaction, change))
                .collect();
            if let Err(fault) = &outcome {
                if !apart {
                    return Ok(None);
                }
                // A full disk may have ended the whole transaction.
                if self.conn.is_autocommit() {
                    return Err(fault.clone());
                }
                self.execute("ROLLBACK TO batch")?;
                transaction.known = known;
                transaction.won.truncate(won);
                *transaction.row_cache = RowCache::default();
            }
            if apart {
                self.execute("RELEASE batch")?;
            }
            outcomes.push(outcome);
        }
        let Transaction { known, won, .. } = transaction;
        self.execute("COMMIT")?;
        self.known = Some(known.head);
        self.row_cache = row_cache;
        if known.lease_until != self.lease_until {
            self.lease_until = known.lease_until;
            self.renew_at = Instant::now() + self.lease / 3;
        }
        self.owned.extend(won);
        for change in batches.iter().copied().flatten() {
            if let PreparedWrite::FinishCall { call, .. } = change {
                self.owned.remove(call);
            }
        }
        Ok(Some(outcomes))
    }

    /// The last event. Read anew only if another process committed since.
    fn head(&mut self) -> Result<Head, JournalError> {
        self.look();
        if let Some(head) = self.known {
            return Ok(head);
        }
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
        let head = read().map_err(|error| write_fault(&error))?;
        Ok(head.unwrap_or_else(Head::start))
    }

    /// Looks whether another process has committed something. This connection's own commits do
    /// not count.
    fn look(&mut self) {
        match self.read_version() {
            Ok(version) if self.version == version => {}
            Ok(version) => {
                self.forget();
                self.version = version;
                self.foreign.send_modify(|count| *count += 1);
                self.commits.send_modify(|count| *count += 1);
            }
            Err(error) => {
                tracing::warn!(%error, "cannot look for other processes' commits");
                self.forget();
            }
        }
    }

    fn read_version(&self) -> rusqlite::Result<i64> {
        self.conn
            .prepare_cached("PRAGMA data_version")?
            .query_row([], |row| row.get(0))
    }

    /// Prolongs the lease, if this process still owns an unfinished call.
    fn renew(&mut self) {
        self.renew_at = Instant::now() + self.lease / 3;
        while let Some(call) = self.owned.iter().next().copied() {
            match super::select_rows::call(&self.conn, call) {
                Ok(Some(row)) if row.owner == self.me && row.finished.is_none() => break,
                Ok(_) => self.owned.remove(&call),
                Err(_) => break,
            };
        }
        if self.owned.is_empty() {
            return;
        }
        let until = Timestamp::now().as_millisecond() + self.lease.as_millis() as i64;
        let renewal = [PreparedWrite::Renew {
            owner: self.me,
            until,
        }];
        if let Some(Err(error)) = self.transact(&[&renewal]).pop() {
            tracing::warn!(%error, "cannot renew this process's lease on its calls");
        }
    }

    fn execute(&self, sql: &str) -> Result<(), JournalError> {
        let run = || self.conn.prepare_cached(sql)?.execute([]);
        run().map(|_| ()).map_err(|error| write_fault(&error))
    }

    /// The file may hold something else now than this thread knows.
    fn forget(&mut self) {
        self.known = None;
        self.row_cache = RowCache::default();
    }

    fn roll_back(&mut self) {
        self.forget();
        if !self.conn.is_autocommit()
            && let Err(error) = self.execute("ROLLBACK")
        {
            tracing::error!(%error, "cannot roll back");
        }
    }
}
