//! Opening a journal by its address.

use crate::{Journal, JournalError, MemoryJournal, SqliteJournal};
use std::sync::Arc;

/// Opens the journal at `memory:` or `sqlite:PATH`. Folders and the file are made where they are
/// missing, for this user only.
///
/// # Errors
/// When the address is of another kind, or what is there cannot be used; it is then left as it was.
pub async fn open(url: &str) -> Result<Arc<dyn Journal>, JournalError> {
    let refuse = |what: &str| {
        Err(JournalError::Open {
            place: url.to_owned(),
            what: what.to_owned(),
        })
    };
    if url == "memory:" {
        return Ok(Arc::new(MemoryJournal::new()));
    }
    match url.split_once(':') {
        Some(("sqlite", "")) => refuse("it names no file; write `sqlite:PATH`"),
        Some(("sqlite", path)) => {
            let path = path.to_owned();
            // Opening may wait for another process that migrates the file.
            let opened = tokio::task::spawn_blocking(move || SqliteJournal::open(path)).await;
            let journal = opened.unwrap_or(Err(JournalError::Closed))?;
            Ok(Arc::new(journal))
        }
        Some(("postgres" | "postgresql", _)) => {
            refuse("this build has no PostgreSQL; use `sqlite:PATH`")
        }
        _ => refuse("it is no journal; write `sqlite:PATH` or `memory:`"),
    }
}
