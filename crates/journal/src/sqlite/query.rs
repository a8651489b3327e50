//! Reading asks, calls, steps, grants and events.

use super::{
    schema::GUARD_EVENTS,
    select_rows::{self, ASK_COLUMNS, ask_row, event_link},
    sql_error::read_error,
};
use crate::{
    AskQuery, AskRecord, CallBinding, CallHistory, CallQuery, CallRecord, Event, EventKind,
    GrantRecord, JournalError, StepRecord,
    rules::{StepRow, event_body::time_from_millis, missing_event, read_event, step_result},
};
use holdpoint_ask::{AskId, CallId, GrantId, IdPart};
use rusqlite::{Connection, OptionalExtension as _, Params, Row, ToSql, params_from_iter};
use serde_json::Value;
use uuid::Uuid;

/// An ask with the events that it points at, if those are its own.
const ASK_EVENTS: &str = "
    FROM asks a
    LEFT JOIN events o ON o.seq = a.opened AND o.kind = 'asked' AND o.ask = a.id
    LEFT JOIN events r ON r.seq = a.refused AND r.kind = 'refused' AND r.ask = a.id
    LEFT JOIN events d ON d.seq = a.decided AND d.kind = 'decided' AND d.ask = a.id";

pub(super) fn ask(conn: &Connection, id: AskId) -> Result<Option<AskRecord>, JournalError> {
    let found = select_asks(conn, "WHERE a.id = ?", &[&id.as_bytes()])?;
    Ok(found.into_iter().next())
}

pub(super) fn asks(conn: &Connection, query: &AskQuery) -> Result<Vec<AskRecord>, JournalError> {
    let (call, before) = (
        query.call.as_ref().map(CallId::as_bytes),
        query.before.as_ref().map(AskId::as_bytes),
    );
    let limit = query
        .limit
        .map(|limit| i64::try_from(limit).unwrap_or(i64::MAX));
    let mut conditions = Vec::new();
    let mut values: Vec<&dyn ToSql> = Vec::new();
    if query.open {
        conditions.push("a.decided IS NULL");
        if query.dangerous.is_none() {
            // Both, said so that the index of open asks is used.
            conditions.push("a.dangerous IN (0, 1)");
        }
    }
    if let Some(dangerous) = &query.dangerous {
        conditions.push("a.dangerous = ?");
        values.push(dangerous);
    }
    if let Some(call) = &call {
        conditions.push("a.call = ?");
        values.push(call);
    }
    if let Some(principal) = &query.principal {
        conditions.push("a.principal = ?");
        values.push(principal);
    }
    let part = query.part.as_ref().map(IdPart::as_str);
    if let Some(part) = &part {
        conditions.push("instr(lower(hex(a.id)), ?) > 0");
        values.push(part);
    }
    if let Some(before) = &before {
        conditions.push("a.id < ?");
        values.push(before);
    }
    let mut rest = String::new();
    if !conditions.is_empty() {
        rest = format!("WHERE {}", conditions.join(" AND "));
    }
    rest.push_str(" ORDER BY a.id DESC");
    if let Some(limit) = &limit {
        rest.push_str(" LIMIT ?");
        values.push(limit);
    }
    select_asks(conn, &rest, &values)
}

pub(super) fn call(conn: &Connection, id: CallId) -> Result<Option<CallHistory>, JournalError> {
    // All of it is read at one moment.
    let _snapshot = conn.unchecked_transaction().map_err(read_error)?;
    call_history(conn, id)
}

/// As [`call`], within the transaction that is open.
pub(super) fn call_history(
    conn: &Connection,
    id: CallId,
) -> Result<Option<CallHistory>, JournalError> {
    let Some(row) = select_rows::call(conn, id).map_err(read_error)? else {
        return Ok(None);
    };
    let called = event_of_call(conn, id, row.opened, EventKind::Called)?;
    let (opened_at, called) = called.ok_or_else(|| missing_event("call", &id, row.opened))?;
    let finished = match row.finished {
        Some(seq) => event_of_call(conn, id, seq, EventKind::Finished)?,
        None => None,
    };
    let mut call = row.record(
        opened_at,
        &called,
        finished.as_ref().map(|(_, body)| body.as_str()),
    )?;
    let ended_at = finished.map(|(at, _)| time_from_millis(at));
    call.ended_at = ended_at.transpose()?;
    Ok(Some(CallHistory {
        call,
        asks: select_asks(
            conn,
            "WHERE a.call = ? ORDER BY a.opened",
            &[&id.as_bytes()],
        )?,
        steps: steps(conn, id)?,
    }))
}

