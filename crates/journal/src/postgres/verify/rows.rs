//! The rows that the events of a window are about.

use crate::{
    GrantRecord, JournalError,
    postgres::{
        fetch::name_digest,
        query::select,
        select_rows::{
            ASK_COLUMNS, CALL_COLUMNS, GRANT_COLUMNS, STEP_COLUMNS, ask_row, call_row, grant,
            number, step_row,
        },
        transaction::{CallLabels, label},
    },
    rules::{
        AskRow, CallRow, RowCounts, RowSource, StepRow,
        event_body::{Granted, Redeemed, Step},
    },
};
use deadpool_postgres::Transaction;
use holdpoint_ask::{AskId, CallId, GrantId};
use serde_json::from_str;
use std::collections::{HashMap, HashSet};
use tokio::runtime::Handle;
use tokio_postgres::Row;
use uuid::Uuid;

/// A step's call, the digest of its name, and its occurrence.
type StepKey = (Uuid, Vec<u8>, i64);

/// Rows, or why they cannot be read.
type Fetched<K, V> = HashMap<K, Result<V, String>>;

/// The rows that the events of a window are about, of a record at one moment.
pub(super) struct Rows<'a> {
    runtime: &'a Handle,
    snapshot: &'a Transaction<'a>,
    calls: Fetched<Uuid, CallRow>,
    asks: Fetched<Uuid, AskRow>,
    steps: Fetched<StepKey, StepRow>,
    grants: Fetched<Uuid, GrantRecord>,
}

/// What events are about.
#[derive(Default)]
struct Subjects {
    calls: HashSet<Uuid>,
    asks: HashSet<Uuid>,
    steps: HashSet<StepKey>,
    grants: HashSet<Uuid>,
    /// What the events that opened calls say of them.
    labels: HashMap<Uuid, CallLabels>,
}

impl Subjects {
    fn of(events: &[Row]) -> Self {
        let mut subjects = Self::default();
        for event in events {
            subjects.add(event);
        }
        subjects
    }

    /// What an event is about; a body that cannot be read is about nothing, and the rules say so.
    fn add(&mut self, event: &Row) {
        let (call, ask): (Option<Uuid>, Option<Uuid>) = (event.get(3), event.get(4));
        let body: &str = event.get(5);
        match event.get(2) {
            "called" => {
                self.calls.extend(call);
                self.labels.extend(call.zip(from_str(body).ok()));
            }
            "taken_over" | "finished" => self.calls.extend(call),
            "step_started" | "step_finished" => {
                let step = call.zip(from_str::<Step<'_>>(body).ok());
                self.steps.extend(step.map(|(call, step)| {
                    (call, name_digest(&step.name), i64::from(step.occurrence))
                }));
            }
            "granted" => {
                let granted = from_str::<Granted<'_>>(body).ok();
                self.grants
                    .extend(granted.map(|said| key(said.grant.as_bytes())));
            }
            "redeemed" => {
                let redeemed = from_str::<Redeemed>(body).ok();
                self.grants
                    .extend(redeemed.map(|said| key(said.grant.as_bytes())));
            }
            _ => self.asks.extend(ask),
        }
    }
}

impl<'a> Rows<'a> {
    pub fn new(runtime: &'a Handle, snapshot: &'a Transaction<'a>) -> Self {
        Self {
            runtime,
            snapshot,
            calls: HashMap::new(),
            asks: HashMap::new(),
            steps: HashMap::new(),
            grants: HashMap::new(),
        }
    }

    /// Fetches the rows that these events are about.
    pub fn fetch(&mut self, events: &[Row]) -> Result<(), JournalError> {
        let subjects = Subjects::of(events);
        self.runtime.block_on(self.read(subjects))
    }

    async fn read(&mut self, subjects: Subjects) -> Result<(), JournalError> {
        let Subjects {
            calls,
            asks,
            steps,
            grants,
            labels,
        } = subjects;
        let sql = format!(
            "SELECT {CALL_COLUMNS}, c.method, c.tool, c.server
             FROM holdpoint.calls c WHERE c.id = ANY($1)"
        );
        let of_call = |row: &Row| labelled_call(row, labels.get(&row.get::<_, Uuid>(0)));
        self.calls = by_id(self.snapshot, &sql, calls, of_call).await?;
        let sql = format!("SELECT {ASK_COLUMNS} FROM holdpoint.asks a WHERE a.id = ANY($1)");
        self.asks = by_id(self.snapshot, &sql, asks, ask_row).await?;
        let sql = format!("SELECT {GRANT_COLUMNS} FROM holdpoint.grants g WHERE g.id = ANY($1)");
        self.grants = by_id(self.snapshot, &sql, grants, grant).await?;
        self.steps = steps_by_key(self.snapshot, steps).await?;
        Ok(())
    }

