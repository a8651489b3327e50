//! Bringing the index up to date.

use super::{clear, ended_runs, filled};
use crate::{
    AskRecord, JournalError, Status,
    search::text::{fold, terms, text_of},
    sqlite::{query::ask_record, select_rows::ASK_COLUMNS, sql_error::read_error},
};
use holdpoint_ask::ChannelKind;
use rusqlite::{Connection, OptionalExtension as _, Result, Transaction, TransactionBehavior};
use std::collections::HashSet;

/// How many events go into one transaction.
const CHUNK: u64 = 10_000;

/// Adds what was decided up to the head of the journal's snapshot, which is open. `at` is how far
/// the index was filled before that snapshot was taken: what other processes fill in came out of the
/// journal, so the snapshot has it, or it is another journal.
pub(super) fn fill(
    journal: &Connection,
    index: &Connection,
    at: (u64, [u8; 32]),
    head: u64,
) -> Result<(), Failure> {
    let (mut from, hash) = at;
    if from > 0 && (hash_of(journal, from)? != Some(hash) || was_pruned(journal, from, head)?) {
        from = empty(index, at)?;
    }
    while from < head {
        let to = head.min(from + CHUNK);
        let decided = decided(journal, from, to).map_err(Failure::Journal)?;
        let ended = ended_runs::ended(journal, from, to).map_err(Failure::Journal)?;
        let hash = hash_of(journal, to)?.unwrap_or_default();
        let change = Transaction::new_unchecked(index, TransactionBehavior::Immediate)?;
        let (at, _) = filled(index)?;
        // Another process may have been here in the meantime.
        if at == from {
            let mut seen = HashSet::new();
            insert(index, decided, &mut seen)?;
            ended_runs::insert(index, &ended, &mut seen)?;
            index.execute("UPDATE filled SET seq = ?, hash = ?", (to, hash))?;
        }
        change.commit()?;
        from = if at == from { to } else { at };
    }
    Ok(())
}

/// Whether bodies were pruned behind this event: what the index holds of them must go.
fn was_pruned(journal: &Connection, from: u64, head: u64) -> Result<bool> {
    let sql = "SELECT EXISTS (
        SELECT 1 FROM events WHERE kind = 'pruned' AND seq > ? AND seq <= ?)";
    journal
        .prepare_cached(sql)?
        .query_row((from, head), |row| row.get(0))
}

/// Empties an index of another record, or of a later state of a record that was restored.
fn empty(index: &Connection, at: (u64, [u8; 32])) -> Result<u64> {
    let change = Transaction::new_unchecked(index, TransactionBehavior::Immediate)?;
    if filled(index)? == at {
        clear(index)?;
    }
    change.commit()?;
    Ok(filled(index)?.0)
}

/// What was decided by the events behind `from`, up to `to`.
fn decided(journal: &Connection, from: u64, to: u64) -> Result<Vec<Decided>, JournalError> {
    let sql = format!(
        "SELECT {ASK_COLUMNS}, o.at, o.body, r.body, d.body {DECIDED_EVENTS}
         WHERE d.seq > ? AND d.seq <= ? AND d.kind = 'decided'"
    );
    let mut select = journal.prepare_cached(&sql).map_err(read_error)?;
    let mut found = select.query((from, to)).map_err(read_error)?;
    let mut decided = Vec::new();
    while let Some(row) = found.next().map_err(read_error)? {
        decided.push(Decided {
            opened: row.get("opened").map_err(read_error)?,
            decided: row.get("decided").map_err(read_error)?,
            record: ask_record(row)?,
        });
    }
    Ok(decided)
}

/// The decisions, each with the ask that points at it and the ask's other events.
const DECIDED_EVENTS: &str = "
    FROM events d
    JOIN asks a ON a.id = d.ask AND a.decided = d.seq
    LEFT JOIN events o ON o.seq = a.opened AND o.kind = 'asked' AND o.ask = a.id
    LEFT JOIN events r ON r.seq = a.refused AND r.kind = 'refused' AND r.ask = a.id";

