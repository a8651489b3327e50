//! Writing what a transaction changed: one statement for each table, all sent at once.

use super::{
    fetch::name_digest,
    liveness,
    select_rows::{column, uuid},
    transaction::{Extra, Transaction, label},
};
use futures::{future::OptionFuture, join};
use tokio_postgres::{Client, Error, Statement, types::ToSql};
use uuid::Uuid;

/// The channel on which a commit is told to other servers; its text is the process that committed and the
/// number of the last event.
pub(super) const CHANNEL: &str = "holdpoint";

/// The statements that write, prepared.
#[derive(Debug)]
pub(super) struct Statements {
    events: Statement,
    calls: Statement,
    asks: Statement,
    steps: Statement,
    grants: Statement,
    insert_parcels: Statement,
    drop_parcels: Statement,
    renew: Statement,
    renew_until: Statement,
    head: Statement,
    notify: Statement,
}

/// How a commit ended, as far as this side knows.
#[derive(Debug)]
pub(super) enum Flushed {
    /// It is durable.
    Committed,
    /// The database refused it: nothing of it happened.
    Refused(Error),
    /// The connection broke before the answer came.
    Unknown(Error),
}

impl Statements {
    pub async fn prepare(client: &Client) -> Result<Self, Error> {
        Ok(Self {
            events: client
                .prepare(
                    "INSERT INTO holdpoint.events (seq, at, kind, call, ask, body, hash)
                     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::uuid[],
                         $5::uuid[], $6::text[], $7::bytea[])",
                )
                .await?,
            calls: client
                .prepare(
                    "INSERT INTO holdpoint.calls
                         (id, opened, owner, epoch, finished, binding, method, tool, server)
                     SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::bigint[],
                         $5::bigint[], $6::bytea[], $7::text[], $8::text[], $9::text[])
                     ON CONFLICT (id) DO UPDATE SET owner = excluded.owner,
                         epoch = excluded.epoch, finished = excluded.finished",
                )
                .await?,
            asks: client
                .prepare(
                    "INSERT INTO holdpoint.asks (id, call, principal, secret, dangerous, opened,
                         deadline_at, refusals, refused, decided, gone)
                     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[],
                         $5::boolean[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
                         $10::bigint[], $11::boolean[])
                     ON CONFLICT (id) DO UPDATE SET deadline_at = excluded.deadline_at,
                         refusals = excluded.refusals, refused = excluded.refused,
                         decided = excluded.decided, gone = excluded.gone",
                )
                .await?,
            steps: client
                .prepare(
                    "INSERT INTO holdpoint.steps
                         (call, name, name_digest, occurrence, epoch, started, finished)
                     SELECT * FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::bigint[],
                         $5::bigint[], $6::bigint[], $7::bigint[])
                     ON CONFLICT (call, name_digest, occurrence) DO UPDATE
                     SET finished = excluded.finished",
                )
                .await?,
            grants: client
                .prepare(
                    "INSERT INTO holdpoint.grants (id, ask, principal, purpose, digest, issued_at,
                         expires_at, redeemed_at)
                     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[],
                         $5::bytea[], $6::bigint[], $7::bigint[], $8::bigint[])
                     ON CONFLICT (id) DO UPDATE SET redeemed_at = excluded.redeemed_at",
                )
                .await?,
            insert_parcels: client
                .prepare(
                    "INSERT INTO holdpoint.parcels (ask, sealed)
                     SELECT * FROM unnest($1::uuid[], $2::bytea[])",
                )
                .await?,
            drop_parcels: client
                .prepare("DELETE FROM holdpoint.parcels WHERE ask = ANY($1)")
                .await?,
            renew: client.prepare(liveness::RENEW).await?,
            renew_until: client
                .prepare(
                    "INSERT INTO holdpoint.owners (id, seen_at, lease_until)
                     SELECT id, clock_timestamp(), to_timestamp(until)
                     FROM unnest($1::uuid[], $2::float8[]) AS renewed (id, until)
                     ON CONFLICT (id) DO UPDATE
                     SET seen_at = excluded.seen_at, lease_until = excluded.lease_until",
                )
                .await?,
            head: client
                .prepare("UPDATE holdpoint.head SET seq = $1, hash = $2")
                .await?,
            notify: client.prepare("SELECT pg_notify($1, $2)").await?,
        })
    }

    /// Writes what was changed, says so to the other servers, and commits.
    pub async fn commit(
        &self,
        client: &Client,
        transaction: &Transaction,
        me: Uuid,
        renew_for: Option<f64>,
    ) -> Flushed {
        let events = Columns::events(transaction);
        let calls = Columns::calls(transaction);
        let asks = Columns::asks(transaction);
        let steps = Columns::steps(transaction);
        let grants = Columns::grants(transaction);
        let (parcels, dropped, renewed) = Columns::extras(transaction);
        let head = Columns {
            values: vec![
                Box::new(column(transaction.head.seq)),
                Box::new(transaction.head.hash.as_bytes().to_vec()),
            ],
            any: events.any,
        };
        let notice = Columns {
            values: vec![
                Box::new(CHANNEL),
                Box::new(format!("{me} {}", transaction.head.seq)),
            ],
            any: events.any,
        };
        let lease = Columns {
            values: vec![Box::new(me), Box::new(renew_for.unwrap_or_default())],
            any: renew_for.is_some(),
        };
        let (a, b, c, d, e, f, g, h, i, j, k, committed) = join!(
            run(client, &self.events, &events),
            run(client, &self.calls, &calls),
            run(client, &self.asks, &asks),
            run(client, &self.steps, &steps),
            run(client, &self.grants, &grants),
            run(client, &self.insert_parcels, &parcels),
            run(client, &self.drop_parcels, &dropped),
            run(client, &self.renew_until, &renewed),
            run(client, &self.renew, &lease),
            run(client, &self.head, &head),
            run(client, &self.notify, &notice),
            client.batch_execute("COMMIT"),
        );
        let written = [a, b, c, d, e, f, g, h, i, j, k]
            .into_iter()
            .collect::<Result<Vec<_>, _>>();
        match (written, committed) {
            (Ok(_), Ok(())) => Flushed::Committed,
            // COMMIT of a transaction that failed rolls it back.
            (Err(error), Ok(())) => Flushed::Refused(error),
            (_, Err(error)) if is_broken(&error) => Flushed::Unknown(error),
            (_, Err(error)) => Flushed::Refused(error),
        }
    }
}

