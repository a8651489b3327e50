//! Whether the commit is there. Git is the evidence, whatever anybody ticked.

use holdpoint_workspace::git::{Git, GitError, Staged, subject};
use serde::{Deserialize, Serialize};

/// What git shows of a commit that should be there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Evidence {
    /// It is there; none where there is no git to say.
    pub verified: Option<bool>,
    pub sha: Option<String>,
    /// What is in the way, or what is worth knowing.
    pub reason: Option<String>,
}

impl Evidence {
    pub fn not(reason: impl Into<String>) -> Self {
        Self {
            verified: Some(false),
            sha: None,
            reason: Some(reason.into()),
        }
    }

    pub fn is_verified(&self) -> bool {
        self.verified == Some(true)
    }

    /// Whether none of these files is dirty, and HEAD is the commit that was proposed or one that
    /// was made since.
    pub async fn find(
        git: &Git,
        staged: &Staged,
        files: &[String],
        message: &str,
    ) -> Result<Self, GitError> {
        let dirty = git.uncommitted(files).await?;
        if !dirty.is_empty() {
            let shown = dirty.iter().take(5).map(|file| format!("{file:?}"));
            let shown = shown.collect::<Vec<_>>().join(", ");
            let more = match dirty.len().saturating_sub(5) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            return Ok(Evidence::not(format!(
                "git shows changes that are not committed: {shown}{more}"
            )));
        }
        let Some(head) = git.head().await? else {
            return Ok(Evidence::not("there is no commit in this repository yet"));
        };
        let wanted = subject(message);
        let short = head.sha.get(..10).unwrap_or(&head.sha);
        let found = |reason| Evidence {
            verified: Some(true),
            sha: Some(head.sha.clone()),
            reason,
        };
        let made_since = staged.head.as_ref() != Some(&head.sha) && head.at >= staged.at;
        Ok(if head.subject == wanted {
            found(None)
        } else if made_since {
            found(Some(format!(
                "the commit's subject is {:?}, not the proposed {wanted:?}",
                head.subject
            )))
        } else {
            Evidence::not(format!(
                "the last commit, {short}, is {:?} and was there before the question",
                head.subject
            ))
        })
    }
}
