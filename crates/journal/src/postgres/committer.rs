//! Committing: whatever has queued goes in one transaction.
//!
//! An answer that is lost on its way is no answer: whether the transaction was committed is then looked up in
//! the chain, under the lock of its head, and the writes are applied again only where it was not.

use super::{
    connect::Address,
    fetch::{self, FetchError},
    flush::{self, Flushed, is_broken},
    liveness::{HEARTBEAT, LEASE},
    lookups::{Fetched, Lookups},
    select_rows::{column, digest},
    shared::Shared,
    transaction::Transaction,
};
use crate::{
    JournalError, PruneBatch, StoredEvent, Write, Written,
    postgres::{removal::remove, sql_error},
    rules::{Head, PreparedWrite, apply, prune, replay},
};
use holdpoint_ask::CallId;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{
    sync::{mpsc, oneshot},
    task::AbortHandle,
    time::timeout,
};
use tokio_postgres::{Client, Error};
use uuid::Uuid;

/// What came of a batch.
pub(super) type CommitResult = Result<Vec<Written>, JournalError>;

/// How many batches go in one transaction at most.
const MOST: usize = 512;

/// How long a database that cannot be reached is tried before a batch fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long it is tried where a commit was sent and its outcome is not known.
const LONG_PATIENCE: Duration = Duration::from_secs(120);

/// How long the answer to a round trip is waited for.
const ROUND_TRIP: Duration = Duration::from_secs(20);

/// The writer's session: nothing but the loss of the connection may end its wait for a commit, an unfinished
/// transaction of a server that was cut off holds the others up for seconds only, and rows are found by their
/// index also before the first `ANALYZE`. Where an index is preferred at all costs, the costs look high, and
/// PostgreSQL would compile each statement first.
const SESSION: &str = "
    SET statement_timeout = 0;
    SET lock_timeout = 0;
    SET idle_in_transaction_session_timeout = '5s';
    SET client_connection_check_interval = '2s';
    SET enable_seqscan = off;
    SET jit = off;
    SET plan_cache_mode = force_generic_plan;
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'";

/// What a journal has to do.
#[derive(Debug)]
pub(super) enum Job {
    /// Writes that are applied together.
    Commit(Vec<Write>, oneshot::Sender<CommitResult>),
    /// Events of another journal.
    Import(Vec<StoredEvent>, oneshot::Sender<Result<(), JournalError>>),
    /// Bodies that go.
    Prune(PruneBatch, oneshot::Sender<Result<u64, JournalError>>),
}

/// What goes in one transaction.
enum Work<'a> {
    Commit(&'a [&'a [PreparedWrite]]),
    Import(&'a [StoredEvent]),
    Prune(&'a PruneBatch),
}

impl Work<'_> {
    fn lookups(&self) -> Lookups {
        match self {
            Self::Commit(batches) => Lookups::of(batches.iter().copied().flatten()),
            Self::Import(events) => Lookups::of_events(events),
            Self::Prune(batch) => Lookups::of_prune(batch),
        }
    }

    fn apply(&self, transaction: &mut Transaction) -> Results {
        match self {
            Self::Commit(batches) => Results::Commit(apply_all(transaction, batches)),
            Self::Import(events) => {
                let mark = transaction.begin();
                let head = transaction.head;
                let replayed = replay(transaction, head, events).map(|_| ());
                Results::Import(replayed.inspect_err(|_| transaction.undo(&mark)))
            }
            Self::Prune(batch) => {
                let mark = transaction.begin();
                let pruned = prune(transaction, batch);
                Results::Prune(pruned.inspect_err(|_| transaction.undo(&mark)))
            }
        }
    }
}

/// What came of it.
enum Results {
    Commit(Vec<CommitResult>),
    Import(Result<(), JournalError>),
    Prune(Result<u64, JournalError>),
}

/// The connection that writes.
#[derive(Debug)]
pub(super) struct Committer {
    address: Address,
    me: Uuid,
    shared: Arc<Shared>,
    session: Option<Session>,
    renewed_at: Option<Instant>,
}