pub(super) fn unfinished_calls(
    conn: &Connection,
    binding: CallBinding,
    me: Uuid,
) -> Result<Vec<CallId>, JournalError> {
    let read = |end: &str| {
        // In two halves: the index leads past the many calls that this process may have itself.
        conn.prepare_cached(&format!(
            "SELECT id FROM calls WHERE finished IS NULL AND binding = ?1 AND owner < ?2
             UNION ALL
             SELECT id FROM calls WHERE finished IS NULL AND binding = ?1 AND owner > ?2
             {end}"
        ))?
        .query_map((binding.0.as_bytes(), me.as_bytes()), |row| {
            row.get(0).map(CallId::from_bytes)
        })?
        .collect::<rusqlite::Result<Vec<_>>>()
    };
    // Every call asks, and mostly there are none: only where there are many, SQLite sorts them.
    let mut found = read("LIMIT 17").map_err(read_error)?;
    if found.len() > 16 {
        return read("ORDER BY id DESC LIMIT 16").map_err(read_error);
    }
    found.sort_unstable_by(|one, other| other.cmp(one));
    Ok(found)
}

/// The calls that a list may show, newest first, as their index has them. A body that has the words may still be of a
/// call that is no run.
const LISTED_CALLS: &str = r#"
    SELECT c.opened, c.owner, c.epoch, c.finished, c.binding, c.id, o.at, o.body, f.body
    FROM events o
    CROSS JOIN calls c ON c.id = o.call AND c.opened = o.seq
    LEFT JOIN events f ON f.seq = c.finished AND f.kind = 'finished' AND f.call = c.id
    WHERE o.kind = 'called' AND (substr(o.body, 1, 22) <> '{"method":"tools/call"' OR instr(o.body, '"run":true') > 0)
        AND o.call < ?
    ORDER BY o.call DESC"#;

pub(super) fn calls(conn: &Connection, query: &CallQuery) -> Result<Vec<CallRecord>, JournalError> {
    let before = query.before.map_or([u8::MAX; 16], |id| *id.as_bytes());
    let mut select = conn.prepare_cached(LISTED_CALLS).map_err(read_error)?;
    let mut rows = select.query([before]).map_err(read_error)?;
    let mut found = Vec::new();
    while found.len() < query.limit
        && let Some(row) = rows.next().map_err(read_error)?
    {
        let record = listed_call(row)?;
        found.extend(query.wants(&record).then_some(record));
    }
    Ok(found)
}

/// The call in a row of [`LISTED_CALLS`].
fn listed_call(row: &Row<'_>) -> Result<CallRecord, JournalError> {
    let read = || -> rusqlite::Result<_> {
        let id = CallId::from_bytes(row.get(5)?);
        let call = select_rows::call_row(row, id)?;
        let text = |column| -> rusqlite::Result<Option<&str>> {
            Ok(row.get_ref(column)?.as_str_or_null()?)
        };
        Ok((call, row.get(6)?, text(7)?.unwrap_or_default(), text(8)?))
    };
    let (call, at, called, finished) = read().map_err(read_error)?;
    call.record(at, called, finished)
}

pub(super) fn grant(conn: &Connection, id: GrantId) -> Result<Option<GrantRecord>, JournalError> {
    select_rows::grant(conn, id).map_err(read_error)
}

pub(super) fn unused_grants(
    conn: &Connection,
    purpose: &str,
) -> Result<Vec<GrantRecord>, JournalError> {
    select_rows::unused_grants(conn, purpose).map_err(read_error)
}

