//! An ask with what happened around it.

use super::{query, sql_error::read_error};
use crate::{AskHistory, GrantRecord, JournalError};
use holdpoint_ask::{AskId, CallId, GrantId};
use rusqlite::Connection;

pub(super) fn history(conn: &Connection, id: AskId) -> Result<Option<AskHistory>, JournalError> {
    // All of it is read at one moment.
    let _snapshot = conn.unchecked_transaction().map_err(read_error)?;
    let Some(ask) = query::ask(conn, id)? else {
        return Ok(None);
    };
    let call = ask.call.as_ref().map(CallId::as_bytes);
    Ok(Some(AskHistory {
        events: query::select_events(conn, EVENTS, (id.as_bytes(), call))?,
        grants: grants(conn, id)?,
        ask,
    }))
}

/// What is noted of the ask lies between its opening and its decision; the rest is where the rows of it, of its
/// call and of the steps point to.
const EVENTS: &str = "
    WHERE seq IN (
        SELECT opened FROM asks WHERE id = ?1
        UNION SELECT decided FROM asks WHERE id = ?1
        UNION SELECT n.seq FROM asks a JOIN events n
            ON n.seq BETWEEN a.opened AND coalesce(a.decided, 9223372036854775807)
            WHERE a.id = ?1 AND n.ask = ?1 AND n.kind <> 'asked' AND n.kind <> 'decided'
        UNION SELECT n.seq FROM asks a JOIN events n
            ON n.seq BETWEEN a.opened AND coalesce(a.decided, 9223372036854775807)
            WHERE a.id = ?1 AND n.call = ?2 AND n.ask IS NULL AND n.kind <> 'called'
                AND n.kind <> 'finished' AND n.kind <> 'step_started' AND n.kind <> 'step_finished'
        UNION SELECT opened FROM calls WHERE id = ?2
        UNION SELECT finished FROM calls WHERE id = ?2
        UNION SELECT started FROM steps WHERE call = ?2
        UNION SELECT finished FROM steps WHERE call = ?2
    ) AND (ask = ?1 OR (call = ?2 AND ask IS NULL))
    ORDER BY seq";

fn grants(conn: &Connection, id: AskId) -> Result<Vec<GrantRecord>, JournalError> {
    let read = || {
        conn.prepare_cached("SELECT id FROM grants WHERE ask = ? ORDER BY issued_at, id")?
            .query_map([id.as_bytes()], |row| row.get(0).map(GrantId::from_bytes))?
            .collect::<rusqlite::Result<Vec<_>>>()
    };
    let ids = read().map_err(read_error)?;
    let found = ids.into_iter().map(|id| query::grant(conn, id));
    found.filter_map(Result::transpose).collect()
}
