//! Hearing of other servers' commits, and saying that this process lives.
//!
//! A notification may be lost, with its connection or otherwise; so the head is also read every second, and every five
//! where this process owns no call and nothing has happened for a while.

use super::{
    connect::{Address, Link},
    flush::CHANNEL,
    liveness::{self, HEARTBEAT, IDLE_HEARTBEAT, LEASE},
    select_rows::number,
    shared::Shared,
    sql_error::read_error,
};
use crate::JournalError;
use futures::stream::{self, StreamExt as _};
use holdpoint_ask::CallId;
use jiff::Timestamp;
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::{Notify, mpsc},
    task::AbortHandle,
    time::{Instant, sleep_until, timeout},
};
use tokio_postgres::{AsyncMessage, Client, Error, Statement};
use uuid::Uuid;

/// How long an answer is waited for before the connection counts as broken.
const ROUND_TRIP: Duration = Duration::from_secs(5);

/// For how long after the last commit that was heard of the head is read every second.
const ACTIVE: Duration = Duration::from_secs(60);

/// After how many signs of life calls that were lost to others are looked for.
const LOST_CALLS: u64 = 10;

/// After how many the leases of processes that are long gone are deleted.
const STALE: u64 = 600;

/// The last event, and what the database's clock shows, in milliseconds.
pub(super) const HEAD_AND_CLOCK: &str =
    "SELECT seq, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM holdpoint.head";

/// See the module.
#[derive(Debug)]
pub(super) struct Listener {
    pub address: Address,
    pub me: Uuid,
    pub shared: Arc<Shared>,
    /// Something is to be done now: an inbox watches no more.
    pub wake: Arc<Notify>,
    /// The journal is closed.
    pub close: Arc<Notify>,
    /// It listens.
    pub listens: Arc<Notify>,
}

