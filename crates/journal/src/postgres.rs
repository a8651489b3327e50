//! The journal in PostgreSQL: for several servers, on several machines, that share one record.
//!
//! Each server commits on one connection, whatever has queued in one transaction, reads on a pool of others,
//! and has one more on which it listens for other servers' commits and says that it lives. The row
//! `holdpoint.head` is the last event: a transaction takes its lock first, so all servers' transactions are
//! one after the other, and what the rules read in one holds until it commits.

use crate::{
    AskQuery, AskRecord, CallBinding, CallHistory, Event, EventKind, GrantRecord, Journal,
    JournalError, Watcher, Write, Written, seal::Secret,
};
use background::Background;
use committer::{Committer, Job};
use connect::Address;
use deadpool_postgres::Client;
use futures::future::{BoxFuture, FutureExt as _, ready};
use holdpoint_ask::{AskId, CallId, GrantId};
use jiff::{SignedDuration, Timestamp};
use listener::Listener;
use readers::Readers;
use search_index::SearchIndex;
use serde_json::Value;
use shared::Shared;
use std::{sync::Arc, time::Duration};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use uuid::Uuid;

mod background;
mod committer;
mod connect;
mod connection_config;
mod connection_url;
mod fetch;
mod find_calls;
mod flush;
mod history;
mod inspect;
mod listener;
mod liveness;
mod lookups;
mod password;
mod prepare;
mod query;
mod readers;
mod records;
mod removal;
mod schema;
mod search_index;
mod select_rows;
mod server;
mod shared;
mod sql_error;
mod table;
mod tls;
mod tls_stream;
mod transaction;
mod upkeep;
mod vault;
mod verify;

pub use inspect::{CONNECTIONS_OF_A_SERVER, Inspection, Schema, inspect};

/// How long the first connection that listens is waited for; it is tried on after that.
const FIRST_CONNECTION: Duration = Duration::from_secs(10);

/// A journal in PostgreSQL.
#[derive(Debug)]
pub struct PostgresJournal {
    owner: Uuid,
    /// None where it is only looked at.
    queue: Option<mpsc::UnboundedSender<Job>>,
    readers: Readers,
    search_index: Arc<SearchIndex>,
    shared: Arc<Shared>,
    wake: Arc<Notify>,
    background: Background,
    /// What seals private values.
    secret: Arc<Secret>,
}

impl PostgresJournal {
    /// Opens the journal in this database, and makes its tables if they are missing.
    ///
    /// # Errors
    /// When the address cannot be read, the server cannot be reached or is no PostgreSQL of version 14 or
    /// newer, the role lacks a right, or the tables are those of something else or of a newer Holdpoint;
    /// the database is then left as it was.
    pub async fn open(url: &str) -> Result<Self, JournalError> {
        let (mut journal, address) = Self::connect(url, true).await?;
        let (queue, batches) = mpsc::unbounded_channel();
        let close = Arc::new(Notify::new());
        let committer = Committer::new(address.clone(), journal.owner, journal.shared.clone());
        let listens = Arc::new(Notify::new());
        let listener = Listener {
            address,
            me: journal.owner,
            shared: journal.shared.clone(),
            wake: journal.wake.clone(),
            close: close.clone(),
            listens: listens.clone(),
        };
        journal.background.spawn_last(async move {
            let listening = tokio::spawn(listener.run());
            Box::pin(committer.run(batches)).await;
            close.notify_one();
            let _ = listening.await;
        });
        journal.queue = Some(queue);
        // From here on no commit goes unheard, and others see that the journal is open.
        let first = async move {
            let _ = tokio::time::timeout(FIRST_CONNECTION, listens.notified()).await;
            Ok(())
        };
        journal.background.run(first).await?;
        Ok(journal)
    }

    /// Opens the journal in this database only to look at it: nothing is made or changed, so that also a
    /// standby can be read.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub async fn open_read_only(url: &str) -> Result<Self, JournalError> {
        let (journal, _) = Self::connect(url, false).await?;
        Ok(journal)
    }

    async fn connect(url: &str, to_write: bool) -> Result<(Self, Address), JournalError> {
        let secret = Arc::new(Secret::from_environment()?);
        let background = Background::start()?;
        let url = url.to_owned();
        let address = background.run(async move {
            if to_write {
                prepare::for_writing(&url).await
            } else {
                prepare::for_reading(&url).await
            }
        });
        let address = address.await?;
        let readers = Readers::new(&address)?;
        let shared = Arc::new(Shared::default());
        let (known, at) = (shared.clone(), readers.clone());
        background
            .run(async move {
                let client = at.get().await?;
                let asked = Timestamp::now();
                let head = client.query_one(listener::HEAD_AND_CLOCK, &[]).await;
                let head = head.map_err(sql_error::read_error)?;
                known.set_clock(head.get(1), asked, Timestamp::now());
                Ok(())
            })
            .await?;
        let journal = Self {
            owner: if to_write {
                Uuid::now_v7()
            } else {
                Uuid::nil()
            },
            queue: None,
            readers,
            search_index: Arc::new(SearchIndex::new(to_write)),
            shared,
            wake: Arc::new(Notify::new()),
            background,
            secret,
        };
        Ok((journal, address))
    }

    /// Queues something for the connection that writes.
    fn queue(&self, job: Job) -> Result<(), JournalError> {
        let queue = self.queue.as_ref().ok_or_else(only_looked_at)?;
        queue.send(job).map_err(|_| JournalError::Closed)
    }

    /// Reads on one of the readers' connections.
    fn read<T: Send + 'static, F>(
        &self,
        read: impl Fn(Client) -> F + Send + Sync + 'static,
    ) -> BoxFuture<'_, Result<T, JournalError>>
    where
        F: Future<Output = Result<T, JournalError>> + Send + 'static,
    {
        let readers = self.readers.clone();
        self.background
            .run(async move { readers.read(read).await })
            .boxed()
    }
}

