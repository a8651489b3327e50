//! The sources of scripts whose calls wait, kept beside the record.

use crate::{Program, flow::version, program::stem};
use holdpoint::{
    CallId, Digest, FlowVersion, ToolContext,
    journal::{AskQuery, JournalEngine, JournalError},
};
use std::{collections::HashSet, path::Path};

/// Below this name in the vault, by the digest of the source.
const FOLDER: &str = "scripts";

/// With more open asks than this, nothing is looked through.
const MOST_ASKS: usize = 10_000;
const PAGE: usize = 500;

/// Keeps the source of a program, once: its calls go on with it, whatever becomes of the file.
pub(crate) async fn keep(cx: &ToolContext, program: &Program) -> Result<(), JournalError> {
    if program.is_kept() {
        return Ok(());
    }
    let source = program.source().as_bytes().to_vec();
    let journal = cx.desk().journal();
    journal.create(&name(program.digest()), source).await?;
    program.set_kept();
    Ok(())
}

/// The program of this version in `folder` that has this tool, where its source was kept and is what it was.
pub(crate) async fn load(
    journal: &dyn JournalEngine,
    wanted: &FlowVersion,
    folder: &Path,
    tool: &str,
) -> Result<Option<Program>, JournalError> {
    let Some((file, digest)) = file_and_digest(wanted) else {
        return Ok(None);
    };
    let Some(text) = journal.load(&name(digest)).await? else {
        return Ok(None);
    };
    let source = String::from_utf8(text).unwrap_or_default();
    // The server's name stands before the file's, and either may hold a comma.
    let commas = file
        .rmatch_indices(", ")
        .map(|(at, comma)| at + comma.len());
    let mut files = commas.chain([0]).map(|start| folder.join(&file[start..]));
    Ok(files.find_map(|path| {
        let program = Program::from_source(&stem(&path), &path, &source).ok()?;
        program.set_kept();
        // Its digest is on record with the call: another source is not taken for it.
        let is_wanted = wanted.is_of_tool(&version(&program))
            && program.methods().iter().any(|method| method.tool == tool);
        is_wanted.then_some(program)
    }))
}

/// Removes what no open call needs any more, but for these; nothing while another process has the journal open, which
/// may count on what it has kept.
pub(crate) async fn remove_unused(
    journal: &dyn JournalEngine,
    current: HashSet<Digest>,
) -> Result<(), JournalError> {
    for digest in unused(journal, current).await? {
        let source = journal.load(&name(digest)).await?;
        if journal.is_open_elsewhere().await? {
            return Ok(());
        }
        journal.store(&name(digest), None).await?;
        // One that opened it meanwhile may have found it kept.
        if let Some(source) = source
            && journal.is_open_elsewhere().await?
        {
            journal.create(&name(digest), source).await?;
        }
    }
    Ok(())
}

/// The sources that no open call needs, but for these.
async fn unused(
    journal: &dyn JournalEngine,
    current: HashSet<Digest>,
) -> Result<HashSet<Digest>, JournalError> {
    let kept = journal.names(FOLDER).await?.into_iter();
    let kept = kept.filter_map(|name| name.rsplit('/').next()?.parse().ok());
    let mut unused: HashSet<Digest> = kept.filter(|digest| !current.contains(digest)).collect();
    let (mut query, mut seen) = (
        AskQuery {
            open: true,
            limit: Some(PAGE),
            ..AskQuery::default()
        },
        HashSet::<CallId>::new(),
    );
    while !unused.is_empty() {
        let asks = journal.asks(query.clone()).await?;
        for ask in &asks {
            if let Some(call) = ask.call.filter(|call| seen.insert(*call))
                && let Some(history) = journal.call(call).await?
                && let Some((_, digest)) = file_and_digest(&history.call.flow_version.into())
            {
                unused.remove(&digest);
            }
        }
        query.before = asks.last().map(|ask| ask.id);
        if asks.len() < PAGE {
            break;
        }
        if seen.len() >= MOST_ASKS {
            return Ok(HashSet::new());
        }
    }
    Ok(unused)
}

fn name(digest: Digest) -> String {
    format!("{FOLDER}/{digest}")
}

/// The digest of the source in the version of a script's flow, and what stands before it, which ends in the file's name.
fn file_and_digest(version: &FlowVersion) -> Option<(&str, Digest)> {
    let (file_and_digest, _) = version.as_str().rsplit_once(" (format ")?;
    let (file, digest) = file_and_digest.rsplit_once(' ')?;
    Some((file, digest.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_another_process_may_count_on_stays_until_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("journal.db").display());
        let open = async || holdpoint::journal::open(&url).await.unwrap();
        let (journal, other) = (open().await, open().await);
        let kept = name(Digest::hash_bytes(b"a source"));
        other.create(&kept, b"a source".to_vec()).await.unwrap();

        // No call of it is open; the next one of the other process would not keep it again.
        remove_unused(&*journal, HashSet::new()).await.unwrap();
        assert_eq!(journal.names(FOLDER).await.unwrap(), [kept]);
        drop(other);
        remove_unused(&*journal, HashSet::new()).await.unwrap();
        assert_eq!(journal.names(FOLDER).await.unwrap(), [""; 0]);
    }
}
