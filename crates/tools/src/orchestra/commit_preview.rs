//! What a person is shown before a commit: exactly the tree that it would make.

use super::{Flow, phase_commit::describe_binary};
use holdpoint::Digest;
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::markdown::cut;
use holdpoint_workspace::git::{BinaryChange, GitError, Staged};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::Path;

/// What git says before a person is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum CommitPreview {
    /// There is no repository, or no git.
    NoGit,
    /// There is one.
    #[serde(rename = "seen")]
    Staged(Box<Staged>),
    /// There is one, and git could not say; why.
    Failed(String),
}

impl CommitPreview {
    /// Asks git what a commit of these files would be, with as much of the diff as there is room for.
    pub async fn read(flow: &Flow, folder: &Path, files: &[String], room: usize) -> Self {
        match staged(flow, folder, files, room).await {
            Ok(None) => Self::NoGit,
            Ok(Some(staged)) => Self::Staged(Box::new(staged)),
            Err(error) => Self::Failed(error_chain(&error)),
        }
    }
}

async fn staged(
    flow: &Flow,
    folder: &Path,
    files: &[String],
    room: usize,
) -> Result<Option<Staged>, GitError> {
    let Some(git) = flow.git(folder).await? else {
        return Ok(None);
    };
    let mut staged = git.staged(files).await?;
    let mut taken = 0;
    let fits = |change: &&BinaryChange| {
        taken += describe_binary(change).len();
        taken <= room / 4
    };
    let shown = staged.binary.iter().take_while(fits).count();
    staged.left_out_binary = staged.binary.len() - shown;
    staged.binary.truncate(shown);
    let (shown, left_out) = cut(&staged.diff, room - room / 4);
    staged.left_out += left_out;
    staged.diff = shown.to_owned();
    Ok(Some(staged))
}

/// The digest of exactly what a commit would be: what it follows, what these files are in it, and its
/// message.
pub(super) fn digest(staged: &Staged, files: &[String], message: &str) -> Digest {
    let made_of = json!({
        "parent": staged.head,
        "files": files,
        "tree": staged.tree,
        "message": message,
    });
    Digest::hash_json(&made_of)
        .unwrap_or_else(|_| Digest::hash_bytes(made_of.to_string().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_covers_what_is_committed() {
        let staged: Staged = serde_json::from_value(json!({
            "head": "1", "branch": "main", "tree": "2", "changes": [], "last": null, "known": [],
            "unknown": [], "unfiltered": [], "filters": [], "diff": "", "binary": [], "leftOut": 0,
            "leftOutBinary": 0,
        }))
        .unwrap();
        let files = ["a.txt".to_owned()];
        let all = [
            digest(&staged, &files, "message"),
            digest(&staged, &files, "another"),
            digest(&staged, &["b.txt".to_owned()], "message"),
            digest(
                &Staged {
                    tree: "3".into(),
                    ..staged.clone()
                },
                &files,
                "message",
            ),
            digest(
                &Staged {
                    head: None,
                    ..staged.clone()
                },
                &files,
                "message",
            ),
        ];
        for (place, one) in all.iter().enumerate() {
            assert!(!all[place + 1..].contains(one), "{place}");
        }
    }
}
