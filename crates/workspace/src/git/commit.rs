//! Commits: making the one that a person has approved, exactly that one, and what is there.

use super::{Git, GitError, Staged};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What became of a commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Performed {
    /// It is there, and is what was shown.
    Committed {
        /// Its id.
        sha: String,
    },
    /// It is there, and is not quite what was shown.
    CommittedOther {
        /// Its id.
        sha: String,
    },
    /// The files, or HEAD, are not what was shown any more: nothing was committed.
    Changed,
    /// There is nothing to commit.
    Nothing,
    /// Git, or a hook, refused.
    Failed {
        /// What it said.
        why: String,
    },
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its id.
    pub sha: String,
    /// The id of its tree.
    pub tree: String,
    /// The ids of its parents, with spaces between them.
    pub parents: String,
    /// When it was made, in seconds since 1970.
    pub at: i64,
    /// The first line of its message.
    pub subject: String,
}

/// How long a commit may take, with its hooks.
const COMMITTING: Duration = Duration::from_secs(600);

impl Git {
    /// Whether these files and HEAD are still what was shown.
    ///
    /// # Errors
    /// When git cannot say.
    pub async fn is_still(&self, staged: &Staged, files: &[String]) -> Result<bool, GitError> {
        let now = self.staged(files).await?;
        Ok((now.head, now.tree) == (staged.head.clone(), staged.tree.clone()))
    }

    /// Stages the files and commits them, and nothing else that is staged. Hooks run.
    ///
    /// # Errors
    /// When git cannot be run.
    pub async fn commit(&self, staged: &Staged, message: &str) -> Result<Performed, GitError> {
        if staged.known.is_empty() {
            return Ok(Performed::Nothing);
        }
        // A file that nobody has added yet is unknown to `commit --only`.
        let add = self.run(["add", "-A"]).paths(&staged.known);
        let output = add.limit(COMMITTING).that_changes().output().await?;
        if output.code != Some(0) {
            let why = output.complaint();
            return Ok(Performed::Failed { why });
        }
        let commit = self
            .run(["commit", "--only", "-F", "-"])
            .paths(&staged.known)
            .input(message)
            .limit(COMMITTING)
            .that_changes();
        let output = commit.output().await?;
        if output.code != Some(0) {
            return Ok(if output.text().contains("nothing to commit") {
                Performed::Nothing
            } else {
                let why = output.complaint();
                Performed::Failed { why }
            });
        }
        let Some(head) = self.head().await? else {
            return Ok(Performed::Failed {
                why: "git said that it committed, but there is no commit".into(),
            });
        };
        Ok(head.compare(staged))
    }

    /// What became of a commit that was interrupted.
    ///
    /// # Errors
    /// When git cannot say.
    pub async fn after_crash(&self, staged: &Staged) -> Result<Performed, GitError> {
        let made = |head: &Commit| staged.head.as_ref() != Some(&head.sha);
        Ok(match self.head().await?.filter(made) {
            Some(head) => head.compare(staged),
            None => Performed::Failed {
                why: "it was interrupted before it was done".into(),
            },
        })
    }

    /// HEAD's commit; none in a repository without any.
    ///
    /// # Errors
    /// When git cannot say.
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
            said: "its description of HEAD cannot be read".into(),
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
    ///
    /// # Errors
    /// When git cannot say.
    pub async fn uncommitted(&self, files: &[String]) -> Result<Vec<String>, GitError> {
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

impl Commit {
    /// Whether this is the commit that was shown.
    fn compare(self, staged: &Staged) -> Performed {
        let parent = staged.head.as_deref().unwrap_or_default();
        let sha = self.sha;
        if self.tree == staged.tree && self.parents == parent {
            Performed::Committed { sha }
        } else {
            Performed::CommittedOther { sha }
        }
    }
}

/// The first line of a message that says something.
pub fn subject(message: &str) -> String {
    let mut lines = message.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty());
    first.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, path::Path, process::Command};

    fn git(folder: &Path, arguments: &[&str]) -> String {
        let done = Command::new("git")
            .args(arguments)
            .current_dir(folder)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "git {arguments:?}: {complaint}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    /// A repository with one commit, and a hook for every occasion that leaves a mark.
    fn repository(folder: &Path) {
        git(folder, &["init", "-q", "-b", "main"]);
        for (name, value) in [
            ("user.name", "Ada"),
            ("user.email", "ada@example.org"),
            ("commit.gpgsign", "false"),
        ] {
            git(folder, &["config", name, value]);
        }
        fs::write(folder.join("a.txt"), "one\n").unwrap();
        git(folder, &["add", "-A"]);
        git(folder, &["commit", "-q", "-m", "begin"]);
        #[cfg(unix)]
        for hook in ["post-index-change", "reference-transaction", "pre-commit"] {
            use std::os::unix::fs::PermissionsExt;
            let path = folder.join(".git/hooks").join(hook);
            let _ = fs::create_dir_all(path.parent().unwrap());
            fs::write(&path, "#!/bin/sh\ntouch hook-ran\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    #[tokio::test]
    async fn looking_changes_nothing_and_runs_no_hook() {
        let root = tempfile::tempdir().unwrap();
        assert!(Git::find(root.path()).await.unwrap().is_none());
        assert!(Git::version().await.unwrap().starts_with("git version"));
        repository(root.path());
        fs::write(root.path().join("a.txt"), "two\n").unwrap();
        fs::write(root.path().join("new.txt"), "new\n").unwrap();
        let git = Git::find(root.path()).await.unwrap().unwrap();
        let files = ["a.txt", "new.txt", "missing"].map(str::to_owned);
        let staged = git.staged(&files).await.unwrap();
        assert_eq!(staged.branch.as_deref(), Some("main"));
        assert_eq!(staged.known, ["a.txt", "new.txt"]);
        assert_eq!(staged.unknown, ["missing"]);
        assert!(staged.diff.contains("+two") && staged.diff.contains("+new"));
        assert_eq!(git.uncommitted(&files).await.unwrap(), ["a.txt", "new.txt"]);
        assert!(git.is_still(&staged, &files).await.unwrap());
        assert_eq!(git.head().await.unwrap().unwrap().subject, "begin");
        assert!(!root.path().join("hook-ran").exists());
        assert_eq!(self::git(root.path(), &["diff", "--cached"]), "");
    }

    #[tokio::test]
    async fn what_was_shown_is_what_is_committed() {
        let root = tempfile::tempdir().unwrap();
        repository(root.path());
        fs::write(root.path().join("a.txt"), "two\n").unwrap();
        fs::write(root.path().join("b.txt"), "other\n").unwrap();
        let git = Git::find(root.path()).await.unwrap().unwrap();
        let files = ["a.txt".to_owned()];
        let staged = git.staged(&files).await.unwrap();
        let lost = git.after_crash(&staged).await.unwrap();
        assert!(matches!(lost, Performed::Failed { .. }));
        let performed = git.commit(&staged, "feat: two\n\nbody").await.unwrap();
        let head = git.head().await.unwrap().unwrap();
        let committed = Performed::Committed {
            sha: head.sha.clone(),
        };
        assert_eq!(
            (&performed, head.subject.as_str()),
            (&committed, "feat: two")
        );
        assert_eq!(git.after_crash(&staged).await.unwrap(), committed);
        assert!(!git.is_still(&staged, &files).await.unwrap());
        // A person's own hooks have their say when a commit is made.
        #[cfg(unix)]
        assert!(root.path().join("hook-ran").exists());
    }
}