impl Drop for PostgresJournal {
    fn drop(&mut self) {
        // What has queued is committed first.
        if self.queue.take().is_some() {
            self.background.stop();
        }
    }
}

impl Journal for PostgresJournal {
    fn commit(&self, writes: Vec<Write>) -> BoxFuture<'static, Result<Vec<Written>, JournalError>> {
        let (result, done) = oneshot::channel();
        let queued = self.queue(Job::Commit(writes, result));
        async move {
            queued?;
            done.await.unwrap_or(Err(JournalError::Closed))
        }
        .boxed()
    }

    fn ask(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskRecord>, JournalError>> {
        self.read(move |client| async move { query::ask(&client, id).await })
    }

    fn asks(&self, query: AskQuery) -> BoxFuture<'_, Result<Vec<AskRecord>, JournalError>> {
        self.read(move |client| {
            let query = query.clone();
            async move { query::asks(&client, &query).await }
        })
    }

    fn open_asks(&self) -> BoxFuture<'_, Result<u64, JournalError>> {
        self.read(|client| async move { query::open_asks(&client).await })
    }

    fn call(&self, id: CallId) -> BoxFuture<'_, Result<Option<CallHistory>, JournalError>> {
        self.read(move |mut client| async move { query::call(&mut client, id).await })
    }

    fn unfinished_calls(
        &self,
        binding: CallBinding,
    ) -> BoxFuture<'_, Result<Vec<CallId>, JournalError>> {
        let me = self.owner;
        self.read(move |client| async move { query::unfinished_calls(&client, binding, me).await })
    }

    fn latest_step(
        &self,
        name: &str,
        server: Option<&str>,
    ) -> BoxFuture<'_, Result<Option<(CallId, Value)>, JournalError>> {
        let wanted = (name.to_owned(), server.map(str::to_owned));
        self.read(move |client| {
            let (name, server) = wanted.clone();
            async move { query::latest_step(&client, &name, server.as_deref()).await }
        })
    }

    fn latest_steps(
        &self,
        prefix: &str,
        server: Option<&str>,
    ) -> BoxFuture<'_, Result<Vec<(String, Value)>, JournalError>> {
        let wanted = (prefix.to_owned(), server.map(str::to_owned));
        self.read(move |client| {
            let (prefix, server) = wanted.clone();
            async move { query::latest_steps(&client, &prefix, server.as_deref()).await }
        })
    }

    fn grant(&self, id: GrantId) -> BoxFuture<'_, Result<Option<GrantRecord>, JournalError>> {
        self.read(move |client| async move { query::grant(&client, id).await })
    }

    fn unused_grants(
        &self,
        purpose: &str,
    ) -> BoxFuture<'_, Result<Vec<GrantRecord>, JournalError>> {
        let purpose = purpose.to_owned();
        self.read(move |client| {
            let purpose = purpose.clone();
            async move { query::unused_grants(&client, &purpose).await }
        })
    }

    fn events(&self, after: u64, limit: usize) -> BoxFuture<'_, Result<Vec<Event>, JournalError>> {
        self.read(move |client| async move { query::events(&client, after, limit).await })
    }

    fn guard_events(
        &self,
        kinds: &'static [EventKind],
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Event>, JournalError>> {
        self.read(move |client| async move { query::guard_events(&client, kinds, limit).await })
    }

    fn head(&self) -> BoxFuture<'_, Result<u64, JournalError>> {
        self.read(|client| async move { query::head(&client).await })
    }

    fn commits(&self) -> watch::Receiver<u64> {
        self.shared.counters.all.subscribe()
    }

    fn foreign_commits(&self) -> watch::Receiver<u64> {
        self.shared.counters.foreign.subscribe()
    }

    fn clock_offset(&self) -> SignedDuration {
        self.shared.clock_offset()
    }

    fn owner(&self) -> Uuid {
        self.owner
    }

    fn is_alive(&self, owner: Uuid) -> BoxFuture<'_, Result<bool, JournalError>> {
        if owner == self.owner {
            return ready(Ok(true)).boxed();
        }
        self.read(move |client| async move { query::is_alive(&client, owner).await })
    }

    fn watch(&self) -> BoxFuture<'_, Result<Watcher, JournalError>> {
        if self.queue.is_none() {
            return ready(Err(only_looked_at())).boxed();
        }
        let (id, owner) = (Uuid::now_v7(), self.owner);
        let (shared, wake) = (self.shared.clone(), self.wake.clone());
        let announced =
            self.read(move |client| async move { query::watch(&client, id, owner).await });
        async move {
            announced.await?;
            shared.watch(id);
            Ok(Watcher::new(Watching { id, shared, wake }))
        }
        .boxed()
    }

    fn is_watched(&self) -> BoxFuture<'_, Result<bool, JournalError>> {
        let shared = self.shared.clone();
        self.read(move |client| {
            let shared = shared.clone();
            async move {
                listener::unwatch(&client, &shared)
                    .await
                    .map_err(sql_error::read_error)?;
                query::is_watched(&client).await
            }
        })
    }
}

fn only_looked_at() -> JournalError {
    JournalError::write("the journal was opened only to look at it")
}

/// An inbox that watches.
struct Watching {
    id: Uuid,
    shared: Arc<Shared>,
    wake: Arc<Notify>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.shared.unwatch(self.id);
        self.wake.notify_one();
    }
}