/// Whether the connection is of no more use: it broke, or the server ended it.
pub(super) fn is_broken(error: &Error) -> bool {
    match error.code() {
        None => true,
        // Of class 57, all but a statement that was cancelled end the session. 25P03: idle for too long.
        Some(code) => {
            let code = code.code();
            code.starts_with("57P") || code.starts_with("08") || code == "25P03"
        }
    }
}

/// The values of a statement, a list for each column.
struct Columns {
    values: Vec<Box<dyn ToSql + Sync + Send>>,
    /// Whether the statement has anything to do.
    any: bool,
}

async fn run(client: &Client, statement: &Statement, columns: &Columns) -> Result<u64, Error> {
    let values: Vec<&(dyn ToSql + Sync)> = columns
        .values
        .iter()
        .map(|column| &**column as &(dyn ToSql + Sync))
        .collect();
    let ran = columns.any.then(|| client.execute(statement, &values));
    OptionFuture::from(ran).await.unwrap_or(Ok(0))
}

fn list<T, V: ToSql + Sync + Send + 'static>(
    rows: &[T],
    value: impl Fn(&T) -> V,
) -> Box<dyn ToSql + Sync + Send> {
    let values: Vec<V> = rows.iter().map(value).collect();
    Box::new(values)
}

impl Columns {
    fn events(transaction: &Transaction) -> Self {
        let rows = &transaction.events;
        let values: Vec<Box<dyn ToSql + Sync + Send>> = vec![
            list(rows, |row| column(row.seq)),
            list(rows, |row| row.at),
            list(rows, |row| row.kind.as_str()),
            list(rows, |row| row.call.map(|id| uuid(id.as_bytes()))),
            list(rows, |row| row.ask.map(|id| uuid(id.as_bytes()))),
            list(rows, |row| row.body.clone()),
            list(rows, |row| row.hash.as_bytes().to_vec()),
        ];
        Self {
            values,
            any: !rows.is_empty(),
        }
    }

