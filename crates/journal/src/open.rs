//! Opening a journal by its address.

use crate::{JournalEngine, JournalError, SqliteJournal};
use holdpoint_workspace::Environment;
use std::{path::Path, sync::Arc};

/// Opens the journal at `memory:`, `sqlite:PATH` or, with the feature `postgres`, `postgres://HOST/DATABASE`.
/// Folders and the file, or the tables, are made where they are missing; a file for this user only.
///
/// A path that is relative is one below the person's own folder for Holdpoint
/// (`$XDG_STATE_HOME/holdpoint`, by default `~/.local/state/holdpoint`), and the log says the whole of
/// it. It is never one below the current folder: an MCP client starts its servers wherever it likes, so
/// records would be scattered, and they would lie in the workspace, where an agent can edit them.
///
/// ```no_run
/// # async fn open() -> Result<(), holdpoint_journal::JournalError> {
/// // ~/.local/state/holdpoint/decisions.db
/// let journal = holdpoint_journal::open("sqlite:decisions.db").await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the address is of another kind, or what is there cannot be used; it is then left as it was.
/// When the path is relative and this user has no home.
pub async fn open(url: &str) -> Result<Arc<dyn JournalEngine>, JournalError> {
    if is_postgres(url) {
        open_postgres(url, To::Write).await
    } else {
        open_with(url, SqliteJournal::open).await
    }
}

/// Opens the journal at this address, which means the same as in [`open()`], only to look at it: nothing
/// is made, migrated or changed.
///
/// # Errors
/// When there is none, or it cannot be read.
pub async fn open_read_only(url: &str) -> Result<Arc<dyn JournalEngine>, JournalError> {
    if is_postgres(url) {
        open_postgres(url, To::Look).await
    } else {
        open_with(url, SqliteJournal::open_read_only).await
    }
}

const NO_HOME: &str = "the path is relative, and no home folder was found that it could be in; \
                       write an absolute path";

/// The path that is meant; none where it is relative and nobody's folder is known.
fn resolve(path: &str, environment: &Environment) -> Option<String> {
    if Path::new(path).is_absolute() {
        return Some(path.to_owned());
    }
    let whole = environment.state_folder()?.join(path);
    let whole = whole.to_str()?.to_owned();
    tracing::info!(
        path,
        journal = whole,
        "the journal's path is relative: it lies in the person's own folder for Holdpoint"
    );
    Some(whole)
}

/// What a journal is opened for.
#[derive(Debug, Clone, Copy)]
enum To {
    Write,
    Look,
}

fn is_postgres(url: &str) -> bool {
    let scheme = url.split_once(':').map(|(scheme, _)| scheme);
    matches!(scheme, Some("postgres" | "postgresql"))
}

#[cfg(feature = "postgres")]
async fn open_postgres(url: &str, to: To) -> Result<Arc<dyn JournalEngine>, JournalError> {
    use crate::PostgresJournal;
    Ok(Arc::new(match to {
        To::Write => PostgresJournal::open(url).await?,
        To::Look => PostgresJournal::open_read_only(url).await?,
    }))
}

#[cfg(not(feature = "postgres"))]
async fn open_postgres(url: &str, _to: To) -> Result<Arc<dyn JournalEngine>, JournalError> {
    let what =
        "this program was built without PostgreSQL (the feature `postgres`); use `sqlite:PATH`";
    Err(JournalError::open(crate::shown_address(url), what))
}

async fn open_with(
    url: &str,
    open: fn(String) -> Result<SqliteJournal, JournalError>,
) -> Result<Arc<dyn JournalEngine>, JournalError> {
    if url == "memory:" {
        return Ok(Arc::new(SqliteJournal::in_memory()?));
    }
    let refuse = |what| Err(JournalError::open(crate::shown_address(url), what));
    match url.split_once(':') {
        Some(("sqlite", "")) => refuse("the path is missing; write `sqlite:PATH`"),
        Some(("sqlite", path)) => {
            let path = resolve(path, &Environment::from_process())
                .ok_or_else(|| JournalError::open(url, NO_HOME))?;
            // Opening may wait for another process that migrates the file.
            let opened = tokio::task::spawn_blocking(move || open(path)).await;
            let journal = opened.unwrap_or(Err(JournalError::Closed))?;
            Ok(Arc::new(journal))
        }
        _ => refuse(
            "the address is not known; write `sqlite:PATH`, `postgres://HOST/DATABASE` or `memory:`",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_path_lies_in_the_persons_own_folder() {
        let check = |path: &str, variables: &[(&str, &str)], wanted: &str| {
            let environment = Environment::new(Path::new("/home/ada"), variables.iter().copied());
            let whole = resolve(path, &environment);
            assert_eq!(whole.as_deref(), Some(wanted), "{path} {variables:?}");
        };
        check("/var/j.db", &[], "/var/j.db");
        let by_default = "/home/ada/.local/state/holdpoint/j.db";
        check("j.db", &[], by_default);
        let below = "/home/ada/.local/state/holdpoint/a/j.db";
        check("a/j.db", &[], below);
        let state = ("XDG_STATE_HOME", "/state");
        check("j.db", &[state], "/state/holdpoint/j.db");
        check("j.db", &[("XDG_STATE_HOME", "not/absolute")], by_default);
        assert_eq!(resolve("j.db", &Environment::default()), None);
    }
}