#[derive(Debug)]
struct Session {
    client: Client,
    fetch: fetch::Statements,
    flush: flush::Statements,
    driver: AbortHandle,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

/// What one attempt came to.
enum Attempt {
    /// All is done.
    Done(Applied),
    /// The database refused: nothing happened, and trying again would not help.
    Refused(JournalError),
    /// The connection broke before anything was committed.
    Lost(JournalError),
    /// The connection broke while this was being committed.
    Unknown(Applied, JournalError),
}

/// Writes that were applied.
struct Applied {
    results: Results,
    /// The last event with them.
    head: Head,
    has_events: bool,
    won: Vec<CallId>,
}

impl Committer {
    pub fn new(address: Address, me: Uuid, shared: Arc<Shared>) -> Self {
        Self {
            address,
            me,
            shared,
            session: None,
            renewed_at: None,
        }
    }

    /// Works until nobody can queue anything more.
    pub async fn run(mut self, mut queue: mpsc::UnboundedReceiver<Job>) {
        let mut next = queue.recv().await;
        while let Some(job) = next.take() {
            match job {
                Job::Commit(writes, waiter) => {
                    let mut group = vec![(writes, waiter)];
                    while group.len() < MOST {
                        match queue.try_recv() {
                            Ok(Job::Commit(writes, waiter)) => group.push((writes, waiter)),
                            Ok(other) => {
                                next = Some(other);
                                break;
                            }
                            Err(_) => break,
                        }
                    }
                    self.commit(group).await;
                }
                Job::Import(events, waiter) => {
                    let done = match self.transact(Work::Import(&events)).await {
                        Ok(Applied { results, .. }) => match results {
                            Results::Import(done) => done,
                            _ => Err(JournalError::Closed),
                        },
                        Err(error) => Err(error),
                    };
                    let _ = waiter.send(done);
                }
                Job::Prune(batch, waiter) => {
                    let done = match self.transact(Work::Prune(&batch)).await {
                        Ok(Applied { results, .. }) => match results {
                            Results::Prune(done) => done,
                            _ => Err(JournalError::Closed),
                        },
                        Err(error) => Err(error),
                    };
                    let _ = waiter.send(done);
                }
            }
            self.shared.counters.count_own();
            if next.is_none() {
                next = queue.recv().await;
            }
        }
    }

    async fn commit(&mut self, group: Vec<(Vec<Write>, oneshot::Sender<CommitResult>)>) {
        let (batches, waiters): (Vec<_>, Vec<_>) = group
            .into_iter()
            .map(|(writes, waiter)| (PreparedWrite::prepare_batch(writes), waiter))
            .unzip();
        let ready: Vec<&[PreparedWrite]> = batches.iter().flatten().map(Vec::as_slice).collect();
        let mut results = if ready.is_empty() {
            Vec::new().into_iter()
        } else {
            self.commit_ready(&ready).await.into_iter()
        };
        let result_of = |batch: &Result<_, JournalError>| match batch {
            Ok(_) => results.next().unwrap_or(Err(JournalError::Closed)),
            Err(error) => Err(error.clone()),
        };
        let results: Vec<_> = batches.iter().map(result_of).collect();
        for (waiter, result) in waiters.into_iter().zip(results) {
            // Whoever queued it need not wait for it.
            let _ = waiter.send(result);
        }
    }

    async fn commit_ready(&mut self, batches: &[&[PreparedWrite]]) -> Vec<CommitResult> {
        let applied = match self.transact(Work::Commit(batches)).await {
            Ok(applied) => applied,
            Err(error) => return batches.iter().map(|_| Err(error.clone())).collect(),
        };
        let Results::Commit(results) = applied.results else {
            return Vec::new();
        };
        let finished = batches
            .iter()
            .zip(&results)
            .filter(|(_, result)| result.is_ok())
            .flat_map(|(batch, _)| batch.iter())
            .filter_map(PreparedWrite::finished_call);
        self.shared.own(applied.won, finished);
        results
    }