    fn calls(transaction: &Transaction) -> Self {
        let rows: Vec<_> = transaction.calls.changed().collect();
        let labels = |row: &&crate::rules::CallRow| transaction.labels.get(&row.id);
        let values: Vec<Box<dyn ToSql + Sync + Send>> = vec![
            list(&rows, |row| uuid(row.id.as_bytes())),
            list(&rows, |row| column(row.opened)),
            list(&rows, |row| row.owner),
            list(&rows, |row| column(row.epoch)),
            list(&rows, |row| row.finished.map(column)),
            list(&rows, |row| {
                row.binding.map(|binding| binding.0.as_bytes().to_vec())
            }),
            list(&rows, |row| {
                labels(row).map_or_else(String::new, |found| label(&found.method).into_owned())
            }),
            list(&rows, |row| {
                let tool = labels(row)?.origin.tool.as_deref();
                tool.map(|tool| label(tool).into_owned())
            }),
            list(&rows, |row| {
                let server = labels(row)?.origin.server.as_deref();
                server.map(|server| label(server).into_owned())
            }),
        ];
        Self {
            values,
            any: !rows.is_empty(),
        }
    }

    fn asks(transaction: &Transaction) -> Self {
        let rows: Vec<_> = transaction.asks.changed().collect();
        let values: Vec<Box<dyn ToSql + Sync + Send>> = vec![
            list(&rows, |row| uuid(row.id.as_bytes())),
            list(&rows, |row| row.call.map(|id| uuid(id.as_bytes()))),
            list(&rows, |row| row.principal.clone()),
            list(&rows, |row| row.secret),
            list(&rows, |row| row.dangerous),
            list(&rows, |row| column(row.opened)),
            list(&rows, |row| row.deadline_at),
            list(&rows, |row| i64::from(row.refusals)),
            list(&rows, |row| row.refused.map(column)),
            list(&rows, |row| row.decided.map(column)),
            list(&rows, |row| row.gone),
        ];
        Self {
            values,
            any: !rows.is_empty(),
        }
    }

    fn steps(transaction: &Transaction) -> Self {
        let rows: Vec<_> = transaction.steps.changed().collect();
        let values: Vec<Box<dyn ToSql + Sync + Send>> = vec![
            list(&rows, |row| uuid(row.call.as_bytes())),
            list(&rows, |row| row.name.clone()),
            list(&rows, |row| name_digest(&row.name)),
            list(&rows, |row| i64::from(row.occurrence)),
            list(&rows, |row| column(row.epoch)),
            list(&rows, |row| column(row.started)),
            list(&rows, |row| row.finished.map(column)),
        ];
        Self {
            values,
            any: !rows.is_empty(),
        }
    }

    fn grants(transaction: &Transaction) -> Self {
        let rows: Vec<_> = transaction.grants.changed().collect();
        let values: Vec<Box<dyn ToSql + Sync + Send>> = vec![
            list(&rows, |row| uuid(row.id.as_bytes())),
            list(&rows, |row| uuid(row.ask.as_bytes())),
            list(&rows, |row| row.principal.clone()),
            list(&rows, |row| row.purpose.clone()),
            list(&rows, |row| row.digest.as_bytes().to_vec()),
            list(&rows, |row| row.issued_at.as_millisecond()),
            list(&rows, |row| row.expires_at.as_millisecond()),
            list(&rows, |row| row.redeemed_at.map(|at| at.as_millisecond())),
        ];
        Self {
            values,
            any: !rows.is_empty(),
        }
    }

    /// Parcels that came, parcels that went, and leases.
    fn extras(transaction: &Transaction) -> (Self, Self, Self) {
        let (mut asks, mut sealed, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
        let mut renewed = std::collections::BTreeMap::new();
        for extra in &transaction.extras {
            match extra {
                Extra::InsertParcel(ask, parcel) => {
                    asks.push(uuid(ask.as_bytes()));
                    sealed.push(parcel.clone());
                }
                Extra::DropParcel(ask) => dropped.push(uuid(ask.as_bytes())),
                // These went before.
                Extra::DropGrants(_) | Extra::DropBodies(..) => {}
                Extra::Renew(owner, until) => {
                    renewed.insert(*owner, *until as f64 / 1000.0);
                }
            }
        }
        let (owners, until): (Vec<_>, Vec<_>) = renewed.into_iter().unzip();
        let parcels = Self {
            any: !asks.is_empty(),
            values: vec![Box::new(asks), Box::new(sealed)],
        };
        let dropped = Self {
            any: !dropped.is_empty(),
            values: vec![Box::new(dropped)],
        };
        let renewed = Self {
            any: !owners.is_empty(),
            values: vec![Box::new(owners), Box::new(until)],
        };
        (parcels, dropped, renewed)
    }
}
