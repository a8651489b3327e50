//! The workspaces that are known here: the server's own, and those on record that are still folders.

use holdpoint::journal::{AskQuery, JournalEngine, JournalError, RunSearch};
use std::path::{Path, PathBuf};

/// How far back the record is read.
const MOST_ASKS: usize = 500;
const MOST_RUNS: usize = 100;
/// How many there can be to choose from.
const MOST: usize = 20;

/// The own one first, then the others, last used first.
///
/// # Errors
/// When the record cannot be read.
pub async fn known_workspaces(
    journal: &dyn JournalEngine,
    own: &Path,
) -> Result<Vec<PathBuf>, JournalError> {
    let runs = RunSearch {
        limit: Some(MOST_RUNS),
        ..RunSearch::default()
    };
    let asks = AskQuery {
        limit: Some(MOST_ASKS),
        ..AskQuery::default()
    };
    let runs = journal.runs(runs).await?.runs.into_iter();
    let asks = journal.asks(asks).await?.into_iter();
    let mut used: Vec<_> = runs
        .map(|run| (run.call.opened_at, run.call.origin.workspace))
        .chain(asks.map(|ask| (ask.opened_at, ask.origin.workspace)))
        .filter_map(|(at, workspace)| Some((at, PathBuf::from(workspace?))))
        .collect();
    used.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let mut known = vec![own.to_owned()];
    for (_, workspace) in used {
        if known.len() < MOST && !known.contains(&workspace) && is_folder(&workspace) {
            known.push(workspace);
        }
    }
    Ok(known)
}

/// Whether this is a folder by its own name: not through a link, which leads elsewhere by now.
fn is_folder(path: &Path) -> bool {
    path.is_absolute() && path.is_dir() && path.canonicalize().is_ok_and(|real| real == path)
}
