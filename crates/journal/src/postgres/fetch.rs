//! Fetching what the rules will look up, under the lock of the head and in one round trip.

use super::{
    liveness,
    lookups::{Fetched, Lookups, StepKey},
    schema::{self, GUARD_EVENTS},
    select_rows::{self, ASK_COLUMNS, CALL_COLUMNS, GRANT_COLUMNS, STEP_COLUMNS},
};
use crate::{
    EventKind, JournalError,
    postgres::{
        select_rows::{column, uuid},
        sql_error::write_error,
    },
    rules::Head,
};
use futures::{future::OptionFuture, join};
use holdpoint_ask::{AskId, Digest};
use tokio_postgres::{Client, Error, Row, Statement, types::ToSql};
use uuid::Uuid;

/// The statements that fetch, prepared.
#[derive(Debug)]
pub(super) struct Statements {
    head: Statement,
    calls: Statement,
    asks: Statement,
    steps: Statement,
    grants: Statement,
    granted: Statement,
    bodies: Statement,
    hashes: Statement,
    owners: Statement,
    last_pin: Statement,
}

impl Statements {
    pub async fn prepare(client: &Client) -> Result<Self, Error> {
        let calls = format!("SELECT {CALL_COLUMNS} FROM holdpoint.calls c WHERE c.id = ANY($1)");
        let asks = format!("SELECT {ASK_COLUMNS} FROM holdpoint.asks a WHERE a.id = ANY($1)");
        let steps = format!(
            "SELECT {STEP_COLUMNS}
             FROM unnest($1::uuid[], $2::bytea[], $3::bigint[]) AS k (call, name_digest, occurrence)
             JOIN holdpoint.steps s USING (call, name_digest, occurrence)"
        );
        let grants = format!("SELECT {GRANT_COLUMNS} FROM holdpoint.grants g WHERE g.id = ANY($1)");
        let pins: Vec<_> = EventKind::PIN
            .iter()
            .map(|kind| format!("'{}'", kind.as_str()))
            .collect();
        let last_pin = format!(
            "SELECT seq FROM holdpoint.events WHERE {GUARD_EVENTS} AND kind IN ({})
             ORDER BY seq DESC LIMIT 1",
            pins.join(", ")
        );
        let owners = format!(
            "SELECT o.id, {} FROM holdpoint.owners o WHERE o.id = ANY($1)",
            liveness::IS_ALIVE
        );
        Ok(Self {
            head: client
                .prepare("SELECT seq, hash, lowest_writer FROM holdpoint.head FOR UPDATE")
                .await?,
            calls: client.prepare(&calls).await?,
            asks: client.prepare(&asks).await?,
            steps: client.prepare(&steps).await?,
            grants: client.prepare(&grants).await?,
            granted: client
                .prepare("SELECT DISTINCT ask FROM holdpoint.grants WHERE ask = ANY($1)")
                .await?,
            bodies: client
                .prepare("SELECT seq, kind, body FROM holdpoint.events WHERE seq = ANY($1)")
                .await?,
            hashes: client
                .prepare(
                    "SELECT seq, hash FROM holdpoint.events
                     WHERE seq = ANY($1) AND NOT starts_with(body, 'pruned by ')",
                )
                .await?,
            owners: client.prepare(&owners).await?,
            last_pin: client.prepare(&last_pin).await?,
        })
    }

    /// Begins a transaction, takes the lock of the head, and fetches what is looked up.
    pub async fn begin(
        &self,
        client: &Client,
        lookups: &Lookups,
        fetched: &mut Fetched,
    ) -> Result<Head, FetchError> {
        // Sent one behind the other without waiting; each sees what was committed before the lock was given.
        let (begun, head, rest) = join!(
            client.batch_execute("BEGIN"),
            client.query_one(&self.head, &[]),
            self.fetch(client, lookups, fetched),
        );
        begun?;
        let head = head?;
        schema::may_write(head.get(2))?;
        rest?;
        Ok(Head {
            seq: select_rows::number(head.get(0))?,
            hash: select_rows::digest(head.get(1))?,
        })
    }

