//! `verify` over the file.

use super::{query::wrong, rows};
use crate::{
    GrantRecord, JournalError, Verified,
    chain::Link,
    row::{AskRow, CallRow, StepRow},
    verify::{Check, Counts, Rows, Subject},
};
use holdpoint_ask::{AskId, CallId, Digest, GrantId};
use rusqlite::{Connection, Row};

pub(super) fn verify(conn: &Connection) -> Result<Verified, JournalError> {
    // One moment of the file for all of it, while others go on writing.
    let _snapshot = conn
        .unchecked_transaction()
        .map_err(|error| wrong(&error))?;
    let mut check = Check::new(Kept(conn));
    let mut select = conn
        .prepare("SELECT seq, at, kind, call, ask, body, hash FROM events ORDER BY seq")
        .map_err(|error| wrong(&error))?;
    let mut events = select.query([]).map_err(|error| wrong(&error))?;
    while let Some(row) = events.next().map_err(|error| wrong(&error))? {
        match link(row) {
            Ok((link, hash)) => check.event(&link, hash)?,
            Err(_) => check.unreadable(row.get(0).unwrap_or_default()),
        }
    }
    check.finish()
}

fn link<'a>(row: &'a Row<'_>) -> rusqlite::Result<(Link<'a>, Digest)> {
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

struct Kept<'a>(&'a Connection);

impl Rows for Kept<'_> {
    fn call(&mut self, id: CallId) -> Result<Option<CallRow>, JournalError> {
        rows::call(self.0, id).map_err(|error| wrong(&error))
    }

    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>, JournalError> {
        rows::ask(self.0, id).map_err(|error| wrong(&error))
    }

    fn step(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
    ) -> Result<Option<StepRow>, JournalError> {
        rows::step(self.0, call, name, occurrence).map_err(|error| wrong(&error))
    }

    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>, JournalError> {
        rows::grant(self.0, id).map_err(|error| wrong(&error))
    }

    fn counts(&mut self) -> Result<Counts, JournalError> {
        let count = |table| {
            self.0
                .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                    row.get(0)
                })
                .map_err(|error| wrong(&error))
        };
        Ok(Counts {
            calls: count("calls")?,
            asks: count("asks")?,
            steps: count("steps")?,
            grants: count("grants")?,
        })
    }

    fn strays(&mut self) -> Result<Vec<Subject>, JournalError> {
        let mut strays = Vec::new();
        let mut find = |sql: &str, subject: fn(&Row<'_>) -> rusqlite::Result<Subject>| {
            let mut select = self.0.prepare(sql)?;
            for stray in select.query_map([], subject)? {
                strays.push(stray?);
            }
            Ok(())
        };
        find(
            "SELECT id FROM calls WHERE id NOT IN
                (SELECT call FROM events WHERE kind = 'called' AND call IS NOT NULL)",
            |row| Ok(Subject::Call(CallId::from_bytes(row.get(0)?))),
        )
        .and_then(|()| {
            find(
                "SELECT id FROM asks WHERE id NOT IN
                    (SELECT ask FROM events WHERE kind = 'asked' AND ask IS NOT NULL)",
                |row| Ok(Subject::Ask(AskId::from_bytes(row.get(0)?))),
            )
        })
        .and_then(|()| {
            find(
                "SELECT call, name, occurrence FROM steps WHERE started NOT IN
                    (SELECT seq FROM events WHERE kind = 'step_started')",
                |row| {
                    let call = CallId::from_bytes(row.get(0)?);
                    Ok(Subject::Step(call, row.get(1)?, row.get(2)?))
                },
            )
        })
        .and_then(|()| {
            find(
                "SELECT id FROM grants WHERE hex(id) NOT IN
                    (SELECT upper(replace(json_extract(body, '$.grant'), '-', ''))
                     FROM events WHERE kind = 'granted')",
                |row| Ok(Subject::Grant(GrantId::from_bytes(row.get(0)?))),
            )
        })
        .map_err(|error: rusqlite::Error| wrong(&error))?;
        Ok(strays)
    }
}