/// An ask that is decided, and the places of its two events.
struct Decided {
    opened: u64,
    decided: u64,
    record: AskRecord,
}

fn hash_of(journal: &Connection, seq: u64) -> Result<Option<[u8; 32]>> {
    journal
        .prepare_cached("SELECT hash FROM events WHERE seq = ?")?
        .query_row([seq], |row| row.get(0))
        .optional()
}

fn insert(index: &Connection, mut found: Vec<Decided>, seen: &mut HashSet<String>) -> Result<()> {
    // The text index is fastest when it grows at its end.
    found.sort_by_key(|ask| ask.opened);
    let mut ask = index.prepare_cached(
        "INSERT INTO asks (opened, decided, id, opened_at, server, principal, workspace, tool, client,
            status, channel, author, duration, fast)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    for Decided {
        opened,
        decided,
        record,
    } in &found
    {
        let Some(decision) = &record.decision else {
            continue;
        };
        let origin = &record.origin;
        ask.execute((
            opened,
            decided,
            record.id.as_bytes(),
            record.opened_at.as_millisecond(),
            name(index, origin.server.as_deref())?,
            name(index, Some(&origin.principal))?,
            name(index, origin.workspace.as_deref())?,
            name(index, origin.tool.as_deref())?,
            name(index, origin.client.as_deref())?,
            status_number(record.status()),
            decision.channel.map(channel_number),
            name(index, decision.channel.as_ref().and_then(author))?,
            decision.duration_ms,
            decision.fast,
        ))?;
        insert_text(index, *opened, &fold(&text_of(record)), seen)?;
    }
    Ok(())
}

/// Adds the terms of what was opened by this event; those in `seen` are in the list of terms.
pub(super) fn insert_text(
    index: &Connection,
    opened: u64,
    folded: &str,
    seen: &mut HashSet<String>,
) -> Result<()> {
    let mut term = index.prepare_cached("INSERT OR IGNORE INTO terms VALUES (?)")?;
    let mut line = String::with_capacity(folded.len());
    for one in terms(folded) {
        line.push_str(one);
        line.push(' ');
        if !seen.contains(one) {
            seen.insert(one.to_owned());
            term.execute([one])?;
        }
    }
    let mut text = index.prepare_cached("INSERT INTO texts (rowid, terms) VALUES (?, ?)")?;
    text.execute((opened, line))?;
    Ok(())
}

/// The number that stands for a server, a principal, a workspace, a tool, a client or an author's channel.
pub(super) fn name(index: &Connection, name: Option<&str>) -> Result<Option<i64>> {
    let Some(name) = name else { return Ok(None) };
    let read = || {
        index
            .prepare_cached("SELECT id FROM names WHERE name = ?")?
            .query_row([name], |row| row.get(0))
            .optional()
    };
    if let Some(id) = read()? {
        return Ok(Some(id));
    }
    index
        .prepare_cached("INSERT INTO names (name) VALUES (?)")?
        .execute([name])?;
    read()
}

pub(super) fn status_number(status: Status) -> usize {
    let found = Status::ALL.iter().position(|known| *known == status);
    found.unwrap_or_default()
}

/// The number of a channel; those of authors share the one behind ours, and are told apart by [`author`].
pub(super) fn channel_number(channel: ChannelKind) -> usize {
    let found = ChannelKind::OWN.iter().position(|own| *own == channel);
    found.unwrap_or(ChannelKind::OWN.len())
}

/// The name of an author's channel.
pub(super) fn author(channel: &ChannelKind) -> Option<&str> {
    match channel {
        ChannelKind::Author(name) => Some(name.as_str()),
        _ => None,
    }
}

/// What went wrong, and with which of the two files.
#[derive(Debug)]
pub(super) enum Failure {
    /// The journal cannot be read: nothing can be found.
    Journal(JournalError),
    /// The index cannot be used: the journal is searched without it.
    Index(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Index(error)
    }
}