    /// Tries until it is known what came of it, or the database could not be reached for long.
    async fn transact(&mut self, work: Work<'_>) -> Result<Applied, JournalError> {
        let began = Instant::now();
        let mut in_doubt: Option<Applied> = None;
        let mut pause = Duration::from_millis(50);
        loop {
            let error = match self.try_once(&work, &mut in_doubt).await {
                Attempt::Done(applied) => {
                    self.shared.reach(applied.head.seq);
                    return Ok(applied);
                }
                Attempt::Refused(error) => return Err(error),
                Attempt::Lost(error) => error,
                Attempt::Unknown(applied, error) => {
                    in_doubt = Some(applied);
                    error
                }
            };
            self.session = None;
            let patience = match in_doubt {
                Some(_) => LONG_PATIENCE,
                None => PATIENCE,
            };
            if began.elapsed() > patience {
                return Err(match in_doubt {
                    Some(_) => JournalError::write(
                        "the connection to PostgreSQL broke during a commit, and it could not be \
                         looked up whether that happened; see that the server can be reached",
                    )
                    .with_source(error),
                    None => error,
                });
            }
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the connection to PostgreSQL broke; it is tried again"
            );
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(1));
        }
    }

    async fn try_once(&mut self, work: &Work<'_>, in_doubt: &mut Option<Applied>) -> Attempt {
        let session = match self.session().await {
            Ok(session) => session,
            Err(error) => return Attempt::Lost(error),
        };
        if let Some(applied) = in_doubt {
            let holds = timeout(ROUND_TRIP, session.holds(applied)).await;
            match holds.unwrap_or_else(|_| Err(no_answer())) {
                Ok(true) => {
                    if let Some(applied) = in_doubt.take() {
                        return Attempt::Done(applied);
                    }
                }
                Ok(false) => *in_doubt = None,
                Err(error) => return Attempt::Lost(error),
            }
        }
        self.attempt(work).await
    }

    /// One transaction: two round trips, and a further one where something was looked up that nobody foresaw.
    async fn attempt(&mut self, work: &Work<'_>) -> Attempt {
        let (me, is_renewal_due) = (self.me, self.is_renewal_due());
        let Some(session) = &self.session else {
            return Attempt::Lost(no_answer());
        };
        let mut fetched = Fetched::default();
        let mut lookups = work.lookups();
        let begun = session.fetch.begin(&session.client, &lookups, &mut fetched);
        let head = match timeout(ROUND_TRIP, begun).await {
            Ok(Ok(head)) => head,
            Ok(Err(error)) => return session.give_up(error).await,
            Err(_) => return Attempt::Lost(no_answer()),
        };
        let (mut transaction, results) = loop {
            let mut transaction = Transaction::new(me, head, fetched.clone());
            let results = work.apply(&mut transaction);
            lookups = std::mem::take(&mut transaction.missing);
            if lookups.is_empty() {
                break (transaction, results);
            }
            let more = session.fetch.fetch(&session.client, &lookups, &mut fetched);
            match timeout(ROUND_TRIP, more).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return session.give_up(error).await,
                Err(_) => return Attempt::Lost(no_answer()),
            }
        };
        let applied = Applied {
            results,
            head: transaction.head,
            has_events: !transaction.events.is_empty(),
            won: std::mem::take(&mut transaction.won),
        };
        if transaction.is_empty() {
            return match timeout(ROUND_TRIP, session.client.batch_execute("ROLLBACK")).await {
                Ok(Ok(())) => Attempt::Done(applied),
                Ok(Err(error)) => Attempt::Lost(sql_error::write_error(error)),
                Err(_) => Attempt::Lost(no_answer()),
            };
        }
        if let Work::Prune(_) = work {
            match timeout(ROUND_TRIP, remove(&session.client, &transaction)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return session.give_up(error.into()).await,
                Err(_) => return Attempt::Lost(no_answer()),
            }
        }
        let renew_for = (!applied.won.is_empty() && is_renewal_due).then_some(LEASE.as_secs_f64());
        let flushed = session
            .flush
            .commit(&session.client, &transaction, me, renew_for);
        match timeout(ROUND_TRIP, flushed).await {
            Ok(Flushed::Committed) => {
                if renew_for.is_some() {
                    self.renewed_at = Some(Instant::now());
                }
                Attempt::Done(applied)
            }
            Ok(Flushed::Refused(error)) => Attempt::Refused(sql_error::write_error(error)),
            Ok(Flushed::Unknown(error)) => Attempt::Unknown(applied, sql_error::write_error(error)),
            Err(_) => Attempt::Unknown(applied, no_answer()),
        }
    }

    /// The listener says every second that this process lives, once it owns something.
    fn is_renewal_due(&self) -> bool {
        !self.shared.is_busy()
            || self
                .renewed_at
                .is_none_or(|renewed| renewed.elapsed() > LEASE - 3 * HEARTBEAT)
    }

    async fn session(&mut self) -> Result<&Session, JournalError> {
        if self
            .session
            .as_ref()
            .is_none_or(|session| session.client.is_closed())
        {
            let opened = timeout(ROUND_TRIP, Session::open(&self.address)).await;
            let opened = opened.map_err(|_| no_answer())?;
            self.session = Some(opened.map_err(sql_error::write_error)?);
        }
        self.session.as_ref().ok_or(JournalError::Closed)
    }
}

