//! Reading asks, calls, steps, grants and events.

use super::{
    liveness,
    schema::GUARD_EVENTS,
    select_rows::{
        self, ASK_COLUMNS, CALL_COLUMNS, EVENT_COLUMNS, GRANT_COLUMNS, STEP_COLUMNS, ask_row,
        call_row, column, event_link, number, step_row, uuid,
    },
    sql_error::{read_error, write_error},
    transaction::{CallLabels, label},
};
use crate::{
    AskQuery, AskRecord, CallBinding, CallHistory, CallRecord, Event, EventKind, GrantRecord,
    JournalError, StepRecord,
    rules::{
        event_body::{self, time_from_millis},
        missing_event, read_event, step_result,
    },
};
use deadpool_postgres::{Client, GenericClient, Transaction};
use holdpoint_ask::{AskId, CallId, GrantId, IdPart};
use serde_json::Value;
use std::collections::HashMap;
use tokio_postgres::{IsolationLevel, Row, types::ToSql};
use uuid::Uuid;

type Values<'a> = Vec<&'a (dyn ToSql + Sync)>;

/// An ask with the events that it points at, if those are its own.
pub(super) const ASK_EVENTS: &str = "
    FROM holdpoint.asks a
    LEFT JOIN holdpoint.events o ON o.seq = a.opened AND o.kind = 'asked' AND o.ask = a.id
    LEFT JOIN holdpoint.events r ON r.seq = a.refused AND r.kind = 'refused' AND r.ask = a.id
    LEFT JOIN holdpoint.events d ON d.seq = a.decided AND d.kind = 'decided' AND d.ask = a.id";

pub(super) async fn select(
    client: &impl GenericClient,
    sql: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Row>, JournalError> {
    let statement = client.prepare_cached(sql).await.map_err(read_error)?;
    client.query(&statement, values).await.map_err(read_error)
}

pub(super) async fn ask(
    client: &impl GenericClient,
    id: AskId,
) -> Result<Option<AskRecord>, JournalError> {
    let found = select_asks(client, "WHERE a.id = $1", &[&uuid(id.as_bytes())]).await?;
    Ok(found.into_iter().next())
}

pub(super) async fn asks(
    client: &impl GenericClient,
    query: &AskQuery,
) -> Result<Vec<AskRecord>, JournalError> {
    let call = query.call.map(|id| uuid(id.as_bytes()));
    let before = query.before.map(|id| uuid(id.as_bytes()));
    let limit = query.limit.map(column);
    let mut conditions = Vec::new();
    let mut values: Values<'_> = Vec::new();
    if query.open {
        conditions.push("a.decided IS NULL".to_owned());
    }
    if let Some(dangerous) = &query.dangerous {
        values.push(dangerous);
        conditions.push(format!("a.dangerous = ${}", values.len()));
    }
    if let Some(call) = &call {
        values.push(call);
        conditions.push(format!("a.call = ${}", values.len()));
    }
    if let Some(principal) = &query.principal {
        // No row holds a zero byte.
        if principal.contains('\0') {
            return Ok(Vec::new());
        }
        values.push(principal);
        conditions.push(format!("a.principal = ${}", values.len()));
    }
    let part = query.part.as_ref().map(IdPart::as_str);
    if let Some(part) = &part {
        values.push(part);
        let place = values.len();
        conditions.push(format!(
            "strpos(replace(a.id::text, '-', ''), ${place}) > 0"
        ));
    }
    if let Some(before) = &before {
        values.push(before);
        conditions.push(format!("a.id < ${}", values.len()));
    }
    let mut rest = String::new();
    if !conditions.is_empty() {
        rest = format!("WHERE {}", conditions.join(" AND "));
    }
    rest.push_str(" ORDER BY a.id DESC");
    if let Some(limit) = &limit {
        values.push(limit);
        rest.push_str(&format!(" LIMIT ${}", values.len()));
    }
    select_asks(client, &rest, &values).await
}

pub(super) async fn call(
    client: &mut Client,
    id: CallId,
) -> Result<Option<CallHistory>, JournalError> {
    let snapshot = snapshot(client).await?;
    let found = call_histories(&snapshot, &[uuid(id.as_bytes())]).await?;
    Ok(found.into_iter().next())
}

/// A transaction in which all is read at one moment.
pub(super) async fn snapshot(client: &mut Client) -> Result<Transaction<'_>, JournalError> {
    client
        .build_transaction()
        .isolation_level(IsolationLevel::RepeatableRead)
        .read_only(true)
        .start()
        .await
        .map_err(read_error)
}

