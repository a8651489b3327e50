//! Puts runs of scripts that have ended into the index, by what they did.

use super::fill::{insert_text, name};
use crate::{
    CallHistory, JournalError,
    run_search::text_of,
    search::text::fold,
    sqlite::{query, sql_error::read_error},
};
use holdpoint_ask::CallId;
use rusqlite::{Connection, Result};
use std::collections::HashSet;

/// A body that has this may be a run's; the record says whether it is.
pub(super) const MAY_BE_RUN: &str = r#"instr(o.body, '"run":true') > 0"#;

/// A run that has ended, and the places of its two events.
pub(super) struct Ended {
    opened: u64,
    finished: u64,
    run: CallHistory,
}

/// The runs that ended by the events behind `from`, up to `to`.
pub(super) fn ended(
    journal: &Connection,
    from: u64,
    to: u64,
) -> std::result::Result<Vec<Ended>, JournalError> {
    let sql = format!(
        "SELECT c.id, c.opened, c.finished FROM events f
         JOIN calls c ON c.id = f.call AND c.finished = f.seq
         JOIN events o ON o.seq = c.opened
         WHERE f.seq > ? AND f.seq <= ? AND f.kind = 'finished' AND {MAY_BE_RUN}"
    );
    let read = || {
        journal
            .prepare_cached(&sql)?
            .query_map((from, to), |row| {
                let id = CallId::from_bytes(row.get(0)?);
                Ok((id, row.get(1)?, row.get(2)?))
            })?
            .collect::<Result<Vec<_>>>()
    };
    let mut ended = Vec::new();
    for (id, opened, finished) in read().map_err(read_error)? {
        let run = query::call_history(journal, id)?;
        ended.extend(run.filter(|run| run.call.run).map(|run| Ended {
            opened,
            finished,
            run,
        }));
    }
    Ok(ended)
}

/// Adds them to the index, within the transaction that is open.
pub(super) fn insert(
    index: &Connection,
    ended: &[Ended],
    seen: &mut HashSet<String>,
) -> Result<()> {
    let mut insert = index.prepare_cached(
        "INSERT INTO runs (opened, finished, id, opened_at, server, tool, client)
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )?;
    for Ended {
        opened,
        finished,
        run,
    } in ended
    {
        let (call, origin) = (&run.call, &run.call.origin);
        insert.execute((
            opened,
            finished,
            call.id.as_bytes(),
            call.opened_at.as_millisecond(),
            name(index, origin.server.as_deref())?,
            name(index, origin.tool.as_deref())?,
            name(index, origin.client.as_deref())?,
        ))?;
        insert_text(index, *opened, &fold(&text_of(run)), seen)?;
    }
    Ok(())
}
