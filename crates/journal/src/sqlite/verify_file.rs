//! Verifying: every event and every row is read, and handed to the rules.

use super::{high_water_mark, select_rows, sql_error::read_error};
use crate::{
    GrantRecord, JournalError, Verified,
    rules::{AskRow, CallRow, RowCounts, RowSource, StepRow, Verifier},
};
use holdpoint_ask::{AskId, CallId, GrantId};
use rusqlite::Connection;
use std::path::Path;

/// Verifies the journal; where it is in a file, also by the mark beside that.
pub(super) fn verify(conn: &Connection, path: Option<&Path>) -> Result<Verified, JournalError> {
    // Looked at first: what is committed meanwhile is not lost.
    let lost = match path {
        Some(path) => high_water_mark::lost(conn, path)?,
        None => None,
    };
    // All of it is read at one moment, while others go on writing.
    let _snapshot = conn.unchecked_transaction().map_err(read_error)?;
    let mut verifier = Verifier::new(Rows(conn));
    let mut select = conn
        .prepare("SELECT seq, at, kind, call, ask, body, hash FROM events ORDER BY seq")
        .map_err(read_error)?;
    let mut events = select.query([]).map_err(read_error)?;
    while let Some(row) = events.next().map_err(read_error)? {
        match select_rows::event_link(row) {
            Ok((link, hash)) => verifier.event(&link, hash)?,
            Err(_) => verifier.unreadable(row.get(0).unwrap_or_default()),
        }
    }
    Ok(Verified {
        lost,
        ..verifier.finish()?
    })
}

struct Rows<'a>(&'a Connection);

impl RowSource for Rows<'_> {
    fn call(&mut self, id: CallId) -> Result<Option<CallRow>, JournalError> {
        select_rows::call(self.0, id).map_err(read_error)
    }

    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>, JournalError> {
        select_rows::ask(self.0, id).map_err(read_error)
    }

    fn step(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
    ) -> Result<Option<StepRow>, JournalError> {
        select_rows::step(self.0, call, name, occurrence).map_err(read_error)
    }

    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>, JournalError> {
        select_rows::grant(self.0, id).map_err(read_error)
    }

    fn counts(&mut self) -> Result<RowCounts, JournalError> {
        let count = |table| {
            self.0
                .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                    row.get(0)
                })
                .map_err(read_error)
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
            let mut select = self.0.prepare(sql).map_err(read_error)?;
            let found = select.query_map([], |row| row.get(0));
            let found = found.and_then(Iterator::collect::<rusqlite::Result<Vec<String>>>);
            strays.extend(found.map_err(read_error)?);
        }
        Ok(strays)
    }
}

/// The rows that no event with a body opened.
const STRAYS: [&str; 4] = [
    "SELECT 'call ' || lower(hex(id)) FROM calls WHERE id NOT IN
        (SELECT call FROM events
         WHERE kind = 'called' AND call IS NOT NULL AND body NOT LIKE 'pruned by %')",
    "SELECT 'ask ' || lower(hex(id)) FROM asks WHERE id NOT IN
        (SELECT ask FROM events
         WHERE kind = 'asked' AND ask IS NOT NULL AND body NOT LIKE 'pruned by %')",
    "SELECT 'step `' || name || '` of call ' || lower(hex(call)) FROM steps WHERE started NOT IN
        (SELECT seq FROM events WHERE kind = 'step_started' AND body NOT LIKE 'pruned by %')",
    "SELECT 'grant ' || lower(hex(id)) FROM grants WHERE lower(hex(id)) NOT IN
        (SELECT replace(json_extract(body, '$.grant'), '-', '')
         FROM events WHERE kind = 'granted' AND json_valid(body))",
];