/// A call with the events that it points at, if those are its own.
pub(super) const CALL_EVENTS: &str = "
    FROM holdpoint.calls c
    LEFT JOIN holdpoint.events o ON o.seq = c.opened AND o.kind = 'called' AND o.call = c.id
    LEFT JOIN holdpoint.events f ON f.seq = c.finished AND f.kind = 'finished' AND f.call = c.id";

/// These calls with their asks and steps, the newest first, within the transaction that is open.
pub(super) async fn call_histories(
    client: &impl GenericClient,
    ids: &[Uuid],
) -> Result<Vec<CallHistory>, JournalError> {
    let rest = "WHERE c.id = ANY($1) ORDER BY c.id DESC";
    let calls = select_calls(client, rest, &[&ids]).await?;
    if calls.is_empty() {
        return Ok(Vec::new());
    }
    let mut asks: HashMap<CallId, Vec<AskRecord>> = HashMap::new();
    let rest = "WHERE a.call = ANY($1) ORDER BY a.opened";
    for ask in select_asks(client, rest, &[&ids]).await? {
        if let Some(call) = ask.call {
            asks.entry(call).or_default().push(ask);
        }
    }
    let mut steps = steps(client, ids).await?;
    let history = |call: CallRecord| CallHistory {
        asks: asks.remove(&call.id).unwrap_or_default(),
        steps: steps.remove(&call.id).unwrap_or_default(),
        call,
    };
    Ok(calls.into_iter().map(history).collect())
}

