//! Reading rows out of their tables.

use crate::{
    CallBinding, GrantRecord, JournalError,
    rules::{AskRow, CallRow, Link, StepRow, event_body::time_from_millis},
};
use holdpoint_ask::{AskId, CallId, Digest, GrantId};
use tokio_postgres::Row;
use uuid::Uuid;

/// The columns of a call, in the order that [`call_row`] reads.
pub(super) const CALL_COLUMNS: &str = "c.id, c.opened, c.owner, c.epoch, c.finished, c.binding";

/// The columns of an ask, in the order that [`ask_row`] reads.
pub(super) const ASK_COLUMNS: &str = "a.id, a.call, a.principal, a.secret, a.dangerous, a.opened, \
     a.deadline_at, a.refusals, a.refused, a.decided, a.gone";

/// The columns of a step, in the order that [`step_row`] reads.
pub(super) const STEP_COLUMNS: &str =
    "s.call, s.name, s.occurrence, s.epoch, s.started, s.finished";

/// The columns of a grant, in the order that [`grant`] reads.
pub(super) const GRANT_COLUMNS: &str = "g.id, g.ask, g.principal, g.purpose, g.digest, \
     g.issued_at, g.expires_at, g.redeemed_at";

/// The columns of an event, in the order that [`event_link`] reads.
pub(super) const EVENT_COLUMNS: &str = "e.seq, e.at, e.kind, e.call, e.ask, e.body, e.hash";

/// The call in a row that begins with [`CALL_COLUMNS`].
pub(super) fn call_row(row: &Row) -> Result<CallRow, JournalError> {
    let binding: Option<&[u8]> = row.get(5);
    Ok(CallRow {
        id: CallId::from_bytes(row.get::<_, Uuid>(0).into_bytes()),
        opened: number(row.get(1))?,
        owner: row.get(2),
        epoch: number(row.get(3))?,
        finished: row.get::<_, Option<i64>>(4).map(number).transpose()?,
        binding: binding
            .map(|binding| digest(binding).map(CallBinding))
            .transpose()?,
    })
}

/// The ask in a row that begins with [`ASK_COLUMNS`].
pub(super) fn ask_row(row: &Row) -> Result<AskRow, JournalError> {
    let optional = |column| row.get::<_, Option<i64>>(column).map(number).transpose();
    Ok(AskRow {
        id: AskId::from_bytes(row.get::<_, Uuid>(0).into_bytes()),
        call: row
            .get::<_, Option<Uuid>>(1)
            .map(|id| CallId::from_bytes(id.into_bytes())),
        principal: row.get(2),
        secret: row.get(3),
        dangerous: row.get(4),
        opened: number(row.get(5))?,
        deadline_at: row.get(6),
        refusals: number(row.get(7))?,
        refused: optional(8)?,
        decided: optional(9)?,
        gone: row.get(10),
    })
}

/// The step in a row that begins with [`STEP_COLUMNS`].
pub(super) fn step_row(row: &Row) -> Result<StepRow, JournalError> {
    Ok(StepRow {
        call: CallId::from_bytes(row.get::<_, Uuid>(0).into_bytes()),
        name: row.get(1),
        occurrence: number(row.get(2))?,
        epoch: number(row.get(3))?,
        started: number(row.get(4))?,
        finished: row.get::<_, Option<i64>>(5).map(number).transpose()?,
    })
}

/// The grant in a row that begins with [`GRANT_COLUMNS`].
pub(super) fn grant(row: &Row) -> Result<GrantRecord, JournalError> {
    Ok(GrantRecord {
        id: GrantId::from_bytes(row.get::<_, Uuid>(0).into_bytes()),
        ask: AskId::from_bytes(row.get::<_, Uuid>(1).into_bytes()),
        principal: row.get(2),
        purpose: row.get(3),
        digest: digest(row.get(4))?,
        issued_at: time_from_millis(row.get(5))?,
        expires_at: time_from_millis(row.get(6))?,
        redeemed_at: row
            .get::<_, Option<i64>>(7)
            .map(time_from_millis)
            .transpose()?,
    })
}

/// The event in a row that begins with [`EVENT_COLUMNS`], given to `read` as it is stored.
pub(super) fn event_link<T>(
    row: &Row,
    read: impl FnOnce(&Link<'_>, Digest) -> Result<T, JournalError>,
) -> Result<T, JournalError> {
    let (call, ask): (Option<Uuid>, Option<Uuid>) = (row.get(3), row.get(4));
    let link = Link {
        seq: number(row.get(0))?,
        at: row.get(1),
        kind: row.get(2),
        call: call.as_ref().map(|id| id.as_bytes().as_slice()),
        ask: ask.as_ref().map(|id| id.as_bytes().as_slice()),
        body: row.get(5),
    };
    read(&link, digest(row.get(6))?)
}

/// An id as a column holds it.
pub(super) fn uuid(bytes: &[u8; 16]) -> Uuid {
    Uuid::from_bytes(*bytes)
}

/// The digest in a column.
pub(super) fn digest(bytes: &[u8]) -> Result<Digest, JournalError> {
    let bytes = bytes.try_into().map_err(|error| {
        JournalError::damaged("a digest does not have 32 bytes").with_source(error)
    })?;
    Ok(Digest::from_bytes(bytes))
}

/// A number as a column holds it, which has a sign.
pub(super) fn number<T: TryFrom<i64, Error = std::num::TryFromIntError>>(
    value: i64,
) -> Result<T, JournalError> {
    T::try_from(value).map_err(|error| {
        JournalError::damaged(format!("{value} cannot be what this column holds"))
            .with_source(error)
    })
}

/// A number as a column holds it; what is too large for one compares as larger than all.
pub(super) fn column(value: impl TryInto<i64>) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}
