//! Making the commit that a person has approved: exactly that one.

use super::{Git, GitError, commit_preview::Seen, verify::Commit};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Performed {
    /// It is there, and is what was shown.
    Committed { sha: String },
    /// It is there, and is not quite what was shown.
    CommittedOther { sha: String },
    /// The files, or HEAD, are not what was shown any more: nothing was committed.
    Changed,
    /// There is nothing to commit.
    Nothing,
    /// Git, or a hook, refused; what it said.
    Failed { why: String },
}

/// How long a commit may take, with its hooks.
const COMMITTING: Duration = Duration::from_secs(600);

impl Git {
    /// Whether these files and HEAD are still what was shown.
    pub async fn is_as_seen(&self, seen: &Seen, files: &[String]) -> Result<bool, GitError> {
        let now = self.look(files, 0).await?;
        Ok((now.head, now.tree) == (seen.head.clone(), seen.tree.clone()))
    }

    /// Stages the files and commits them, and nothing else that is staged. Hooks run.
    pub async fn commit(&self, seen: &Seen, message: &str) -> Result<Performed, GitError> {
        if seen.known.is_empty() {
            return Ok(Performed::Nothing);
        }
        // A file that nobody has added yet is unknown to `commit --only`.
        let add = self.run(["add", "-A"]).paths(&seen.known);
        let said = add.limit(COMMITTING).with_hooks().said().await?;
        if said.code != Some(0) {
            return Ok(Performed::Failed { why: said.words() });
        }
        let commit = self
            .run(["commit", "--only", "-F", "-"])
            .paths(&seen.known)
            .input(message)
            .limit(COMMITTING)
            .with_hooks();
        let said = commit.said().await?;
        if said.code != Some(0) {
            return Ok(if said.text().contains("nothing to commit") {
                Performed::Nothing
            } else {
                Performed::Failed { why: said.words() }
            });
        }
        let Some(head) = self.head().await? else {
            return Ok(Performed::Failed {
                why: "git said that it committed, and there is no commit".into(),
            });
        };
        Ok(head.compared(seen))
    }

    /// What became of a commit that was interrupted.
    pub async fn after_crash(&self, seen: &Seen) -> Result<Performed, GitError> {
        let made = |head: &Commit| seen.head.as_ref() != Some(&head.sha);
        Ok(match self.head().await?.filter(made) {
            Some(head) => head.compared(seen),
            None => Performed::Failed {
                why: "it was interrupted before it was done".into(),
            },
        })
    }
}

impl Commit {
    /// Whether this is the commit that was shown.
    fn compared(self, seen: &Seen) -> Performed {
        let parent = seen.head.as_deref().unwrap_or_default();
        let sha = self.sha;
        if self.tree == seen.tree && self.parents == parent {
            Performed::Committed { sha }
        } else {
            Performed::CommittedOther { sha }
        }
    }
}