/// The calls that the rest of the statement names.
pub(super) async fn select_calls(
    client: &impl GenericClient,
    rest: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<CallRecord>, JournalError> {
    let sql = format!("SELECT {CALL_COLUMNS}, o.at, o.body, f.at, f.body {CALL_EVENTS} {rest}");
    let found = select(client, &sql, values).await?;
    found.iter().map(call_record).collect()
}

/// The call in a row of [`CALL_COLUMNS`] and the times and bodies of its events.
fn call_record(row: &Row) -> Result<CallRecord, JournalError> {
    let call = call_row(row)?;
    let (Some(opened_at), Some(called)) = (row.get(6), row.get::<_, Option<&str>>(7)) else {
        return Err(missing_event("call", &call.id, call.opened));
    };
    let ended_at: Option<i64> = row.get(8);
    Ok(CallRecord {
        ended_at: ended_at.map(time_from_millis).transpose()?,
        ..call.record(opened_at, called, row.get(9))?
    })
}

/// The steps of these calls, in order.
async fn steps(
    client: &impl GenericClient,
    calls: &[Uuid],
) -> Result<HashMap<CallId, Vec<StepRecord>>, JournalError> {
    let sql = format!(
        "SELECT {STEP_COLUMNS}, f.body, o.at, o.body
         FROM holdpoint.steps s
         LEFT JOIN holdpoint.events o
            ON o.seq = s.started AND o.kind = 'step_started' AND o.call = s.call
         LEFT JOIN holdpoint.events f
            ON f.seq = s.finished AND f.kind = 'step_finished' AND f.call = s.call
         WHERE s.call = ANY($1) ORDER BY s.started"
    );
    let mut steps: HashMap<CallId, Vec<StepRecord>> = HashMap::new();
    for row in select(client, &sql, &[&calls]).await? {
        let (step, finished) = (step_row(&row)?, row.get(6));
        let record = match (row.get(7), row.get::<_, Option<&str>>(8)) {
            (Some(at), Some(started)) => step.labelled_record(at, started, finished)?,
            // What it was called is enough to replay it.
            _ => step.record(finished)?,
        };
        steps.entry(step.call).or_default().push(record);
    }
    Ok(steps)
}

pub(super) async fn unfinished_calls(
    client: &impl GenericClient,
    binding: CallBinding,
    me: Uuid,
) -> Result<Vec<CallId>, JournalError> {
    let binding = binding.0.as_bytes().to_vec();
    let sql = "
        SELECT id FROM holdpoint.calls
        WHERE finished IS NULL AND binding IS NOT NULL AND binding = $1 AND owner <> $2
        ORDER BY id DESC LIMIT 16";
    let found = select(client, sql, &[&binding, &me]).await?;
    let id = |row: &Row| CallId::from_bytes(row.get::<_, Uuid>(0).into_bytes());
    Ok(found.iter().map(id).collect())
}

pub(super) async fn grant(
    client: &impl GenericClient,
    id: GrantId,
) -> Result<Option<GrantRecord>, JournalError> {
    let sql = format!("SELECT {GRANT_COLUMNS} FROM holdpoint.grants g WHERE g.id = $1");
    let found = select(client, &sql, &[&uuid(id.as_bytes())]).await?;
    found.first().map(select_rows::grant).transpose()
}

pub(super) async fn unused_grants(
    client: &impl GenericClient,
    purpose: &str,
) -> Result<Vec<GrantRecord>, JournalError> {
    let sql = format!(
        "SELECT {GRANT_COLUMNS} FROM holdpoint.grants g
         WHERE g.purpose = $1 AND g.redeemed_at IS NULL ORDER BY g.issued_at DESC, g.id DESC"
    );
    let found = select(client, &sql, &[&purpose]).await?;
    found.iter().map(select_rows::grant).collect()
}

pub(super) async fn head(client: &impl GenericClient) -> Result<u64, JournalError> {
    let found = select(client, "SELECT seq FROM holdpoint.head", &[]).await?;
    found.first().map_or(Ok(0), |row| number(row.get(0)))
}

pub(super) async fn open_asks(client: &impl GenericClient) -> Result<u64, JournalError> {
    let sql = "SELECT count(*) FROM holdpoint.asks WHERE decided IS NULL";
    let found = select(client, sql, &[]).await?;
    found.first().map_or(Ok(0), |row| number(row.get(0)))
}

pub(super) async fn events(
    client: &impl GenericClient,
    after: u64,
    limit: usize,
) -> Result<Vec<Event>, JournalError> {
    let rest = "WHERE e.seq > $1 ORDER BY e.seq LIMIT $2";
    select_events(client, rest, &[&column(after), &column(limit)]).await
}

pub(super) async fn guard_events(
    client: &impl GenericClient,
    kinds: &[EventKind],
    limit: usize,
) -> Result<Vec<Event>, JournalError> {
    let words: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    let rest = format!("WHERE {GUARD_EVENTS} AND kind = ANY($1) ORDER BY e.seq DESC LIMIT $2");
    select_events(client, &rest, &[&words, &column(limit)]).await
}

pub(super) async fn parcel(
    client: &impl GenericClient,
    ask: AskId,
) -> Result<Option<Vec<u8>>, JournalError> {
    let sql = "SELECT sealed FROM holdpoint.parcels WHERE ask = $1";
    let found = select(client, sql, &[&uuid(ask.as_bytes())]).await?;
    Ok(found.first().map(|row| row.get(0)))
}

pub(super) async fn is_alive(
    client: &impl GenericClient,
    owner: Uuid,
) -> Result<bool, JournalError> {
    let sql = format!(
        "SELECT {} FROM holdpoint.owners o WHERE o.id = $1",
        liveness::IS_ALIVE
    );
    let found = select(client, &sql, &[&owner]).await?;
    Ok(found.first().is_some_and(|row| row.get(0)))
}

pub(super) async fn is_watched(client: &impl GenericClient) -> Result<bool, JournalError> {
    let sql = format!(
        "SELECT EXISTS (
            SELECT 1 FROM holdpoint.watchers w JOIN holdpoint.owners o ON o.id = w.owner
            WHERE {})",
        liveness::IS_ALIVE
    );
    let found = select(client, &sql, &[]).await?;
    Ok(found.first().is_some_and(|row| row.get(0)))
}

