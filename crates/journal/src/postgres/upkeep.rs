//! What is done with the record as a whole.

use super::{
    PostgresJournal,
    committer::Job,
    query::{select, select_events},
    schema::{self, Found},
    select_rows::{EVENT_COLUMNS, column, event_link, number},
    sql_error::read_error,
    vault,
};
use crate::{BoxFuture, Condition, Event, JournalError, PruneBatch, StoredEvent, Upkeep};
use futures::FutureExt as _;
use holdpoint_ask::{AskId, CallId};
use tokio::sync::oneshot;
use tokio_postgres::Row;
use uuid::Uuid;

impl Upkeep for PostgresJournal {
    fn stored_events(
        &self,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredEvent>, JournalError>> {
        self.read(move |client| async move {
            let sql = format!(
                "SELECT {EVENT_COLUMNS} FROM holdpoint.events e
                 WHERE e.seq > $1 ORDER BY e.seq LIMIT $2"
            );
            let found = select(&client, &sql, &[&column(after), &column(limit)]).await?;
            found.iter().map(stored_event).collect()
        })
    }

    fn import(&self, events: Vec<StoredEvent>) -> BoxFuture<'_, Result<(), JournalError>> {
        let (done, result) = oneshot::channel();
        let queued = self.queue(Job::Import(events, done));
        async move {
            queued?;
            result.await.unwrap_or(Err(JournalError::Closed))
        }
        .boxed()
    }

    fn key_names(&self) -> BoxFuture<'_, Result<Vec<String>, JournalError>> {
        self.read(|client| async move { vault::all_names(&client, "vault_keys").await })
    }

    fn put_key(&self, name: &str, key: [u8; 32]) -> BoxFuture<'_, Result<(), JournalError>> {
        let (name, secret) = (name.to_owned(), self.secret.clone());
        self.read(move |client| {
            let (name, secret) = (name.clone(), secret.clone());
            async move { vault::put_key(&client, &secret, &name, key).await }
        })
    }

    fn value_names(&self) -> BoxFuture<'_, Result<Vec<String>, JournalError>> {
        self.read(|client| async move { vault::all_names(&client, "vault").await })
    }

    fn prune_batch(&self, batch: PruneBatch) -> BoxFuture<'_, Result<u64, JournalError>> {
        let (done, result) = oneshot::channel();
        let queued = self.queue(Job::Prune(batch, done));
        async move {
            queued?;
            result.await.unwrap_or(Err(JournalError::Closed))
        }
        .boxed()
    }

    fn last_pruned(&self) -> BoxFuture<'_, Result<Option<Event>, JournalError>> {
        self.read(|client| async move {
            let rest = "WHERE e.kind = 'pruned' ORDER BY e.seq DESC LIMIT 1";
            let found = select_events(&client, rest, &[]).await?;
            Ok(found.into_iter().next())
        })
    }

    /// PostgreSQL uses the space again by itself, for what comes later.
    fn free_space(&self) -> BoxFuture<'_, Result<bool, JournalError>> {
        self.read(|client| async move {
            let vacuum = "VACUUM (ANALYZE) holdpoint.events, holdpoint.calls, holdpoint.asks, \
                          holdpoint.steps, holdpoint.grants, holdpoint.index_asks, \
                          holdpoint.index_runs, holdpoint.index_texts";
            client.batch_execute(vacuum).await.map_err(read_error)?;
            Ok(true)
        })
    }

    fn condition(&self) -> BoxFuture<'_, Result<Condition, JournalError>> {
        self.read(|client| async move {
            let sql = "SELECT current_setting('server_version'),
                           (SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c
                            WHERE c.relnamespace = 'holdpoint'::regnamespace AND c.relkind = 'r')";
            let found = client.query_one(sql, &[]).await.map_err(read_error)?;
            let state = match schema::look(&**client).await.map_err(read_error)? {
                Found::Ours(state) => state,
                _ => return Err(JournalError::damaged(schema::foreign())),
            };
            let engine = format!("PostgreSQL {}", found.get::<_, &str>(0));
            let mut condition = Condition::new(engine, state.version, state.lowest_writer);
            condition.bytes = found.get::<_, Option<i64>>(1).map(number).transpose()?;
            Ok(condition)
        })
    }

    fn is_open_elsewhere(&self) -> BoxFuture<'_, Result<bool, JournalError>> {
        let me = self.shared.listening_as();
        self.read(move |client| async move {
            let sql = "SELECT EXISTS (
                    SELECT 1 FROM pg_locks l, hashtextextended('holdpoint open', 0) AS key
                    WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
                        AND l.database = (SELECT oid FROM pg_database
                                          WHERE datname = current_database())
                        AND l.classid::bigint = (key >> 32) & 4294967295
                        AND l.objid::bigint = key & 4294967295
                        AND l.pid <> $1)";
            let found = select(&client, sql, &[&me]).await?;
            Ok(found.first().is_some_and(|row| row.get(0)))
        })
    }
}

fn stored_event(row: &Row) -> Result<StoredEvent, JournalError> {
    event_link(row, |link, hash| {
        Ok(StoredEvent {
            seq: link.seq,
            at: link.at,
            kind: link.kind.to_owned(),
            call: row
                .get::<_, Option<Uuid>>(3)
                .map(|id| CallId::from_bytes(id.into_bytes())),
            ask: row
                .get::<_, Option<Uuid>>(4)
                .map(|id| AskId::from_bytes(id.into_bytes())),
            body: link.body.to_owned(),
            hash,
        })
    })
}