pub(super) fn head(conn: &Connection) -> Result<u64, JournalError> {
    let read = || {
        conn.prepare_cached("SELECT coalesce(max(seq), 0) FROM events")?
            .query_row([], |row| row.get(0))
    };
    read().map_err(read_error)
}

pub(super) fn open_asks(conn: &Connection) -> Result<u64, JournalError> {
    let read = || {
        conn.prepare_cached("SELECT count(*) FROM asks WHERE decided IS NULL")?
            .query_row([], |row| row.get(0))
    };
    read().map_err(read_error)
}

pub(super) fn events(
    conn: &Connection,
    after: u64,
    limit: usize,
) -> Result<Vec<Event>, JournalError> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    select_events(conn, "WHERE seq > ? ORDER BY seq LIMIT ?", (after, limit))
}

pub(super) fn guard_events(
    conn: &Connection,
    kinds: &[EventKind],
    limit: usize,
) -> Result<Vec<Event>, JournalError> {
    let words: Vec<String> = kinds
        .iter()
        .map(|kind| format!("'{}'", kind.as_str()))
        .collect();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rest = format!(
        "WHERE {GUARD_EVENTS} AND kind IN ({}) ORDER BY seq DESC LIMIT ?",
        words.join(", ")
    );
    select_events(conn, &rest, [limit])
}

pub(super) fn parcel(conn: &Connection, ask: AskId) -> Result<Option<Vec<u8>>, JournalError> {
    let read = || {
        conn.prepare_cached("SELECT sealed FROM parcels WHERE ask = ?")?
            .query_row([ask.as_bytes()], |row| row.get(0))
            .optional()
    };
    read().map_err(read_error)
}

/// The events that the rest of the statement names.
pub(super) fn select_events(
    conn: &Connection,
    rest: &str,
    values: impl Params,
) -> Result<Vec<Event>, JournalError> {
    let sql = format!("SELECT seq, at, kind, call, ask, body, hash FROM events {rest}");
    let mut select = conn.prepare_cached(&sql).map_err(read_error)?;
    let mut found = select.query(values).map_err(read_error)?;
    let mut events = Vec::new();
    while let Some(row) = found.next().map_err(read_error)? {
        let (link, hash) = event_link(row).map_err(read_error)?;
        events.push(read_event(&link, hash)?);
    }
    Ok(events)
}

fn select_asks(
    conn: &Connection,
    rest: &str,
    values: &[&dyn ToSql],
) -> Result<Vec<AskRecord>, JournalError> {
    let sql = format!("SELECT {ASK_COLUMNS}, o.at, o.body, r.body, d.body {ASK_EVENTS} {rest}");
    let mut select = conn.prepare_cached(&sql).map_err(read_error)?;
    let mut found = select.query(params_from_iter(values)).map_err(read_error)?;
    let mut asks = Vec::new();
    while let Some(row) = found.next().map_err(read_error)? {
        asks.push(ask_record(row)?);
    }
    Ok(asks)
}

/// The ask in a row of [`ASK_COLUMNS`] and the bodies of its events.
pub(super) fn ask_record(row: &Row<'_>) -> Result<AskRecord, JournalError> {
    let text = |column| {
        row.get_ref(column)
            .and_then(|value| Ok(value.as_str_or_null()?))
            .map_err(read_error)
    };
    let ask = ask_row(row).map_err(read_error)?;
    let opened_at: Option<i64> = row.get(11).map_err(read_error)?;
    match (opened_at, text(12)?) {
        (Some(at), Some(asked)) => ask.record(at, asked, text(13)?, text(14)?),
        _ => Err(missing_event("ask", &ask.id, ask.opened)),
    }
}