/// The events that the rest of the statement names.
pub(super) async fn select_events(
    client: &impl GenericClient,
    rest: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Event>, JournalError> {
    let sql = format!("SELECT {EVENT_COLUMNS} FROM holdpoint.events e {rest}");
    let found = select(client, &sql, values).await?;
    let event = |row: &Row| event_link(row, read_event);
    found.iter().map(event).collect()
}

/// The asks that the rest of the statement names.
pub(super) async fn select_asks(
    client: &impl GenericClient,
    rest: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<AskRecord>, JournalError> {
    let sql = format!("SELECT {ASK_COLUMNS}, o.at, o.body, r.body, d.body {ASK_EVENTS} {rest}");
    let found = select(client, &sql, values).await?;
    found.iter().map(ask_record).collect()
}

/// The ask in a row of [`ASK_COLUMNS`] and the bodies of its events.
pub(super) fn ask_record(row: &Row) -> Result<AskRecord, JournalError> {
    let ask = ask_row(row)?;
    match (row.get(11), row.get::<_, Option<&str>>(12)) {
        (Some(at), Some(asked)) => ask.record(at, asked, row.get(13), row.get(14)),
        _ => Err(missing_event("ask", &ask.id, ask.opened)),
    }
}

/// The newest finished step of each name; those of other servers are told apart by the called event, which
/// is the record, and not by its copy in the row.
const LATEST_STEPS: &str = "
    SELECT DISTINCT ON (s.name) s.name, s.call, f.seq, f.body, o.body
    FROM holdpoint.steps s
    JOIN holdpoint.events f ON f.seq = s.finished AND f.kind = 'step_finished' AND f.call = s.call
    JOIN holdpoint.calls c ON c.id = s.call
    JOIN holdpoint.events o ON o.seq = c.opened AND o.kind = 'called' AND o.call = c.id
    WHERE c.server IS NOT DISTINCT FROM $1";

async fn latest(
    client: &impl GenericClient,
    server: Option<&str>,
    condition: &str,
    value: &str,
) -> Result<Vec<(String, CallId, Value)>, JournalError> {
    let label = server.map(label);
    let sql = format!("{LATEST_STEPS} AND {condition} ORDER BY s.name, s.finished DESC");
    if value.contains('\0') {
        return Ok(Vec::new());
    }
    let found = select(client, &sql, &[&label.as_deref(), &value]).await?;
    let mut steps = Vec::new();
    for row in &found {
        let (seq, called): (i64, &str) = (row.get(2), row.get(4));
        let seq = number(seq)?;
        let called: CallLabels = event_body::parse(seq, called)?;
        if called.origin.server.as_deref() == server {
            let call = CallId::from_bytes(row.get::<_, Uuid>(1).into_bytes());
            steps.push((row.get(0), call, step_result(seq, row.get(3))?));
        }
    }
    Ok(steps)
}

pub(super) async fn latest_step(
    client: &impl GenericClient,
    name: &str,
    server: Option<&str>,
) -> Result<Option<(CallId, Value)>, JournalError> {
    let condition = "left(s.name, 400) = left($2, 400) AND s.name = $2";
    let found = latest(client, server, condition, name).await?;
    let step = found.into_iter().next();
    Ok(step.map(|(_, call, result)| (call, result)))
}

pub(super) async fn latest_steps(
    client: &impl GenericClient,
    prefix: &str,
    server: Option<&str>,
) -> Result<Vec<(String, Value)>, JournalError> {
    let condition = "left(s.name, 400) >= left($2, 400) AND starts_with(s.name, $2)";
    let found = latest(client, server, condition, prefix).await?;
    let steps = found.into_iter();
    Ok(steps.map(|(name, _, result)| (name, result)).collect())
}

/// Announces an inbox, and that its process lives.
pub(super) async fn watch(
    client: &impl GenericClient,
    id: Uuid,
    owner: Uuid,
) -> Result<(), JournalError> {
    let lease = liveness::LEASE.as_secs_f64();
    client
        .execute(liveness::RENEW, &[&owner, &lease])
        .await
        .map_err(write_error)?;
    let sql = "INSERT INTO holdpoint.watchers (id, owner) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    let added = client.execute(sql, &[&id, &owner]).await;
    added.map(|_| ()).map_err(write_error)
}
