//! What a person is shown before a commit: exactly the tree that it would make.

use super::Flow;
use holdpoint::Digest;
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::markdown::cut;
use holdpoint_workspace::git::{GitError, Staged};
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
    let (shown, left_out) = cut(&staged.diff, room);
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