impl Session {
    async fn open(address: &Address) -> Result<Self, Error> {
        let (client, link) = address.connect().await?;
        let driver = tokio::spawn(link).abort_handle();
        client.batch_execute(SESSION).await?;
        let fetch = fetch::Statements::prepare(&client).await?;
        let flush = flush::Statements::prepare(&client).await?;
        Ok(Self {
            client,
            fetch,
            flush,
            driver,
        })
    }

    /// Whether what was in doubt is in the chain. The lock of the head is waited for: once it is given, no
    /// older transaction of this process can still be on its way.
    async fn holds(&self, applied: &Applied) -> Result<bool, JournalError> {
        let held = async {
            self.client
                .batch_execute("BEGIN; SELECT seq FROM holdpoint.head FOR UPDATE")
                .await?;
            let found = self
                .client
                .query_opt(
                    "SELECT hash FROM holdpoint.events WHERE seq = $1",
                    &[&column(applied.head.seq)],
                )
                .await?;
            // What is found may be on this server alone, to be lost with it. A commit behind it is acknowledged
            // only when both are wherever `synchronous_commit` wants them.
            let end = match found {
                Some(_) => "UPDATE holdpoint.head SET seq = seq; COMMIT",
                None => "ROLLBACK",
            };
            self.client.batch_execute(end).await?;
            Ok(found)
        };
        let found = held.await.map_err(sql_error::write_error)?;
        let hash = found.map(|row| digest(row.get(0))).transpose()?;
        // What changed no event can be done again.
        Ok(applied.has_events && hash == Some(applied.head.hash))
    }

    /// Ends a transaction that could not go on. Nothing of it was committed.
    async fn give_up(&self, error: FetchError) -> Attempt {
        let retry = match &error {
            FetchError::Database(error) => is_broken(error) || is_passing(error),
            FetchError::Damaged(_) => false,
        };
        let error = error.into_journal_error();
        let rolled_back = self.client.batch_execute("ROLLBACK");
        match timeout(ROUND_TRIP, rolled_back).await {
            Ok(Ok(())) if !retry => Attempt::Refused(error),
            _ => Attempt::Lost(error),
        }
    }
}

/// Whether another try may well succeed: a standby that is about to be promoted, a deadlock.
fn is_passing(error: &Error) -> bool {
    let code = error.code().map(|code| code.code());
    matches!(code, Some("25006" | "40001" | "40P01" | "53300"))
}

/// Applies each batch, all of it or nothing.
fn apply_all(transaction: &mut Transaction, batches: &[&[PreparedWrite]]) -> Vec<CommitResult> {
    let apply_batch = |batch: &&[PreparedWrite]| {
        let mark = transaction.begin();
        let result: CommitResult = batch
            .iter()
            .map(|write| apply(transaction, write))
            .collect();
        if result.is_err() {
            transaction.undo(&mark);
        }
        result
    };
    batches.iter().map(apply_batch).collect()
}

fn no_answer() -> JournalError {
    JournalError::write("PostgreSQL does not answer; see that the server is up and can be reached")
}