struct Session {
    client: Client,
    notices: mpsc::UnboundedReceiver<String>,
    renew: Statement,
    head: Statement,
    driver: AbortHandle,
    beats: u64,
    pid: i32,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Listener {
    /// Listens until the journal is closed.
    pub async fn run(self) {
        let close = self.close.clone();
        let mut session = None;
        tokio::select! {
            () = close.notified() => {}
            () = self.listen(&mut session) => {}
        }
        if let Some(session) = session {
            // Others need not wait for the lease to run out.
            let _ = timeout(ROUND_TRIP, session.leave(self.me)).await;
        }
    }

    async fn listen(&self, slot: &mut Option<Session>) {
        let mut pause = Duration::from_millis(50);
        loop {
            match timeout(2 * ROUND_TRIP, Session::open(&self.address, self.me)).await {
                Ok(Ok(opened)) => {
                    pause = Duration::from_millis(50);
                    let session = slot.insert(opened);
                    self.shared.listen_as(session.pid);
                    self.listens.notify_one();
                    // Something may have been committed while nobody listened.
                    self.shared.counters.count_foreign();
                    if let Err(error) = self.follow(session).await {
                        warn(&error);
                    }
                    *slot = None;
                }
                Ok(Err(error)) => warn(&read_error(error)),
                Err(_) => warn(&no_answer()),
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(1));
        }
    }

    /// Listens on this connection until it breaks.
    async fn follow(&self, session: &mut Session) -> Result<(), JournalError> {
        let mut beat_at = Instant::now();
        let mut active_until = beat_at + ACTIVE;
        loop {
            tokio::select! {
                notice = session.notices.recv() => {
                    let Some(notice) = notice else {
                        return Err(JournalError::read("the connection that listens ended"));
                    };
                    self.hear(&notice);
                    // Its own commits are heard too: it may come to own a call by one.
                    active_until = Instant::now() + ACTIVE;
                    beat_at = beat_at.min(Instant::now() + HEARTBEAT);
                }
                () = self.wake.notified() => self.unwatch(session).await?,
                () = sleep_until(beat_at) => {
                    let beat = timeout(ROUND_TRIP, self.beat(session)).await;
                    beat.unwrap_or_else(|_| Err(no_answer()))?;
                    let idle = !self.shared.owns_calls() && Instant::now() > active_until;
                    beat_at = Instant::now() + if idle { IDLE_HEARTBEAT } else { HEARTBEAT };
                }
            }
        }
    }

    fn hear(&self, notice: &str) {
        let Some((owner, seq)) = notice.split_once(' ') else {
            return;
        };
        if owner == self.me.to_string() {
            return;
        }
        if let Ok(seq) = seq.parse() {
            self.shared.reach(seq);
        }
        self.shared.counters.count_foreign();
    }

    /// Says that this process lives, if anybody relies on it, and looks how far the chain came.
    async fn beat(&self, session: &mut Session) -> Result<(), JournalError> {
        session.beats += 1;
        let client = &session.client;
        if self.shared.is_busy() {
            let lease = LEASE.as_secs_f64();
            let renewed = client.execute(&session.renew, &[&self.me, &lease]).await;
            renewed.map_err(read_error)?;
            if session.beats.is_multiple_of(LOST_CALLS) {
                self.disown_lost(client).await.map_err(read_error)?;
            }
        }
        if session.beats.is_multiple_of(STALE) {
            delete_stale(client).await.map_err(read_error)?;
        }
        let asked = Timestamp::now();
        let head = client.query_one(&session.head, &[]).await;
        let head = head.map_err(read_error)?;
        self.shared.set_clock(head.get(1), asked, Timestamp::now());
        let seq = number(head.get(0))?;
        if self.shared.is_news(seq) {
            self.shared.counters.count_foreign();
        }
        self.unwatch(session).await
    }

    /// Takes inboxes that watch no more out of the table.
    async fn unwatch(&self, session: &Session) -> Result<(), JournalError> {
        unwatch(&session.client, &self.shared)
            .await
            .map_err(read_error)
    }

    /// Forgets calls that another process has taken over.
    async fn disown_lost(&self, client: &Client) -> Result<(), Error> {
        let owned: Vec<Uuid> = self
            .shared
            .owned()
            .iter()
            .map(|id| Uuid::from_bytes(*id.as_bytes()))
            .collect();
        let lost = client
            .query(
                "SELECT id FROM holdpoint.calls
                 WHERE id = ANY($1) AND (owner <> $2 OR finished IS NOT NULL)",
                &[&owned, &self.me],
            )
            .await?;
        let id = |row: &tokio_postgres::Row| CallId::from_bytes(row.get::<_, Uuid>(0).into_bytes());
        let lost: Vec<_> = lost.iter().map(id).collect();
        self.shared.disown(&lost);
        Ok(())
    }
}

/// Takes inboxes of this process that watch no more out of the table.
pub(super) async fn unwatch(client: &Client, shared: &Shared) -> Result<(), Error> {
    let released = shared.released();
    if released.is_empty() {
        return Ok(());
    }
    client
        .execute(
            "DELETE FROM holdpoint.watchers WHERE id = ANY($1)",
            &[&released],
        )
        .await?;
    shared.forget(&released);
    Ok(())
}

async fn delete_stale(client: &Client) -> Result<(), Error> {
    client
        .batch_execute(
            "DELETE FROM holdpoint.owners WHERE lease_until < clock_timestamp() - interval '1 day';
             DELETE FROM holdpoint.watchers w
             WHERE NOT EXISTS (SELECT 1 FROM holdpoint.owners o WHERE o.id = w.owner)",
        )
        .await
}

impl Session {
    async fn open(address: &Address, me: Uuid) -> Result<Self, Error> {
        let (client, link) = address.connect().await?;
        let (sender, notices) = mpsc::unbounded_channel();
        let driver = tokio::spawn(drive(link, sender)).abort_handle();
        // A sign of life that is lost in a crash is given again within a second.
        client
            .batch_execute(&format!(
                "SET synchronous_commit = off; SET statement_timeout = 0; LISTEN {CHANNEL}; {}",
                liveness::take_locks(me)
            ))
            .await?;
        let pid = client.query_one("SELECT pg_backend_pid()", &[]).await?;
        Ok(Self {
            pid: pid.get(0),
            renew: client.prepare(liveness::RENEW).await?,
            head: client.prepare(HEAD_AND_CLOCK).await?,
            client,
            notices,
            driver,
            beats: 0,
        })
    }

    /// Takes this process out of the tables.
    async fn leave(&self, me: Uuid) -> Result<(), Error> {
        let (watchers, owners) = (
            "DELETE FROM holdpoint.watchers WHERE owner = $1",
            "DELETE FROM holdpoint.owners WHERE id = $1",
        );
        self.client.execute(watchers, &[&me]).await?;
        self.client.execute(owners, &[&me]).await?;
        Ok(())
    }
}

/// Moves a connection on, and hands on what is notified.
async fn drive(mut link: Link, notices: mpsc::UnboundedSender<String>) {
    let mut messages = stream::poll_fn(move |context| link.poll_message(context));
    while let Some(Ok(message)) = messages.next().await {
        if let AsyncMessage::Notification(notice) = message
            && notices.send(notice.payload().to_owned()).is_err()
        {
            return;
        }
    }
}

fn no_answer() -> JournalError {
    JournalError::read("PostgreSQL does not answer")
}

fn warn(error: &JournalError) {
    tracing::warn!(
        error = error as &dyn std::error::Error,
        "other servers' commits are not heard at the moment; the connection is tried again"
    );
}
