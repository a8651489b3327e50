//! What a person is shown before a commit: exactly what git would store.

use super::{
    BinaryChange, Blob, Change, FilteredFile, Git, GitError, ShownFile,
    change::{is_in, path_text},
    command::expect,
    objects::Commit,
    patch,
    stand_in::StandIn,
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

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
    /// of these files are in `files` instead. None where it has none either.
    pub last: Option<String>,
    /// What else that commit changes: files that nobody named; the first thousand.
    #[serde(default)]
    pub last_others: Vec<String>,
    /// Who a commit would be by, as git is configured here; none where git does not know.
    #[serde(default)]
    pub author: Option<String>,
    /// The files that git would commit, as far as they have changes.
    pub known: Vec<String>,
    /// The files that it would not: ignored, or neither there nor in HEAD.
    pub unknown: Vec<String>,
    /// The files that git would put through a filter, which is not run here; the first thousand.
    pub unfiltered: Vec<FilteredFile>,
    /// The filters that were run, since the person's own settings allow them.
    pub filters: Vec<String>,
    /// Every file that changes, with its diff.
    #[serde(default)]
    pub files: Vec<ShownFile>,
    /// How many more of them there are.
    #[serde(default)]
    pub left_out_files: usize,
    /// The changes that are not text.
    pub binary: Vec<BinaryChange>,
    /// How many of the changes that are not text whoever shows them has left out.
    pub left_out_binary: usize,
}

/// How many files are kept of a list.
pub(super) const MOST_FILES: usize = 1000;
/// The most bytes of a diff that are read.
const READ: usize = 16 * 1024 * 1024;
/// The most bytes of a diff that are kept.
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
            last_others: Vec::new(),
            author: self.author().await?,
            known: known.into_iter().cloned().collect(),
            unknown: unknown.into_iter().cloned().collect(),
            unfiltered: added.unfiltered,
            filters: added.filters,
            files: Vec::new(),
            left_out_files: 0,
            binary: Vec::new(),
            left_out_binary: 0,
            tree: added.tree,
        };
        if !staged.changes.is_empty() {
            stand_in.show(&before, &mut staged).await?;
        } else if let Some(head) = head
            && !files.is_empty()
            // A shallow clone has no parent of its first commit: then there is nothing to show.
            && let Ok((parent, others)) = stand_in.last_commit(&head, &paths).await
            && parent != staged.tree
        {
            stand_in.show(&parent, &mut staged).await?;
            staged.last = Some(head.subject);
            staged.last_others = others;
        }
        staged.changes.truncate(MOST_FILES);
        staged.last_others.truncate(MOST_FILES);
        staged.unfiltered.truncate(MOST_FILES);
        Ok(staged)
    }

    /// Whether these files and HEAD are still what was shown.
    ///
    /// # Errors
    /// When git cannot say.
    pub async fn is_still(&self, staged: &Staged, files: &[String]) -> Result<bool, GitError> {
        let now = self.staged(files).await?;
        Ok((&now.head, &now.tree, &now.author) == (&staged.head, &staged.tree, &staged.author))
    }
}

impl Staged {
    /// What changes in all files, as text.
    pub fn diff(&self) -> String {
        self.files.iter().map(|file| file.diff.as_str()).collect()
    }

    /// How many bytes of that are left out.
    pub fn left_out(&self) -> usize {
        self.files.iter().map(|file| file.left_out).sum()
    }
}

impl StandIn<'_> {
    /// The tree of these paths in the commit before this one, and what else this one changes.
    async fn last_commit(
        &self,
        head: &Commit,
        paths: &[String],
    ) -> Result<(String, Vec<String>), GitError> {
        let parent = match head.parents.first() {
            Some(parent) => Some(self.commit(parent).await?),
            None => None,
        };
        let tree = match &parent {
            Some(parent) => self.tree_of(parent, paths, true).await?,
            None => self.empty_tree().await?,
        };
        let all = self.all_changes(parent.as_ref(), head).await?;
        let all = all.into_iter().map(|change| change.path);
        Ok((tree, all.filter(|path| !is_in(path, paths)).collect()))
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
        let patch = patch.most(READ).checked().await?;
        let mut changes = self.changes(from, &to).await?;
        staged.files = changes.iter().map(ShownFile::new).collect();
        patch::fill(&mut staged.files, &patch.out, patch.left_out, MOST)?;
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
        let counts: HashMap<_, _> = counts
            .split(|byte| *byte == 0)
            .filter_map(parse_count)
            .collect();
        for file in &mut staged.files {
            file.lines = expect(counts.get(&file.path).copied(), "diff-tree")?;
        }
        staged.left_out_files = staged.files.len().saturating_sub(MOST_FILES);
        staged.files.truncate(MOST_FILES);
        changes.retain(|change| counts.get(&change.path) == Some(&None));
        if changes.is_empty() {
            return Ok(());
        }
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

/// A line of `diff-tree --numstat`: a path, how many lines are new, and how many are gone; none where
/// it is not text.
fn parse_count(line: &[u8]) -> Option<(String, Option<(u64, u64)>)> {
    let mut words = line.splitn(3, |byte| *byte == b'\t');
    let (new, gone, path) = (words.next()?, words.next()?, words.next()?);
    let number = |word: &[u8]| std::str::from_utf8(word).ok()?.parse().ok();
    Some((path_text(path), number(new).zip(number(gone))))
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
            assert!(staged.diff().contains(shown), "{}", staged.diff());
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
