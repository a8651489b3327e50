//! Whether the commit is there. Git is the evidence, whatever anybody ticked.

use holdpoint_workspace::git::{Found, Git, GitError, MessageDifference, Staged, listed, subject};
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

    /// It is there, with what is worth knowing of it.
    pub fn there(sha: String, notes: Vec<String>) -> Self {
        Self {
            verified: Some(true),
            sha: Some(sha),
            reason: (!notes.is_empty()).then(|| notes.join("; ")),
        }
    }

    pub fn is_verified(&self) -> bool {
        self.verified == Some(true)
    }

    /// Whether HEAD comes after the commit that was seen, and has these files as they were shown.
    pub async fn find(
        git: &Git,
        staged: &Staged,
        files: &[String],
        message: &str,
    ) -> Result<Self, GitError> {
        if files.is_empty() {
            return Ok(Self::not(
                "no files were named in filesModified, so no change was shown that git could be asked about",
            ));
        }
        let Some(found) = git.compare(staged, files).await? else {
            return Ok(Self::not("there is no commit in this repository yet"));
        };
        if staged.head.as_ref() == Some(&found.head.sha) {
            return Ok(Self::from_before(staged, found, message));
        }
        let short = short(&found.head.sha);
        Ok(if !found.descends {
            let seen = staged.head.as_deref().map_or("", self::short);
            Self::not(format!(
                "HEAD is now {short}, which does not come after {seen}, where it was when this was shown"
            ))
        } else if !found.is_same {
            let differences = listed(&found.differences);
            Self::not(format!(
                "the commit {short} is not what was shown: {differences}"
            ))
        } else if staged.changes.is_empty() {
            Self::not("no change of these files was shown that could have been committed")
        } else {
            let notes = notes(staged, &found, message);
            Self::there(found.head.sha, notes)
        })
    }

    /// HEAD is where it was. Its commit counts where it has the proposed subject, and its changes are
    /// what was shown, since nothing else was left to commit.
    fn from_before(staged: &Staged, found: Found, message: &str) -> Self {
        let head = &found.head;
        if !staged.changes.is_empty() {
            let files: Vec<_> = staged
                .changes
                .iter()
                .map(|change| format!("{:?}", change.path))
                .collect();
            return Self::not(format!(
                "git shows changes that are not committed: {}",
                listed(&files)
            ));
        }
        match &staged.last {
            None => Self::not(format!(
                "these files have no change that is not committed, and the last commit, {}, does not change them",
                short(&head.sha)
            )),
            Some(last) if *last != subject(message) => Self::not(format!(
                "the last commit, {}, is {:?} and was there before the question",
                short(&head.sha),
                head.subject
            )),
            Some(_) => {
                let mut notes = notes(staged, &found, message);
                notes.extend(came_along(
                    "the commit also changes files that nobody named:",
                    &staged.last_others,
                ));
                Self::there(found.head.sha, notes)
            }
        }
    }
}

/// What is worth knowing of a commit that is there.
fn notes(staged: &Staged, found: &Found, message: &str) -> Vec<String> {
    let mut notes = Vec::new();
    let difference = MessageDifference::between(message, &found.head.message);
    notes.extend(difference.map(|difference| difference.describe(message)));
    if found.branch != staged.branch {
        let name = |branch: &Option<String>| match branch {
            Some(branch) => format!("on branch {branch:?}"),
            None => "detached".to_owned(),
        };
        notes.push(format!(
            "HEAD is {} now, and was {} when this was shown",
            name(&found.branch),
            name(&staged.branch)
        ));
    }
    let changed = "files that were not shown have changed too:";
    notes.extend(came_along(changed, &found.others));
    notes
}

/// The files that nobody named.
fn came_along(what: &str, others: &[String]) -> Option<String> {
    let others: Vec<_> = others.iter().map(|path| format!("{path:?}")).collect();
    (!others.is_empty()).then(|| format!("{what} {}", listed(&others)))
}

fn short(sha: &str) -> &str {
    sha.get(..10).unwrap_or(sha)
}
