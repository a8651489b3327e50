//! Whether the commit is there. Git is the evidence, whatever anybody ticked.

use super::{Git, GitError, commit_preview::Seen};
use serde::{Deserialize, Serialize};

/// What git shows of a commit that should be there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Evidence {
    /// It is there; none where there is no git to say.
    pub verified: Option<bool>,
    pub sha: Option<String>,
    /// What is in the way, or what is worth knowing.
    pub reason: Option<String>,
}

/// A commit.
pub(crate) struct Commit {
    pub sha: String,
    pub tree: String,
    pub parents: String,
    /// When it was made, in seconds since 1970.
    pub at: i64,
    pub subject: String,
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
}

impl Git {
    /// Whether none of these files is dirty, and HEAD is the commit that was proposed or one that
    /// was made since.
    pub async fn verify(
        &self,
        seen: &Seen,
        files: &[String],
        message: &str,
    ) -> Result<Evidence, GitError> {
        let dirty = self.dirty(files).await?;
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
        let Some(head) = self.head().await? else {
            return Ok(Evidence::not("there is no commit in this repository yet"));
        };
        let wanted = subject(message);
        let short = head.sha.get(..10).unwrap_or(&head.sha);
        let found = |reason| Evidence {
            verified: Some(true),
            sha: Some(head.sha.clone()),
            reason,
        };
        let made_since = seen.head.as_ref() != Some(&head.sha) && head.at >= seen.at;
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

    /// HEAD's commit; none in a repository without any.
    pub async fn head(&self) -> Result<Option<Commit>, GitError> {
        let Some(head) = self.head_id().await? else {
            return Ok(None);
        };
        let format = "--format=%H%x00%T%x00%P%x00%ct%x00%B";
        let text = self.run(["log", "-1", format, &head]).text().await?;
        let mut parts = text.splitn(5, '\0').map(str::to_owned);
        let mut next = || parts.next().unwrap_or_default();
        let (sha, tree, parents, at) = (next(), next(), next(), next());
        let at = at.parse().map_err(|_| GitError::Failed {
            what: "log".into(),
            said: "what it said of HEAD cannot be read".into(),
        })?;
        Ok(Some(Commit {
            sha,
            tree,
            parents,
            at,
            subject: subject(&next()),
        }))
    }

    /// Which of these files have changes that HEAD does not have.
    async fn dirty(&self, files: &[String]) -> Result<Vec<String>, GitError> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let status = [
            "status",
            "--porcelain",
            "-z",
            "--no-renames",
            "--untracked-files=all",
        ];
        let text = self.run(status).paths(files).text().await?;
        let entries = text.split('\0').filter_map(|entry| entry.get(3..));
        Ok(entries.map(str::to_owned).collect())
    }
}

/// The first line that says something.
pub(crate) fn subject(message: &str) -> String {
    let mut lines = message.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty());
    first.unwrap_or_default().to_owned()
}
