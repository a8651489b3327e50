//! A repository, found by us and not by git.

use super::{
    GitError,
    command::{Run, expect},
    locate::locate,
    message::people,
};
use crate::find_program;
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// A repository, seen from a folder in it.
#[derive(Debug, Clone)]
pub struct Git {
    /// The folder that has `.git` in it.
    pub(super) top: PathBuf,
    /// The repository's own folder.
    pub(super) git_dir: PathBuf,
    pub(super) program: PathBuf,
    /// The way from `top` to the folder; empty where that is `top` itself.
    prefix: String,
    /// The filters that the person's own settings allow.
    pub(super) filters: Vec<String>,
    /// The folder that git takes for the person's home, where a test says so.
    pub(super) home: Option<PathBuf>,
}

impl Git {
    /// The repository that this folder is in; none where there is no git, or no repository.
    ///
    /// # Errors
    /// When there is one that git cannot read.
    pub async fn find(folder: &Path) -> Result<Option<Self>, GitError> {
        let folder = folder.canonicalize()?;
        let Some(located) = locate(&folder) else {
            return Ok(None);
        };
        let Some(program) = find_program("git", Some(&located.top)) else {
            return Ok(None);
        };
        let unreadable =
            || GitError::NotARepository(located.top.join(".git").display().to_string());
        let prefix = folder.strip_prefix(&located.top).unwrap_or(Path::new(""));
        let parts: Option<Vec<_>> = prefix.iter().map(OsStr::to_str).collect();
        let git = Self {
            git_dir: located.git_dir.ok_or_else(unreadable)?,
            prefix: parts.ok_or(GitError::NotText)?.join("/"),
            top: located.top,
            program,
            filters: Vec::new(),
            home: None,
        };
        git.ask(["rev-parse", "--git-dir"]).text().await?;
        Ok(Some(git))
    }

    /// Runs these filters, as far as the person's own git config says what they are. Only the person's
    /// own settings file may allow them.
    pub fn allow_filters(mut self, filters: &[String]) -> Self {
        self.filters = filters.to_vec();
        self
    }

    /// The version of the program, in its own words; none where there is no git.
    pub async fn version() -> Option<String> {
        let program = find_program("git", None)?;
        let version = Run::looking(&program, &std::env::temp_dir(), ["--version"]);
        version.text().await.ok()
    }

    /// Asks the repository itself where something is or what is configured, and nothing else: with its
    /// config, git could be made to run code wherever it compares files or misses an object.
    pub(super) fn ask<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Run {
        let run = Run::looking(&self.program, &self.top, arguments)
            .variable("GIT_DIR", &self.git_dir)
            .variable("GIT_WORK_TREE", &self.top);
        match &self.home {
            Some(home) => run.variable("HOME", home).without("XDG_CONFIG_HOME"),
            None => run,
        }
    }

    /// The id of HEAD's commit; none where there is no commit yet.
    pub(super) async fn head_id(&self) -> Result<Option<String>, GitError> {
        let head = self
            .ask(["rev-parse", "--verify", "-q", "HEAD"])
            .output()
            .await?;
        match head.code {
            Some(0) => Ok(Some(head.text().trim().to_owned())),
            Some(1) if self.is_unborn().await? => Ok(None),
            _ => Err(head.failed("rev-parse HEAD")),
        }
    }

    /// Whether HEAD's branch has no commit, and not one that cannot be read.
    async fn is_unborn(&self) -> Result<bool, GitError> {
        let Some(name) = self.head_name().await? else {
            return Ok(false);
        };
        let file = self.ask(["rev-parse", "--path-format=absolute", "--git-path", &name]);
        let file = PathBuf::from(file.text().await?);
        Ok(!file.is_file())
    }

    /// The branch; none where HEAD is detached.
    pub(super) async fn branch(&self) -> Result<Option<String>, GitError> {
        let name = self.head_name().await?;
        let short = |name: String| name.trim_start_matches("refs/heads/").to_owned();
        Ok(name.map(short))
    }

    /// The name of the reference that HEAD is; none where it is detached.
    async fn head_name(&self) -> Result<Option<String>, GitError> {
        let name = self.ask(["symbolic-ref", "-q", "HEAD"]).output().await?;
        match name.code {
            Some(0) => Ok(Some(name.text().trim().to_owned())),
            Some(1) => Ok(None),
            _ => Err(name.failed("symbolic-ref")),
        }
    }

    /// Who commits are by, as git is configured here, with the committer where that is somebody else;
    /// none where git does not know.
    pub(super) async fn author(&self) -> Result<Option<String>, GitError> {
        let mut named = Vec::new();
        let asked = [
            self.ask(["var", "GIT_AUTHOR_IDENT"]),
            self.ask(["var", "GIT_COMMITTER_IDENT"]),
        ];
        for asked in asked {
            let said = asked.with_identity().output().await?;
            if said.code != Some(0) {
                return Ok(None);
            }
            named.push(said.text().trim().to_owned());
        }
        Ok(Some(people(named.iter().map(String::as_str))))
    }

    /// Of what kind the ids of its objects are, where the objects are, and where it keeps what its files
    /// are stored by.
    pub(super) async fn layout(&self) -> Result<(String, PathBuf, PathBuf), GitError> {
        let asked = self.ask([
            "rev-parse",
            "--path-format=absolute",
            "--show-object-format",
            "--git-path",
            "objects",
            "--git-path",
            "info",
        ]);
        let text = asked.text().await?;
        let lines: Vec<_> = text.split('\n').collect();
        match lines.as_slice() {
            [format @ ("sha1" | "sha256"), objects, info] => {
                Ok(((*format).to_owned(), objects.into(), info.into()))
            }
            _ => expect(None, "rev-parse"),
        }
    }

    /// These files as paths from the folder that has `.git` in it.
    pub(super) fn paths_from_top(&self, files: &[String]) -> Vec<String> {
        let path = |file: &String| match (self.prefix.as_str(), file.as_str()) {
            ("", file) => file.to_owned(),
            (prefix, ".") => prefix.to_owned(),
            (prefix, file) => format!("{prefix}/{file}"),
        };
        files.iter().map(path).collect()
    }
}
