//! What a person is shown before a commit: exactly what git would store.

use super::{
    BinaryChange, Blob, Change, Git, GitError, change::path_text, command::expect, objects::Commit,
    stand_in::StandIn,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

/// What a commit of some files on top of HEAD would be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Staged {
    /// The commit that HEAD was; none in a repository without any.
    pub head: Option<String>,
    /// The branch; none where HEAD is detached.
    pub branch: Option<String>,
    /// The tree that these files alone would have in a commit.
    pub tree: String,
    /// What a commit of them changes; the first thousand, where there are more. `tree` has them all.
    pub changes: Vec<Change>,
    /// Where they have no changes that are not committed: the subject of HEAD's commit, whose changes
    /// of these files are in `diff` instead. None where it has none either.
    pub last: Option<String>,
    /// The files that git would commit, as far as they have changes.
    pub known: Vec<String>,
    /// The files that it would not: ignored, or neither there nor in HEAD.
    pub unknown: Vec<String>,
    /// The files that git would put through a filter, which is not run here; the first thousand.
    pub unfiltered: Vec<FilteredFile>,
    /// The filters that were run, since the person's own settings allow them.
    pub filters: Vec<String>,
    /// What changes, as text.
    pub diff: String,
    /// The changes that are not text.
    pub binary: Vec<BinaryChange>,
    /// How many bytes of the diff are left out.
    pub left_out: usize,
    /// How many of the changes that are not text whoever shows them has left out.
    pub left_out_binary: usize,
}

/// A file with its filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilteredFile {
    /// The file, from the folder that has `.git` in it.
    pub path: String,
    /// What the filter is called.
    pub filter: String,
}

/// How many files are kept of a list.
pub(super) const MOST_FILES: usize = 1000;
/// The most bytes of a diff that are read.
const MOST: usize = 1024 * 1024;

impl Git {
    /// What a commit of these files on top of HEAD would be. Nothing in the repository is changed, and
    /// nothing of it is run: git works on a stand-in.
    ///
    /// # Errors
    /// When git cannot say.
    pub async fn staged(&self, files: &[String]) -> Result<Staged, GitError> {
        let branch = self.branch().await?;
        let stand_in = StandIn::new(self).await?;
        let head = match self.head_id().await? {
            Some(id) => Some(stand_in.commit(&id).await?),
            None => None,
        };
        let paths = self.paths_from_top(files);
        let before = match &head {
            Some(head) if !files.is_empty() => stand_in.tree_of(head, &paths, true).await?,
            _ => stand_in.empty_tree().await?,
        };
        let added = stand_in.add(&before, &paths).await?;
        let is_known = |file: &&String| added.holds(&self.paths_from_top(&[(*file).clone()])[0]);
        let (known, unknown): (Vec<_>, Vec<_>) = files.iter().partition(is_known);
        let changes = stand_in.changes(&before, &added.tree).await?;
        let mut staged = Staged {
            head: head.as_ref().map(|head| head.sha.clone()),
            branch,
            changes,
            last: None,
            known: known.into_iter().cloned().collect(),
            unknown: unknown.into_iter().cloned().collect(),
            unfiltered: added.unfiltered,
            filters: added.filters,
            diff: String::new(),
            binary: Vec::new(),
            left_out: 0,
            left_out_binary: 0,
            tree: added.tree,
        };
        if !staged.changes.is_empty() {
            stand_in.show(&before, &mut staged).await?;
        } else if let Some(head) = head
            && !files.is_empty()
            // A shallow clone has no parent of its first commit: then there is nothing to show.
            && let Ok(parent) = stand_in.first_parent_tree(&head, &paths).await
            && parent != staged.tree
        {
            stand_in.show(&parent, &mut staged).await?;
            staged.last = Some(head.subject);
        }
        staged.changes.truncate(MOST_FILES);
        staged.unfiltered.truncate(MOST_FILES);
        Ok(staged)
    }

    /// Whether these files and HEAD are still what was shown.
    ///
    /// # Errors
    /// When git cannot say.
    pub async fn is_still(&self, staged: &Staged, files: &[String]) -> Result<bool, GitError> {
        let now = self.staged(files).await?;
        Ok((&now.head, &now.tree) == (&staged.head, &staged.tree))
    }
}

/// The files as git would store them.
struct Added {
    tree: String,
    /// The paths that git has, before or after.
    paths: BTreeSet<String>,
    unfiltered: Vec<FilteredFile>,
    filters: Vec<String>,
}

