//! Committing: whatever has queued goes in one transaction.
//!
//! An answer that is lost on its way is no answer: whether the transaction was committed is then looked up in
//! the chain, under the lock of its head, and the writes are applied again only where it was not.

use super::{
    connect::Address,
    fetch::{self, FetchError},
    flush::{self, Flushed, is_broken},
    liveness::{HEARTBEAT, LEASE},
    select_rows::{column, digest},
    shared::Shared,
    transaction::{Fetched, Lookups, Transaction},
};
use crate::{
    JournalError, Write, Written,
    postgres::sql_error,
    rules::{Head, PreparedWrite, apply},
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
/// index also before the first `ANALYZE`.
const SESSION: &str = "
    SET statement_timeout = 0;
    SET lock_timeout = 0;
    SET idle_in_transaction_session_timeout = '5s';
    SET client_connection_check_interval = '2s';
    SET enable_seqscan = off;
    SET plan_cache_mode = force_generic_plan;
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'";

/// Writes that are applied together, and who waits for them.
#[derive(Debug)]
pub(super) struct Batch {
    pub writes: Vec<Write>,
    pub result: oneshot::Sender<CommitResult>,
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
    results: Vec<CommitResult>,
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

    /// Commits until nobody can queue anything more.
    pub async fn run(mut self, mut queue: mpsc::UnboundedReceiver<Batch>) {
        while let Some(first) = queue.recv().await {
            let mut group = vec![first];
            while group.len() < MOST
                && let Ok(batch) = queue.try_recv()
            {
                group.push(batch);
            }
            self.commit(group).await;
        }
    }

    async fn commit(&mut self, group: Vec<Batch>) {
        let (batches, waiters): (Vec<_>, Vec<_>) = group
            .into_iter()
            .map(|batch| (PreparedWrite::prepare_batch(batch.writes), batch.result))
            .unzip();
        let ready: Vec<&[PreparedWrite]> = batches.iter().flatten().map(Vec::as_slice).collect();
        let mut results = match ready.is_empty() {
            true => Vec::new().into_iter(),
            false => self.transact(&ready).await.into_iter(),
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
        self.shared.counters.count_own();
    }

    /// Tries until it is known what came of the batches, or the database could not be reached for long.
    async fn transact(&mut self, batches: &[&[PreparedWrite]]) -> Vec<CommitResult> {
        let began = Instant::now();
        let mut in_doubt: Option<Applied> = None;
        let mut pause = Duration::from_millis(50);
        loop {
            let error = match self.try_once(batches, &mut in_doubt).await {
                Attempt::Done(applied) => return self.committed(batches, applied),
                Attempt::Refused(error) => {
                    return batches.iter().map(|_| Err(error.clone())).collect();
                }
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
                let error = match in_doubt {
                    Some(_) => JournalError::write(
                        "the connection to PostgreSQL broke during a commit, and it could not be \
                         looked up whether that happened; see that the server can be reached",
                    )
                    .with_source(error),
                    None => error,
                };
                return batches.iter().map(|_| Err(error.clone())).collect();
            }
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the connection to PostgreSQL broke; it is tried again"
            );
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(1));
        }
    }

    async fn try_once(
        &mut self,
        batches: &[&[PreparedWrite]],
        in_doubt: &mut Option<Applied>,
    ) -> Attempt {
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
        self.attempt(batches).await
    }

    /// One transaction: two round trips, and a further one where something was looked up that nobody foresaw.
    async fn attempt(&mut self, batches: &[&[PreparedWrite]]) -> Attempt {
        let (me, is_renewal_due) = (self.me, self.is_renewal_due());
        let Some(session) = &self.session else {
            return Attempt::Lost(no_answer());
        };
        let mut fetched = Fetched::default();
        let mut lookups = Lookups::of(batches.iter().copied().flatten());
        let begun = session.fetch.begin(&session.client, &lookups, &mut fetched);
        let head = match timeout(ROUND_TRIP, begun).await {
            Ok(Ok(head)) => head,
            Ok(Err(error)) => return session.give_up(error).await,
            Err(_) => return Attempt::Lost(no_answer()),
        };
        let (mut transaction, results) = loop {
            let mut transaction = Transaction::new(me, head, fetched.clone());
            let results = apply_all(&mut transaction, batches);
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

    fn committed(&mut self, batches: &[&[PreparedWrite]], applied: Applied) -> Vec<CommitResult> {
        self.shared.reach(applied.head.seq);
        let results = batches.iter().zip(&applied.results);
        let finished = results
            .filter(|(_, result)| result.is_ok())
            .flat_map(|(batch, _)| batch.iter())
            .filter_map(PreparedWrite::finished_call);
        self.shared.own(applied.won, finished);
        applied.results
    }

    async fn session(&mut self) -> Result<&Session, JournalError> {
        if self.session.as_ref().is_none_or(|it| it.client.is_closed()) {
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
            self.client.batch_execute("ROLLBACK").await?;
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
