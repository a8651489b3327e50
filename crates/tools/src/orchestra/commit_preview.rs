//! What a person is shown before a commit: exactly the tree that it would make.

use holdpoint::Digest;
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::markdown::cut;
use holdpoint_workspace::git::{Git, GitError, Staged};
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
    pub async fn read(folder: &Path, files: &[String], room: usize) -> Self {
        match staged(folder, files, room).await {
            Ok(None) => Self::NoGit,
            Ok(Some(staged)) => Self::Staged(Box::new(staged)),
            Err(error) => Self::Failed(error_chain(&error)),
        }
    }
}

async fn staged(folder: &Path, files: &[String], room: usize) -> Result<Option<Staged>, GitError> {
    let Some(git) = Git::find(folder).await? else {
        return Ok(None);
    };
    let mut staged = git.staged(files).await?;
    let (shown, left_out) = cut(&staged.diff, room);
    (staged.diff, staged.left_out) = (shown.to_owned(), left_out);
    Ok(Some(staged))
}

/// The digest of exactly what a commit would be: what it is made of, and its message.
pub(super) fn digest(staged: &Staged, message: &str) -> Digest {
    let made_of = json!({ "parent": staged.head, "tree": staged.tree, "message": message });
    Digest::hash_json(&made_of)
        .unwrap_or_else(|_| Digest::hash_bytes(made_of.to_string().as_bytes()))
}
