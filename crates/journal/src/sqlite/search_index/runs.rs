//! Finds runs of scripts: those that have ended by the index, the few others one by one.

use super::{
    candidates::{names, terms},
    ended_runs::MAY_BE_RUN,
    fill::Failure,
    find::{Snapshot, visit},
};
use crate::{
    FoundRuns, JournalError, RunSearch,
    run_search::RunMatcher,
    search::{millis_from, occurs, text::fold, text::parts},
    sqlite::{query, sql_error::read_error},
};
use holdpoint_ask::CallId;
use rusqlite::{Connection, Params, Result, params_from_iter, types::Value};
use std::path::Path;

pub(in crate::sqlite) fn runs(
    journal: &Connection,
    path: Option<&Path>,
    search: &RunSearch,
) -> std::result::Result<FoundRuns, JournalError> {
    let matcher = RunMatcher::new(search);
    visit(journal, path, |index, snapshot| {
        let mut ids = match index {
            Some(index) => {
                let mut ids = unfinished(journal)?;
                ids.extend(candidates(index, snapshot, search, &matcher)?);
                ids
            }
            None => all(journal)?,
        };
        ids.retain(|id| search.before.is_none_or(|before| *id < before));
        ids.sort_unstable();
        let mut found = FoundRuns::default();
        for id in ids.into_iter().rev() {
            let run = query::call_history(journal, id).map_err(Failure::Journal)?;
            if let Some(run) = run.filter(|run| matcher.fits(run))
                && !found.push(run, search.limit)
            {
                break;
            }
        }
        Ok(found)
    })
}

/// The runs that have not ended.
fn unfinished(journal: &Connection) -> std::result::Result<Vec<CallId>, Failure> {
    // With a binding: an index leads there, and runs have one.
    let sql = format!(
        "SELECT c.id FROM calls c JOIN events o ON o.seq = c.opened
         WHERE c.finished IS NULL AND c.binding IS NOT NULL AND {MAY_BE_RUN}"
    );
    read_ids(journal, &sql, []).map_err(|error| Failure::Journal(read_error(error)))
}

/// All runs, where there is no index.
fn all(journal: &Connection) -> std::result::Result<Vec<CallId>, Failure> {
    let sql =
        format!("SELECT c.id FROM calls c JOIN events o ON o.seq = c.opened WHERE {MAY_BE_RUN}");
    read_ids(journal, &sql, []).map_err(|error| Failure::Journal(read_error(error)))
}

/// Which of the index's runs to check.
fn candidates(
    index: &Connection,
    snapshot: &Snapshot<'_>,
    search: &RunSearch,
    matcher: &RunMatcher<'_>,
) -> std::result::Result<Vec<CallId>, Failure> {
    let mut conditions = vec!["r.finished <= ?".to_owned()];
    let mut values = vec![Value::Integer(snapshot.head.cast_signed())];
    for (time, condition) in [
        (search.since, "r.opened_at >= ?"),
        (search.until, "r.opened_at < ?"),
    ] {
        if let Some(time) = time {
            conditions.push(condition.to_owned());
            values.push(Value::Integer(millis_from(time)));
        }
    }
    let names = names(index)?;
    for (part, column) in [
        (&search.server, "r.server"),
        (&search.tool, "r.tool"),
        (&search.client, "r.client"),
    ] {
        let Some(part) = part.as_deref().map(fold) else {
            continue;
        };
        let fitting = names
            .iter()
            .filter(|(_, name)| occurs(Some(&part), Some(name)));
        let fitting: Vec<_> = fitting.map(|(id, _)| id.to_string()).collect();
        conditions.push(format!("{column} IN ({})", fitting.join(", ")));
    }
    let mut texts = Vec::new();
    for part in matcher.words.iter().flat_map(|word| parts(word)) {
        match terms(index, &part)? {
            None => {}
            Some(terms) if terms.is_empty() => return Ok(Vec::new()),
            Some(terms) => texts.push(format!("({})", terms.join(" OR "))),
        }
    }
    let conditions = conditions.join(" AND ");
    let sql = if texts.is_empty() {
        format!("SELECT r.id FROM runs r WHERE {conditions}")
    } else {
        values.insert(0, Value::Text(texts.join(" AND ")));
        format!(
            "SELECT r.id FROM texts CROSS JOIN runs r ON r.opened = texts.rowid
             WHERE texts MATCH ? AND {conditions}"
        )
    };
    Ok(read_ids(index, &sql, params_from_iter(&values))?)
}

fn read_ids(conn: &Connection, sql: &str, values: impl Params) -> Result<Vec<CallId>> {
    conn.prepare_cached(sql)?
        .query_map(values, |row| row.get(0).map(CallId::from_bytes))?
        .collect()
}