    /// Fetches what is looked up, within the transaction that is open.
    pub async fn fetch(
        &self,
        client: &Client,
        lookups: &Lookups,
        fetched: &mut Fetched,
    ) -> Result<(), FetchError> {
        let calls: Vec<Uuid> = lookups.calls.iter().map(|id| uuid(id.as_bytes())).collect();
        let asks: Vec<Uuid> = lookups.asks.iter().map(|id| uuid(id.as_bytes())).collect();
        let grants: Vec<Uuid> = lookups
            .grants
            .iter()
            .map(|id| uuid(id.as_bytes()))
            .collect();
        let granted: Vec<Uuid> = lookups
            .granted
            .iter()
            .map(|id| uuid(id.as_bytes()))
            .collect();
        let bodies: Vec<i64> = lookups.bodies.iter().map(|seq| column(*seq)).collect();
        let hashes: Vec<i64> = lookups.hashes.iter().map(|seq| column(*seq)).collect();
        let owners: Vec<Uuid> = lookups.owners.iter().copied().collect();
        let of_steps: Vec<Uuid> = lookups
            .steps
            .iter()
            .map(|(call, ..)| uuid(call.as_bytes()))
            .collect();
        let names: Vec<Vec<u8>> = lookups
            .steps
            .iter()
            .map(|(_, name, _)| name_digest(name))
            .collect();
        let occurrences: Vec<i64> = lookups
            .steps
            .iter()
            .map(|(.., occurrence)| i64::from(*occurrence))
            .collect();
        let step_keys: [&(dyn ToSql + Sync); 3] = [&of_steps, &names, &occurrences];
        let by_calls: [&(dyn ToSql + Sync); 1] = [&calls];
        let by_asks: [&(dyn ToSql + Sync); 1] = [&asks];
        let by_grants: [&(dyn ToSql + Sync); 1] = [&grants];
        let by_granted: [&(dyn ToSql + Sync); 1] = [&granted];
        let by_bodies: [&(dyn ToSql + Sync); 1] = [&bodies];
        let by_hashes: [&(dyn ToSql + Sync); 1] = [&hashes];
        let by_owners: [&(dyn ToSql + Sync); 1] = [&owners];
        let (
            found_calls,
            found_asks,
            found_steps,
            found_grants,
            found_granted,
            found_bodies,
            found_hashes,
            found_owners,
            last_pin,
        ) = join!(
            select(client, &self.calls, &by_calls, !calls.is_empty()),
            select(client, &self.asks, &by_asks, !asks.is_empty()),
            select(client, &self.steps, &step_keys, !names.is_empty()),
            select(client, &self.grants, &by_grants, !grants.is_empty()),
            select(client, &self.granted, &by_granted, !granted.is_empty()),
            select(client, &self.bodies, &by_bodies, !bodies.is_empty()),
            select(client, &self.hashes, &by_hashes, !hashes.is_empty()),
            select(client, &self.owners, &by_owners, !owners.is_empty()),
            select(client, &self.last_pin, &[], lookups.last_pin),
        );

        let absent = lookups.calls.iter().map(|id| (*id, None));
        fetched.calls.extend(absent);
        for row in found_calls? {
            let call = select_rows::call_row(&row)?;
            fetched.calls.insert(call.id, Some(call));
        }
        let absent = lookups.asks.iter().map(|id| (*id, None));
        fetched.asks.extend(absent);
        for row in found_asks? {
            let ask = select_rows::ask_row(&row)?;
            fetched.asks.insert(ask.id, Some(ask));
        }
        let absent = lookups.steps.iter().map(|key| (key.clone(), None));
        fetched.steps.extend(absent);
        for row in found_steps? {
            let step = select_rows::step_row(&row)?;
            let key: StepKey = (step.call, step.name.clone(), step.occurrence);
            fetched.steps.insert(key, Some(step));
        }
        let absent = lookups.grants.iter().map(|id| (*id, None));
        fetched.grants.extend(absent);
        for row in found_grants? {
            let grant = select_rows::grant(&row)?;
            fetched.grants.insert(grant.id, Some(grant));
        }
        let none = lookups.granted.iter().map(|id| (*id, false));
        fetched.granted.extend(none);
        for row in found_granted? {
            let ask: Uuid = row.get(0);
            let ask = AskId::from_bytes(ask.into_bytes());
            fetched.granted.insert(ask, true);
        }
        let absent = lookups.bodies.iter().map(|seq| (*seq, None));
        fetched.bodies.extend(absent);
        for row in found_bodies? {
            let seq = select_rows::number(row.get(0))?;
            fetched.bodies.insert(seq, Some((row.get(1), row.get(2))));
        }
        let absent = lookups.hashes.iter().map(|seq| (*seq, None));
        fetched.hashes.extend(absent);
        for row in found_hashes? {
            let (seq, hash) = (
                select_rows::number(row.get(0))?,
                select_rows::digest(row.get(1))?,
            );
            fetched.hashes.insert(seq, Some(hash));
        }
        let dead = lookups.owners.iter().map(|id| (*id, false));
        fetched.owners.extend(dead);
        for row in found_owners? {
            fetched.owners.insert(row.get(0), row.get(1));
        }
        let last_pin = last_pin?;
        if lookups.last_pin {
            let seq = last_pin.first().map(|row| select_rows::number(row.get(0)));
            fetched.last_pin = Some(seq.transpose()?.unwrap_or_default());
        }
        Ok(())
    }
}

/// Why nothing was fetched.
#[derive(Debug)]
pub(super) enum FetchError {
    /// The database or the way to it.
    Database(Error),
    /// What is stored cannot be what it says.
    Damaged(JournalError),
}

impl From<Error> for FetchError {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

impl From<JournalError> for FetchError {
    fn from(error: JournalError) -> Self {
        Self::Damaged(error)
    }
}

impl FetchError {
    /// In words for people.
    pub fn into_journal_error(self) -> JournalError {
        match self {
            Self::Database(error) => write_error(error),
            Self::Damaged(error) => error,
        }
    }
}

async fn select(
    client: &Client,
    statement: &Statement,
    values: &[&(dyn ToSql + Sync)],
    wanted: bool,
) -> Result<Vec<Row>, Error> {
    let rows = wanted.then(|| client.query(statement, values));
    OptionFuture::from(rows).await.unwrap_or(Ok(Vec::new()))
}

/// What a step's name is found by.
pub(super) fn name_digest(name: &str) -> Vec<u8> {
    Digest::hash_bytes(name.as_bytes()).as_bytes().to_vec()
}
