//! Reading rows out of their tables.

use crate::{
    CallBinding, GrantRecord, StoredEvent,
    rules::{AskRow, CallRow, Link, StepRow},
};
use holdpoint_ask::{AskId, CallId, Digest, GrantId};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Result, Row, types::Type};
use uuid::Uuid;

macro_rules! ask_columns {
    () => {
        "a.id, a.call, a.principal, a.secret, a.opened, a.deadline_at, a.refusals, a.refused, \
         a.decided, a.dangerous, a.gone"
    };
}

/// The columns of an ask, in the order that [`ask_row`] reads.
pub(super) const ASK_COLUMNS: &str = ask_columns!();

pub(super) fn call(conn: &Connection, id: CallId) -> Result<Option<CallRow>> {
    conn.prepare_cached("SELECT opened, owner, epoch, finished, binding FROM calls WHERE id = ?")?
        .query_row([id.as_bytes()], |row| call_row(row, id))
        .optional()
}

/// The call in a row that begins with the columns `opened, owner, epoch, finished, binding`.
pub(super) fn call_row(row: &Row<'_>, id: CallId) -> Result<CallRow> {
    let binding: Option<[u8; 32]> = row.get(4)?;
    Ok(CallRow {
        id,
        opened: row.get(0)?,
        owner: Uuid::from_bytes(row.get(1)?),
        epoch: row.get(2)?,
        finished: row.get(3)?,
        binding: binding.map(|digest| CallBinding(Digest::from_bytes(digest))),
    })
}

pub(super) fn ask(conn: &Connection, id: AskId) -> Result<Option<AskRow>> {
    const SQL: &str = concat!("SELECT ", ask_columns!(), " FROM asks a WHERE a.id = ?");
    conn.prepare_cached(SQL)?
        .query_row([id.as_bytes()], ask_row)
        .optional()
}

/// The ask in a row that begins with [`ASK_COLUMNS`].
pub(super) fn ask_row(row: &Row<'_>) -> Result<AskRow> {
    Ok(AskRow {
        id: AskId::from_bytes(row.get(0)?),
        call: row.get::<_, Option<[u8; 16]>>(1)?.map(CallId::from_bytes),
        principal: row.get(2)?,
        secret: row.get(3)?,
        opened: row.get(4)?,
        deadline_at: row.get(5)?,
        refusals: row.get(6)?,
        refused: row.get(7)?,
        decided: row.get(8)?,
        dangerous: row.get(9)?,
        gone: row.get(10)?,
    })
}

/// The event in a row of the columns `seq, at, kind, call, ask, body, hash`.
pub(super) fn event_link<'a>(row: &'a Row<'_>) -> Result<(Link<'a>, Digest)> {
    let link = Link {
        seq: row.get(0)?,
        at: row.get(1)?,
        kind: row.get_ref(2)?.as_str()?,
        call: row.get_ref(3)?.as_blob_or_null()?,
        ask: row.get_ref(4)?.as_blob_or_null()?,
        body: row.get_ref(5)?.as_str()?,
    };
    Ok((link, Digest::from_bytes(row.get(6)?)))
}

/// The event of this number, as it is stored.
pub(super) fn event(conn: &Connection, seq: u64) -> Result<Option<StoredEvent>> {
    conn.prepare_cached("SELECT seq, at, kind, call, ask, body, hash FROM events WHERE seq = ?")?
        .query_row([seq], stored_event)
        .optional()
}

/// The event in a row of the same columns, as it is stored.
pub(super) fn stored_event(row: &Row<'_>) -> Result<StoredEvent> {
    Ok(StoredEvent {
        seq: row.get(0)?,
        at: row.get(1)?,
        kind: row.get(2)?,
        call: row.get::<_, Option<[u8; 16]>>(3)?.map(CallId::from_bytes),
        ask: row.get::<_, Option<[u8; 16]>>(4)?.map(AskId::from_bytes),
        body: row.get(5)?,
        hash: Digest::from_bytes(row.get(6)?),
    })
}

pub(super) fn step(
    conn: &Connection,
    call: CallId,
    name: &str,
    occurrence: u32,
) -> Result<Option<StepRow>> {
    conn.prepare_cached(
        "SELECT epoch, started, finished FROM steps WHERE call = ? AND name = ? AND occurrence = ?",
    )?
    .query_row((call.as_bytes(), name, occurrence), |row| {
        Ok(StepRow {
            call,
            name: name.to_owned(),
            occurrence,
            epoch: row.get(0)?,
            started: row.get(1)?,
            finished: row.get(2)?,
        })
    })
    .optional()
}

pub(super) fn grant(conn: &Connection, id: GrantId) -> Result<Option<GrantRecord>> {
    conn.prepare_cached(
        "SELECT id, ask, principal, purpose, digest, issued_at, expires_at, redeemed_at
         FROM grants WHERE id = ?",
    )?
    .query_row([id.as_bytes()], grant_row)
    .optional()
}

pub(super) fn unused_grants(conn: &Connection, purpose: &str) -> Result<Vec<GrantRecord>> {
    conn.prepare_cached(
        "SELECT id, ask, principal, purpose, digest, issued_at, expires_at, redeemed_at
         FROM grants WHERE purpose = ? AND redeemed_at IS NULL ORDER BY issued_at DESC, id DESC",
    )?
    .query_map([purpose], grant_row)?
    .collect()
}

fn grant_row(row: &Row<'_>) -> Result<GrantRecord> {
    let redeemed_at: Option<i64> = row.get(7)?;
    Ok(GrantRecord {
        id: GrantId::from_bytes(row.get(0)?),
        ask: AskId::from_bytes(row.get(1)?),
        principal: row.get(2)?,
        purpose: row.get(3)?,
        digest: Digest::from_bytes(row.get(4)?),
        issued_at: time(5, row.get(5)?)?,
        expires_at: time(6, row.get(6)?)?,
        redeemed_at: redeemed_at.map(|at| time(7, at)).transpose()?,
    })
}

/// A time in milliseconds, as a column holds it.
pub(super) fn time(column: usize, millis: i64) -> Result<Timestamp> {
    Timestamp::from_millisecond(millis).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Integer, Box::new(error))
    })
}
