//! Verifying: every event and every row is read at one moment, and handed to the rules.
//!
//! Events come in windows, and for each window the rows that they are about in one go: the database is far
//! away. The rules do not wait for anything but a lookup, so they have a thread of their own.

use super::{
    query::{self, select},
    select_rows::{EVENT_COLUMNS, digest, event_link, number},
};
use crate::{
    Flaw, JournalError, Verified,
    rules::{Head, Verifier},
};
use deadpool_postgres::{Client, Transaction};
use rows::Rows;
use tokio::{runtime::Handle, task::spawn_blocking};
use tokio_postgres::Row;

mod rows;

/// How many events are read at a time, and how many bytes of them, about.
const WINDOW: i64 = 4_096;
const WINDOW_BYTES: i64 = 16 << 20;

/// How many flaws are reported at most, as by the rules.
const MAX_FLAWS: usize = 100;

pub(super) async fn verify(client: Client) -> Result<Verified, JournalError> {
    let runtime = Handle::current();
    let walk = spawn_blocking(move || walk(&runtime, client)).await;
    walk.unwrap_or_else(|error| {
        Err(JournalError::read("the verification was stopped").with_source(error))
    })
}

fn walk(runtime: &Handle, mut client: Client) -> Result<Verified, JournalError> {
    let snapshot = runtime.block_on(query::snapshot(&mut client))?;
    let mut verifier = Verifier::new(Rows::new(runtime, &snapshot));
    let mut last = None;
    let mut from = Some(i64::MIN);
    while let Some(start) = from {
        let events = runtime.block_on(window(&snapshot, start))?;
        verifier.rows_mut().fetch(&events)?;
        for row in &events {
            let event = event_link(row, |link, hash| {
                let seq = link.seq;
                Ok((verifier.event(link, hash), Head { seq, hash }))
            });
            match event {
                Ok((compared, head)) => {
                    compared?;
                    last = Some(head);
                }
                Err(_) => verifier.unreadable(number(row.get(0)).unwrap_or_default()),
            }
        }
        from = events
            .last()
            .and_then(|row| row.get::<_, i64>(0).checked_add(1));
    }
    let mut verified = verifier.finish()?;
    let flaw = runtime.block_on(head_flaw(&snapshot, last.unwrap_or_else(Head::start)))?;
    let room = MAX_FLAWS.saturating_sub(verified.flaws.len());
    verified.flaws.extend(flaw.into_iter().take(room));
    Ok(verified)
}

/// The events from this number on, as many as are read at a time.
async fn window(snapshot: &Transaction<'_>, from: i64) -> Result<Vec<Row>, JournalError> {
    let sql = format!(
        "SELECT {EVENT_COLUMNS} FROM (
            SELECT w.*, sum(octet_length(w.body)) OVER (ORDER BY w.seq) - octet_length(w.body)
                AS before
            FROM (SELECT * FROM holdpoint.events WHERE seq >= $1 ORDER BY seq LIMIT $2) w
         ) e WHERE e.before <= $3 ORDER BY e.seq"
    );
    select(snapshot, &sql, &[&from, &WINDOW, &WINDOW_BYTES]).await
}

/// What is wrong with the row that names the last event.
async fn head_flaw(snapshot: &Transaction<'_>, last: Head) -> Result<Option<Flaw>, JournalError> {
    let sql = "SELECT seq, hash FROM holdpoint.head";
    let found = select(snapshot, sql, &[]).await?;
    let what = match found.first() {
        None => "the row of `holdpoint.head`, which names the last event, is gone".to_owned(),
        Some(row) => {
            let seq: i64 = row.get(0);
            let is_hash = digest(row.get(1)).is_ok_and(|hash| hash == last.hash);
            if number::<u64>(seq).is_ok_and(|seq| seq == last.seq) && is_hash {
                return Ok(None);
            }
            format!(
                "`holdpoint.head` says that the last event is {seq}, or has another hash: events behind this \
                 one are missing, or the row was changed"
            )
        }
    };
    Ok(Some(Flaw {
        seq: last.seq,
        what,
    }))
}
