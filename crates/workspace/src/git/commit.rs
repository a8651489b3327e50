//! Making the commit that a person has approved, exactly that one.

use super::{FilteredFile, Found, Git, GitError, MessageDifference, Staged, command::Run, listed};
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
        /// What is worth knowing of it, such as lines that a hook has put behind its message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// It is there, and is not quite what was shown.
    CommittedOther {
        /// Its id.
        sha: String,
        /// In what it differs.
        why: String,
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

/// How long a commit may take, with its hooks.
const COMMITTING: Duration = Duration::from_secs(600);

impl Git {
    /// Stages the files and commits them, and nothing else that is staged. Hooks run.
    ///
    /// # Errors
    /// When git cannot be run.
    pub async fn commit(
        &self,
        staged: &Staged,
        files: &[String],
        message: &str,
    ) -> Result<Performed, GitError> {
        if staged.known.is_empty() || staged.changes.is_empty() {
            return Ok(Performed::Nothing);
        }
        if let Some(FilteredFile { path, filter }) = staged.unfiltered.first() {
            let why = format!(
                "{path:?} has the filter {filter:?}, so git would store something else than was shown: allow it with git_filters in your own settings file, and ask again"
            );
            return Ok(Performed::Failed { why });
        }
        let known = self.paths_from_top(&staged.known);
        // A file that nobody has added yet is unknown to `commit --only`.
        let add = self.change(["add", "-A"]).paths(&known).output().await?;
        if add.code != Some(0) {
            let why = add.complaint();
            return Ok(Performed::Failed { why });
        }
        let commit = self.change(["commit", "--only", "--cleanup=whitespace", "-F", "-"]);
        let commit = commit.paths(&known);
        let output = commit.input(message).output().await?;
        if output.code != Some(0) {
            return Ok(if output.text().contains("nothing to commit") {
                Performed::Nothing
            } else {
                let why = output.complaint();
                Performed::Failed { why }
            });
        }
        self.made(staged, files, message).await
    }

    /// What became of a commit that was interrupted.
    ///
    /// # Errors
    /// When git cannot say.
    pub async fn after_crash(
        &self,
        staged: &Staged,
        files: &[String],
        message: &str,
    ) -> Result<Performed, GitError> {
        if self.head_id().await? == staged.head {
            return Ok(Performed::Failed {
                why: "it was interrupted before it was done".into(),
            });
        }
        self.made(staged, files, message).await
    }

    /// Whether HEAD is the commit that was shown, and only that.
    async fn made(
        &self,
        staged: &Staged,
        files: &[String],
        message: &str,
    ) -> Result<Performed, GitError> {
        let Some(found) = self.compare(staged, files).await? else {
            return Ok(Performed::Failed {
                why: "git said that it committed, but there is no commit".into(),
            });
        };
        let sha = found.head.sha.clone();
        let difference = MessageDifference::between(message, &found.head.message);
        let in_words = |difference: MessageDifference| difference.describe(message);
        let (wrong, note) = match difference {
            Some(added @ MessageDifference::Trailers(_)) => (None, Some(in_words(added))),
            other => (other.map(in_words), None),
        };
        Ok(match unlike(&found, staged).or(wrong) {
            None => Performed::Committed { sha, note },
            Some(why) => Performed::CommittedOther { sha, why },
        })
    }

    fn change<const N: usize>(&self, arguments: [&str; N]) -> Run {
        Run::changing(&self.program, &self.top, arguments).limit(COMMITTING)
    }
}

/// In what a commit is not the one that was shown.
fn unlike(found: &Found, staged: &Staged) -> Option<String> {
    if !found.is_same {
        Some(listed(&found.differences))
    } else if !found.head.parents.iter().eq(&staged.head) {
        Some("it does not directly follow the commit that HEAD was".to_owned())
    } else if !found.others.is_empty() {
        Some(format!("it also changes {}", listed(&found.others)))
    } else if let Some(author) = &staged.author
        && *author != found.head.author
    {
        let found = &found.head.author;
        Some(format!("it is by {found:?}, not by {author:?}"))
    } else {
        None
    }
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
        assert!(staged.diff().contains("+two") && staged.diff().contains("+new"));
        assert!(!git.compare(&staged, &files).await.unwrap().unwrap().is_same);
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
        let message = "feat: two\n\nbody";
        let lost = git.after_crash(&staged, &files, message).await.unwrap();
        assert!(matches!(lost, Performed::Failed { .. }));
        let performed = git.commit(&staged, &files, message).await.unwrap();
        let head = git.head().await.unwrap().unwrap();
        let committed = Performed::Committed {
            sha: head.sha.clone(),
            note: None,
        };
        assert_eq!(
            (&performed, head.subject.as_str()),
            (&committed, "feat: two")
        );
        let after = git.after_crash(&staged, &files, message).await.unwrap();
        assert_eq!(after, committed);
        assert!(!git.is_still(&staged, &files).await.unwrap());
        // A person's own hooks have their say when a commit is made.
        #[cfg(unix)]
        assert!(root.path().join("hook-ran").exists());
    }
}