fn event_of_call(
    conn: &Connection,
    call: CallId,
    seq: u64,
    kind: EventKind,
) -> Result<Option<(i64, String)>, JournalError> {
    let read = || {
        conn.prepare_cached("SELECT at, body FROM events WHERE seq = ? AND kind = ? AND call = ?")?
            .query_row((seq, kind.as_str(), call.as_bytes()), |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()
    };
    read().map_err(read_error)
}

fn steps(conn: &Connection, call: CallId) -> Result<Vec<StepRecord>, JournalError> {
    type Found = (StepRow, Option<String>, Option<i64>, Option<String>);
    let read = || {
        conn.prepare_cached(
            "SELECT s.name, s.occurrence, s.epoch, s.started, s.finished, f.body, o.at, o.body
             FROM steps s
             LEFT JOIN events o ON o.seq = s.started AND o.kind = 'step_started'
                AND o.call = s.call
             LEFT JOIN events f ON f.seq = s.finished AND f.kind = 'step_finished'
                AND f.call = s.call
             WHERE s.call = ? ORDER BY s.started",
        )?
        .query_map([call.as_bytes()], |row| {
            let step = StepRow {
                call,
                name: row.get(0)?,
                occurrence: row.get(1)?,
                epoch: row.get(2)?,
                started: row.get(3)?,
                finished: row.get(4)?,
            };
            Ok((step, row.get(5)?, row.get(6)?, row.get(7)?))
        })?
        .collect::<rusqlite::Result<Vec<Found>>>()
    };
    let steps = read().map_err(read_error)?;
    let record = |(step, finished, at, started): &Found| match (at, started) {
        (Some(at), Some(started)) => step.labelled_record(*at, started, finished.as_deref()),
        // What it was called is enough to replay it.
        _ => step.record(finished.as_deref()),
    };
    steps.iter().map(record).collect()
}

const LATEST_STEP: &str = "
    SELECT s.call, f.seq, f.body FROM steps s
    JOIN events f ON f.seq = s.finished AND f.kind = 'step_finished' AND f.call = s.call
    JOIN calls c ON c.id = s.call
    JOIN events o ON o.seq = c.opened AND o.kind = 'called' AND o.call = c.id
    WHERE s.name = ?1 AND o.body ->> '$.origin.server' IS ?2
    ORDER BY s.finished DESC LIMIT 1";

/// With max(), SQLite takes the other columns from the row that has it.
const LATEST_STEPS: &str = "
    SELECT s.name, f.seq, f.body, max(s.finished) FROM steps s
    JOIN events f ON f.seq = s.finished AND f.kind = 'step_finished' AND f.call = s.call
    JOIN calls c ON c.id = s.call
    JOIN events o ON o.seq = c.opened AND o.kind = 'called' AND o.call = c.id
    WHERE s.name >= ?1 AND s.name < ?3 AND o.body ->> '$.origin.server' IS ?2
    GROUP BY s.name ORDER BY s.name";

/// The least that comes behind every text with this prefix. Where no text does, a blob: SQLite sorts those
/// behind all texts.
fn behind(prefix: &str) -> rusqlite::types::Value {
    let mut text = prefix.to_owned();
    while let Some(last) = text.pop() {
        let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
        if let Some(next) = next {
            text.push(next);
            return text.into();
        }
    }
    Vec::new().into()
}

pub(super) fn latest_step(
    conn: &Connection,
    name: &str,
    server: Option<&str>,
) -> Result<Option<(CallId, Value)>, JournalError> {
    let read = || {
        conn.prepare_cached(LATEST_STEP)?
            .query_row((name, server), |row| {
                Ok((
                    row.get::<_, [u8; 16]>(0)?,
                    row.get(1)?,
                    row.get::<_, String>(2)?,
                ))
            })
            .optional()
    };
    let Some((call, seq, text)) = read().map_err(read_error)? else {
        return Ok(None);
    };
    Ok(Some((CallId::from_bytes(call), step_result(seq, &text)?)))
}

pub(super) fn latest_steps(
    conn: &Connection,
    prefix: &str,
    server: Option<&str>,
) -> Result<Vec<(String, Value)>, JournalError> {
    let read = || {
        conn.prepare_cached(LATEST_STEPS)?
            .query_map((prefix, server, behind(prefix)), |row| {
                Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?))
            })?
            .collect::<rusqlite::Result<Vec<_>>>()
    };
    let found: Vec<(String, u64, String)> = read().map_err(read_error)?;
    let steps = found.into_iter();
    steps
        .map(|(name, seq, text)| Ok((name, step_result(seq, &text)?)))
        .collect()
}
