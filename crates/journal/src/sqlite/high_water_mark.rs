//! The mark beside the journal (`PATH-mark`): how far the journal came.
//!
//! A journal whose log was lost, or that was replaced by an older copy, is whole in itself. The mark
//! tells: it names an event that such a journal does not hold. It is written without waiting for the
//! disk and at most once a second, so it may be behind, which is fine; the events are durable before
//! it names them, so it is never ahead of a journal that lost nothing.
//!
//! A mark that names a lost event stays until a person accepts the loss.

use super::{file::beside, sql_error::read_error};
use crate::{JournalError, rules::Head};
use holdpoint_ask::Digest;
use holdpoint_workspace::{private, read_text_file};
use rusqlite::{Connection, OptionalExtension as _};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use uuid::Uuid;

/// How long the mark may be behind.
const INTERVAL: Duration = Duration::from_secs(1);

/// No mark is longer.
const LONGEST: u64 = 128;

/// The event that the mark of this journal names, if the journal does not hold it.
pub(super) fn lost(conn: &Connection, path: &Path) -> Result<Option<Head>, JournalError> {
    match read(path) {
        Some(mark) if !holds(conn, mark).map_err(read_error)? => Ok(Some(mark)),
        _ => Ok(None),
    }
}

/// Writes the mark of a journal that is open in this process.
#[derive(Debug)]
pub(super) struct MarkWriter {
    journal: PathBuf,
    /// Where it is written before it is put in its place.
    draft: PathBuf,
    reached: Option<Head>,
    written: Option<Head>,
    next: Instant,
    accepted: bool,
}

impl MarkWriter {
    /// A process clears away what another one left in the folder of locks.
    pub fn new(journal: &Path, locks: &Path, owner: Uuid) -> Self {
        Self {
            journal: journal.to_owned(),
            draft: locks.join(format!("{owner}-mark.new")),
            reached: None,
            written: None,
            next: Instant::now(),
            accepted: false,
        }
    }

    /// The journal has come so far.
    pub fn reach(&mut self, head: Head) {
        self.reached = (head.seq > 0).then_some(head);
    }

    /// A person accepts what is lost: the next mark counts, whatever the last one said.
    pub fn accept_loss(&mut self) {
        self.accepted = true;
        self.written = None;
        self.next = Instant::now();
    }

    /// When it is to be written; never while it says all there is.
    pub fn due(&self) -> Option<Instant> {
        (self.reached != self.written).then_some(self.next)
    }

    /// Writes it, unless the one that is there says more or names what is lost.
    pub fn write(&mut self, conn: &Connection, now: Instant) {
        let Some(head) = self.reached else { return };
        self.written = self.reached;
        self.next = now + INTERVAL;
        if !self.accepted
            && let Some(mark) = read(&self.journal)
        {
            match holds(conn, mark) {
                Ok(true) if mark.seq < head.seq => {}
                Ok(true) => return,
                Ok(false) => {
                    tracing::warn!(
                        event = mark.seq,
                        "the journal does not hold an event that it held once: see `holdpoint journal check`"
                    );
                    return;
                }
                Err(error) => return tracing::warn!(%error, "the journal's mark cannot be checked"),
            }
        }
        self.accepted = false;
        let text = format!("{} {}\n", head.seq, head.hash);
        let path = beside(&self.journal, "mark");
        if let Err(error) = private::replace_without_sync(&path, &self.draft, text.as_bytes()) {
            tracing::warn!(%error, "the journal's mark cannot be written");
        }
    }
}

/// The mark of this journal. One that a power cut left empty says nothing.
fn read(journal: &Path) -> Option<Head> {
    let text = read_text_file(&beside(journal, "mark"), LONGEST).ok()?;
    let (seq, hash) = text.trim_end().split_once(' ')?;
    Some(Head {
        seq: seq.parse().ok()?,
        hash: hash.parse::<Digest>().ok()?,
    })
}

/// Whether the journal has this event, with this hash. One that cannot be read is another one.
fn holds(conn: &Connection, mark: Head) -> rusqlite::Result<bool> {
    let held = conn
        .prepare_cached("SELECT hash FROM events WHERE seq = ?")?
        .query_row([mark.seq], |row| {
            let hash = row.get_ref(0)?.as_blob();
            Ok(hash.is_ok_and(|hash| hash == mark.hash.as_bytes()))
        })
        .optional()?;
    Ok(held.unwrap_or(false))
}
