//! What a person is shown before a commit: exactly the tree that it would make.

use super::{Git, GitError};
use holdpoint::Digest;
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::markdown::cut;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{ffi::OsString, fs};

/// What git showed when a person was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// When, in seconds since 1970.
    pub at: i64,
    /// The commit that HEAD was; none in a repository without any.
    pub head: Option<String>,
    /// The branch; none where HEAD is detached.
    pub branch: Option<String>,
    /// The tree that a commit of these files would have.
    pub tree: String,
    /// The files that git would commit, as far as they have changes.
    pub known: Vec<String>,
    /// The files that it would not: ignored, or neither there nor in HEAD.
    pub unknown: Vec<String>,
    /// What changes, as far as there is room.
    pub diff: String,
    /// How many bytes of it are left out.
    pub left_out: usize,
}

/// What a look at the repository brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum CommitPreview {
    /// There is no repository, or no git.
    NoGit,
    /// There is one.
    Seen(Box<Seen>),
    /// There is one, and git could not say; why.
    Failed(String),
}

/// The most bytes of a diff that are read.
const MOST: u64 = 1024 * 1024;

impl CommitPreview {
    /// Looks at the repository of a folder. Nothing in it is changed: blobs go to a folder of
    /// their own.
    pub async fn at(folder: &std::path::Path, files: &[String], room: usize) -> Self {
        match Git::find(folder).await {
            Ok(None) => Self::NoGit,
            Ok(Some(git)) => match git.look(files, room).await {
                Ok(seen) => Self::Seen(Box::new(seen)),
                Err(error) => Self::Failed(error_chain(&error)),
            },
            Err(error) => Self::Failed(error_chain(&error)),
        }
    }
}

impl Seen {
    /// The digest of exactly what a commit would be: what it is made of, and its message.
    pub fn digest(&self, message: &str) -> Digest {
        let made_of = json!({ "parent": self.head, "tree": self.tree, "message": message });
        Digest::hash_json(&made_of)
            .unwrap_or_else(|_| Digest::hash_bytes(made_of.to_string().as_bytes()))
    }
}

impl Git {
    /// What a commit of these files on top of HEAD would be.
    pub async fn look(&self, files: &[String], room: usize) -> Result<Seen, GitError> {
        let at = jiff::Timestamp::now().as_second();
        let head = self.head_id().await?;
        let branch = self.run(["symbolic-ref", "-q", "--short", "HEAD"]).said();
        let branch = Some(branch.await?)
            .filter(|said| said.code == Some(0))
            .map(|said| said.text().trim().to_owned());
        let scratch = self.scratch().await?;
        let base = match &head {
            Some(head) => head.clone(),
            None => {
                let empty = self.run(["hash-object", "-t", "tree", "--stdin"]);
                empty.text().await?.trim().to_owned()
            }
        };
        let start = match &head {
            Some(head) => self.run(["read-tree", head]),
            None => self.run(["read-tree", "--empty"]),
        };
        start.with(&scratch.variables).text().await?;
        let (known, unknown) = self.add(files, &scratch).await?;
        let mut diff = String::new();
        if !known.is_empty() {
            let shown = [
                "diff",
                "--cached",
                "--no-color",
                "--no-ext-diff",
                "--no-textconv",
                &base,
            ];
            let shown = self.run(shown).paths(&known).with(&scratch.variables);
            diff = shown.most(MOST).said().await?.text();
        }
        let tree = self.run(["write-tree"]).with(&scratch.variables).text();
        let tree = tree.await?.trim().to_owned();
        let (kept, left_out) = cut(&diff, room);
        Ok(Seen {
            at,
            head,
            branch,
            tree,
            known,
            unknown,
            left_out,
            diff: kept.to_owned(),
        })
    }

    /// The id of HEAD's commit; none where there is no commit yet.
    pub async fn head_id(&self) -> Result<Option<String>, GitError> {
        let said = self.run(["rev-parse", "--verify", "-q", "HEAD^{commit}"]);
        let said = said.said().await?;
        Ok((said.code == Some(0)).then(|| said.text().trim().to_owned()))
    }

    /// Adds the files to the scratch index; gives those that git would commit, and the others.
    async fn add(
        &self,
        files: &[String],
        scratch: &Scratch,
    ) -> Result<(Vec<String>, Vec<String>), GitError> {
        if files.is_empty() {
            return Ok(Default::default());
        }
        let before = self.listed(files, scratch).await?;
        let there = |file: &String| fs::symlink_metadata(self.folder.join(file)).is_ok();
        let (known, mut unknown): (Vec<_>, Vec<_>) = files
            .iter()
            .cloned()
            .partition(|file| there(file) || holds(&before, file));
        if !known.is_empty() {
            let add = self.run(["add", "-A"]).paths(&known);
            let said = add.with(&scratch.variables).said().await?;
            // Ignored files are passed over with a complaint and exit code 1.
            if said.code != Some(0) && !said.err.contains("ignored") {
                return Err(said.failed("add"));
            }
        }
        let after = self.listed(files, scratch).await?;
        let (known, ignored): (Vec<_>, Vec<_>) = known
            .into_iter()
            .partition(|file| holds(&before, file) || holds(&after, file));
        unknown.extend(ignored);
        Ok((known, unknown))
    }

    async fn listed(&self, files: &[String], scratch: &Scratch) -> Result<String, GitError> {
        let list = self.run(["ls-files", "-z"]).paths(files);
        list.with(&scratch.variables).text().await
    }

    /// An index and a store of objects beside the repository's own.
    async fn scratch(&self) -> Result<Scratch, GitError> {
        let objects = self
            .run([
                "rev-parse",
                "--path-format=absolute",
                "--git-path",
                "objects",
            ])
            .text()
            .await?;
        let objects = objects.trim_end_matches('\n');
        let folder = tempfile::tempdir()?;
        let own = folder.path().join("objects");
        fs::create_dir(&own)?;
        let quoted = objects.replace('\\', "\\\\").replace('"', "\\\"");
        let variables = [
            ("GIT_INDEX_FILE", folder.path().join("index").into()),
            ("GIT_OBJECT_DIRECTORY", own.into()),
            // Quoted, since a colon in a path would be two paths.
            (
                "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                OsString::from(format!("\"{quoted}\"")),
            ),
        ];
        Ok(Scratch {
            variables,
            _folder: folder,
        })
    }
}

/// Whether a path, or something below it, is in a list of git's.
fn holds(listed: &str, file: &str) -> bool {
    let folder = format!("{file}/");
    let mut paths = listed.split('\0').filter(|path| !path.is_empty());
    paths.any(|path| file == "." || path == file || path.starts_with(&folder))
}

struct Scratch {
    variables: [(&'static str, OsString); 3],
    _folder: tempfile::TempDir,
}
