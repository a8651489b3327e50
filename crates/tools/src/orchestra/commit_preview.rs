//! What a person is shown before a commit: exactly the tree that it would make.

use super::{
    Flow,
    phase_commit::{describe_binary, describe_file},
};
use holdpoint::Digest;
use holdpoint_ask::describe::error_chain;
use holdpoint_workspace::git::{GitError, Staged, share};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::Path;

/// Room for what git has to say in the message.
const MESSAGE_ROOM: usize = 16 * 1024;

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
    /// Asks git what a commit of these files would be, with as much of the diff as there is room for beside
    /// what has `taken` it.
    pub async fn read(flow: &Flow, folder: &Path, files: &[String], taken: usize) -> Self {
        // Git has something to say in the message itself, too.
        let room = flow.cx.room_for_details();
        let room = room.saturating_sub(taken + MESSAGE_ROOM);
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
    fit(&mut staged, room);
    Ok(Some(staged))
}

/// Cuts what a person is shown: a quarter of the room is for the list of files, one for what is not
/// text, and the rest for the diffs, in which every file has its share.
fn fit(staged: &mut Staged, room: usize) {
    let shown = how_many_fit(staged.binary.iter().map(describe_binary), room / 4);
    staged.left_out_binary = staged.binary.len() - shown;
    staged.binary.truncate(shown);
    let sizes: Vec<_> = staged.files.iter().map(|file| file.diff.len()).collect();
    for (file, most) in staged.files.iter_mut().zip(share(&sizes, room / 2)) {
        file.cut(most);
    }
    let shown = how_many_fit(staged.files.iter().map(describe_file), room / 4);
    staged.left_out_files += staged.files.len() - shown;
    staged.files.truncate(shown);
}

fn how_many_fit(lines: impl Iterator<Item = String>, room: usize) -> usize {
    let mut taken = 0;
    let fits = |line: &String| {
        taken += line.len() + 1;
        taken <= room
    };
    lines.take_while(fits).count()
}

/// The digest of exactly what a commit would be: what it follows, what these files are in it, and its
/// message.
pub(super) fn digest(staged: &Staged, files: &[String], message: &str) -> Digest {
    let made_of = json!({
        "parent": staged.head,
        "files": files,
        "tree": staged.tree,
        "message": message,
        "author": staged.author,
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
            "unknown": [], "unfiltered": [], "filters": [], "binary": [], "leftOutBinary": 0,
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
            digest(
                &Staged {
                    author: Some("Ada <ada@example.org>".into()),
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