impl Added {
    /// Whether git has a path, or something below it.
    fn holds(&self, file: &str) -> bool {
        let folder = format!("{file}/");
        let mut below = self.paths.range(folder.clone()..);
        (file == "." && !self.paths.is_empty())
            || self.paths.contains(file)
            || below.next().is_some_and(|path| path.starts_with(&folder))
    }
}

impl StandIn<'_> {
    /// Stores the files of these paths as `git add` would, but in the store of the stand-in.
    async fn add(&self, before: &str, paths: &[String]) -> Result<Added, GitError> {
        let mut added = Added {
            tree: before.to_owned(),
            paths: BTreeSet::new(),
            unfiltered: Vec::new(),
            filters: Vec::new(),
        };
        if paths.is_empty() {
            return Ok(added);
        }
        self.adding(["read-tree", before]).checked().await?;
        let mut list = self.adding(["ls-files", "-z"]).bytes().await?;
        let new = ["ls-files", "-z", "--others", "--exclude-standard"];
        let new = self.adding(new).paths(paths).bytes().await?;
        // A repository in this one is listed as a folder, and stored as the commit that it is at.
        for path in new.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            list.extend_from_slice(path.strip_suffix(b"/").unwrap_or(path));
            list.push(0);
        }
        let all = list
            .split(|byte| *byte == 0)
            .filter(|path| !path.is_empty());
        added.paths = all.map(path_text).collect();
        let config = self.choose_filters(&list, &mut added).await?;
        let store = [
            "update-index",
            "-z",
            "--add",
            "--remove",
            "--replace",
            "--stdin",
        ];
        let store = self.adding(store).config(&config).input(list);
        store.checked().await?;
        added.tree = self.adding(["write-tree"]).text().await?;
        Ok(added)
    }

    /// Which of the filters that these files have are run, and what git is told of them.
    async fn choose_filters(
        &self,
        list: &[u8],
        added: &mut Added,
    ) -> Result<Vec<(String, String)>, GitError> {
        let mut config = Vec::new();
        if self.settings.filters.is_empty() {
            return Ok(config);
        }
        let ask = self.adding(["check-attr", "-z", "--stdin", "filter"]);
        let answer = ask.input(list).bytes().await?;
        let parts: Vec<_> = answer.split(|byte| *byte == 0).collect();
        for part in parts.chunks_exact(3) {
            let (path, filter) = (path_text(part[0]), path_text(part[2]));
            if !self.settings.filters.contains_key(&filter) || added.filters.contains(&filter) {
                continue;
            }
            let allowed = self.git.filters.contains(&filter);
            match self.settings.filter(&filter).filter(|_| allowed) {
                Some(own) => {
                    config.extend_from_slice(own);
                    added.filters.push(filter);
                }
                None => added.unfiltered.push(FilteredFile { path, filter }),
            }
        }
        Ok(config)
    }

    /// The tree of these paths in the commit before this one.
    async fn first_parent_tree(&self, head: &Commit, paths: &[String]) -> Result<String, GitError> {
        match head.parents.first() {
            Some(parent) => {
                let parent = self.commit(parent).await?;
                self.tree_of(&parent, paths, true).await
            }
            None => self.empty_tree().await,
        }
    }

    /// Fills in what a person reads of the changes since `from`.
    async fn show(&self, from: &str, staged: &mut Staged) -> Result<(), GitError> {
        let to = staged.tree.clone();
        let patch = [
            "diff-tree",
            "-r",
            "-p",
            "--no-renames",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
        ];
        let patch = self.showing(patch.into_iter().chain([from, &to]));
        let patch = patch.most(MOST).checked().await?;
        staged.diff = patch.text();
        staged.left_out = patch.left_out;
        let counts = [
            "diff-tree",
            "-r",
            "-z",
            "--numstat",
            "--no-renames",
            from,
            &to,
        ];
        let counts = self.showing(counts).bytes().await?;
        let binary = counts.split(|byte| *byte == 0);
        let binary: BTreeSet<_> = binary
            .filter_map(|line| line.strip_prefix(b"-\t-\t"))
            .map(path_text)
            .collect();
        if binary.is_empty() {
            return Ok(());
        }
        let mut changes = self.changes(from, &to).await?;
        changes.retain(|change| binary.contains(&change.path));
        let sides = changes
            .iter()
            .flat_map(|change| [&change.before, &change.after]);
        let ids: Vec<_> = sides.flatten().map(|side| side.id.as_str()).collect();
        let sizes = self.sizes(&ids).await?;
        for change in changes {
            let blob = |id: &String| -> Result<Blob, GitError> {
                let size = expect(sizes.get(id).copied(), "cat-file")?;
                Ok(Blob {
                    id: id.clone(),
                    size,
                })
            };
            staged.binary.push(BinaryChange {
                before: change.before.map(|side| blob(&side.id)).transpose()?,
                after: change.after.map(|side| blob(&side.id)).transpose()?,
                path: change.path,
            });
        }
        Ok(())
    }

    async fn sizes(&self, ids: &[&str]) -> Result<HashMap<String, u64>, GitError> {
        let check = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
        let text = self
            .showing(check)
            .input(ids.join("\n") + "\n")
            .text()
            .await?;
        let lines = text.lines().filter_map(|line| line.split_once(' '));
        let sizes = lines.filter_map(|(id, size)| Some((id.to_owned(), size.parse().ok()?)));
        Ok(sizes.collect())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::{fs, path::Path, process::Command};

    fn git(folder: &Path, home: &Path, arguments: &[&str]) -> String {
        let done = Command::new("git")
            .args(["-c", "user.name=x", "-c", "user.email=x@example.org"])
            .args(arguments)
            .current_dir(folder)
            .env("HOME", home)
            .env_remove("XDG_CONFIG_HOME")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "git {arguments:?}: {said}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    /// A repository whose files go through the filter `upper`, as the person's own config says, and as
    /// the repository's says otherwise.
    async fn repository(root: &Path, allowed: &[&str]) -> Git {
        let (home, repo) = (root.join("home"), root.join("repo"));
        fs::create_dir_all(&home).unwrap();
        fs::create_dir_all(&repo).unwrap();
        git(&repo, &home, &["init", "-q"]);
        let own = "[filter \"upper\"]\n\tclean = tr a-z A-Z\n\trequired = true\n";
        fs::write(home.join(".gitconfig"), own).unwrap();
        let evil = format!("touch {}; cat", root.join("canary").display());
        for name in ["upper", "evil"] {
            git(
                &repo,
                &home,
                &["config", &format!("filter.{name}.clean"), &evil],
            );
        }
        fs::write(
            repo.join(".gitattributes"),
            "*.up filter=upper\n*.evil filter=evil\n",
        )
        .unwrap();
        fs::write(repo.join("a.up"), "text\n").unwrap();
        fs::write(repo.join("a.evil"), "text\n").unwrap();
        let allowed: Vec<_> = allowed.iter().map(|name| (*name).to_owned()).collect();
        let mut found = Git::find(&repo)
            .await
            .unwrap()
            .unwrap()
            .allow_filters(&allowed);
        found.home = Some(home);
        found
    }

    #[tokio::test]
    async fn filters_run_only_where_the_persons_own_files_allow_them() {
        let files = ["a.up".to_owned(), "a.evil".to_owned()];
        for (allowed, run, shown) in [
            (&[][..], &[][..], "+text"),
            (&["upper", "evil"], &["upper"], "+TEXT"),
        ] {
            let root = tempfile::tempdir().unwrap();
            let found = repository(root.path(), allowed).await;
            let staged = found.staged(&files).await.unwrap();
            assert_eq!(staged.filters, run);
            assert!(staged.diff.contains(shown), "{}", staged.diff);
            // What only the repository says is a filter is none, even where its name is allowed.
            let off = |name: &str| staged.unfiltered.iter().any(|file| file.filter == name);
            assert_eq!((off("evil"), off("upper")), (true, run.is_empty()));
            assert!(!root.path().join("canary").exists());
            // Nothing is committed that would be stored otherwise than it was shown.
            let performed = found.commit(&staged, &files, "message").await.unwrap();
            assert!(matches!(performed, super::super::Performed::Failed { .. }));
            assert!(!root.path().join("canary").exists());
        }
    }

    #[tokio::test]
    async fn a_commit_through_an_allowed_filter_is_what_was_shown() {
        let root = tempfile::tempdir().unwrap();
        let found = repository(root.path(), &["upper"]).await;
        let (home, repo) = (root.path().join("home"), root.path().join("repo"));
        git(&repo, &home, &["config", "--unset", "filter.upper.clean"]);
        let files = ["a.up".to_owned()];
        let staged = found.staged(&files).await.unwrap();
        git(&repo, &home, &["add", "a.up", ".gitattributes"]);
        git(&repo, &home, &["commit", "-q", "-m", "x"]);
        assert!(
            found
                .compare(&staged, &files)
                .await
                .unwrap()
                .unwrap()
                .is_same
        );
        let unfiltered = found.allow_filters(&[]).staged(&files).await.unwrap();
        assert_ne!(unfiltered.tree, staged.tree);
    }
}