    fn select(&self, sql: &str) -> Result<Vec<Row>, JournalError> {
        self.runtime.block_on(select(self.snapshot, sql, &[]))
    }
}

async fn by_id<T>(
    snapshot: &Transaction<'_>,
    sql: &str,
    ids: HashSet<Uuid>,
    read: impl Fn(&Row) -> Result<T, JournalError>,
) -> Result<Fetched<Uuid, T>, JournalError> {
    let ids: Vec<Uuid> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let found = select(snapshot, sql, &[&ids]).await?;
    let row = |row: &Row| (row.get(0), read(row).map_err(|error| error.to_string()));
    Ok(found.iter().map(row).collect())
}

async fn steps_by_key(
    snapshot: &Transaction<'_>,
    keys: HashSet<StepKey>,
) -> Result<Fetched<StepKey, StepRow>, JournalError> {
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    let (mut calls, mut digests, mut occurrences) = (Vec::new(), Vec::new(), Vec::new());
    for (call, digest, occurrence) in keys {
        calls.push(call);
        digests.push(digest);
        occurrences.push(occurrence);
    }
    let sql = format!(
        "SELECT {STEP_COLUMNS}, s.name_digest
         FROM unnest($1::uuid[], $2::bytea[], $3::bigint[]) k (call, name_digest, occurrence)
         JOIN holdpoint.steps s USING (call, name_digest, occurrence)"
    );
    let found = select(snapshot, &sql, &[&calls, &digests, &occurrences]).await?;
    let row = |row: &Row| {
        let key = (row.get(0), row.get(6), row.get(2));
        (key, step_row(row).map_err(|error| error.to_string()))
    };
    Ok(found.iter().map(row).collect())
}

/// The call in a row, if what it is looked up by is what the event that opened it says.
fn labelled_call(row: &Row, said: Option<&CallLabels>) -> Result<CallRow, JournalError> {
    let is = |place: usize, said: Option<&str>| {
        row.get::<_, Option<&str>>(place) == said.map(label).as_deref()
    };
    let same = said.is_none_or(|said| {
        is(6, Some(&said.method))
            && is(7, said.origin.tool.as_deref())
            && is(8, said.origin.server.as_deref())
    });
    if same {
        call_row(row)
    } else {
        Err(JournalError::damaged(
            "its method, its tool or its server is not that of the event which opened it",
        ))
    }
}

/// A row that was fetched.
fn fetched<T: Clone>(row: Option<&Result<T, String>>) -> Result<Option<T>, JournalError> {
    match row {
        None => Ok(None),
        Some(Ok(row)) => Ok(Some(row.clone())),
        Some(Err(why)) => Err(JournalError::damaged(why.clone())),
    }
}

fn key(bytes: &[u8; 16]) -> Uuid {
    Uuid::from_bytes(*bytes)
}

impl RowSource for Rows<'_> {
    fn call(&mut self, id: CallId) -> Result<Option<CallRow>, JournalError> {
        fetched(self.calls.get(&key(id.as_bytes())))
    }

    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>, JournalError> {
        fetched(self.asks.get(&key(id.as_bytes())))
    }

    fn step(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
    ) -> Result<Option<StepRow>, JournalError> {
        let key = (
            key(call.as_bytes()),
            name_digest(name),
            i64::from(occurrence),
        );
        let row = fetched(self.steps.get(&key))?;
        match row {
            Some(row) if row.name != name => Err(JournalError::damaged("it has another name")),
            row => Ok(row),
        }
    }

    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>, JournalError> {
        fetched(self.grants.get(&key(id.as_bytes())))
    }

    fn counts(&mut self) -> Result<RowCounts, JournalError> {
        let count = |table: &str| {
            let found = self.select(&format!("SELECT count(*) FROM holdpoint.{table}"))?;
            found.first().map_or(Ok(0), |row| number(row.get(0)))
        };
        Ok(RowCounts {
            calls: count("calls")?,
            asks: count("asks")?,
            steps: count("steps")?,
            grants: count("grants")?,
        })
    }

    fn strays(&mut self) -> Result<Vec<String>, JournalError> {
        let mut strays = Vec::new();
        for sql in STRAYS {
            let found = self.select(&format!("{sql} LIMIT 100"))?;
            strays.extend(found.iter().map(|row| row.get::<_, String>(0)));
        }
        Ok(strays)
    }
}

/// The rows that no event with a body opened.
const STRAYS: [&str; 4] = [
    "SELECT 'call ' || c.id FROM holdpoint.calls c WHERE NOT EXISTS
        (SELECT FROM holdpoint.events e
         WHERE e.kind = 'called' AND e.call = c.id AND e.body NOT LIKE 'pruned by %')",
    "SELECT 'ask ' || a.id FROM holdpoint.asks a WHERE NOT EXISTS
        (SELECT FROM holdpoint.events e
         WHERE e.kind = 'asked' AND e.ask = a.id AND e.body NOT LIKE 'pruned by %')",
    "SELECT 'step `' || s.name || '` of call ' || s.call FROM holdpoint.steps s WHERE NOT EXISTS
        (SELECT FROM holdpoint.events e
         WHERE e.kind = 'step_started' AND e.seq = s.started AND e.body NOT LIKE 'pruned by %')",
    "SELECT 'grant ' || g.id FROM holdpoint.grants g WHERE NOT EXISTS
        (SELECT FROM holdpoint.events e
         WHERE e.kind = 'granted' AND e.ask = g.ask AND position(g.id::text in e.body) > 0)",
];
