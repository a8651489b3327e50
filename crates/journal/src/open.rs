//! Opening a journal by its address.

use crate::{JournalEngine, JournalError, SqliteJournal};
use std::sync::Arc;

/// Opens the journal at `memory:` or `sqlite:PATH`. Folders and the file are made where they are
/// missing, for this user only.
///
/// # Errors
/// When the address is of another kind, or what is there cannot be used; it is then left as it was.
pub async fn open(url: &str) -> Result<Arc<dyn JournalEngine>, JournalError> {
    open_with(url, SqliteJournal::open).await
}

/// Opens the journal at this address only to look at it: nothing is made, migrated or changed.
///
/// # Errors
/// When there is none, or it cannot be read.
pub async fn open_read_only(url: &str) -> Result<Arc<dyn JournalEngine>, JournalError> {
    open_with(url, SqliteJournal::open_read_only).await
}

async fn open_with(
    url: &str,
    open: fn(String) -> Result<SqliteJournal, JournalError>,
) -> Result<Arc<dyn JournalEngine>, JournalError> {
    if url == "memory:" {
        return Ok(Arc::new(SqliteJournal::in_memory()?));
    }
    let refuse = |what| Err(JournalError::open(url, what));
    match url.split_once(':') {
        Some(("sqlite", "")) => refuse("the path is missing; write `sqlite:PATH`"),
        Some(("sqlite", path)) => {
            let path = path.to_owned();
            // Opening may wait for another process that migrates the file.
            let opened = tokio::task::spawn_blocking(move || open(path)).await;
            let journal = opened.unwrap_or(Err(JournalError::Closed))?;
            Ok(Arc::new(journal))
        }
        Some(("postgres" | "postgresql", _)) => {
            refuse("this build does not support PostgreSQL; use `sqlite:PATH`")
        }
        _ => refuse("the address is not known; write `sqlite:PATH` or `memory:`"),
    }
}
