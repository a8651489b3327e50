//! The `git` program: never through a shell, never asking, never for longer than it may take.
//!
//! - here: finding a repository and running the program
//! - [`commit_preview`]: what a person is shown before a commit
//! - [`verify`]: whether the commit is there
//! - [`perform`]: making it

pub(crate) mod commit_preview;
pub(crate) mod perform;
pub(crate) mod verify;

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::Command,
};

/// A repository, seen from a folder in it.
#[derive(Debug, Clone)]
pub(crate) struct Git {
    folder: PathBuf,
}

/// Why git could not say.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitError {
    #[error("the git program is not installed")]
    Missing,
    #[error("git {what} took longer than {} s and was stopped", .limit.as_secs())]
    TimedOut { what: String, limit: Duration },
    #[error("git {what}: {said}")]
    Failed { what: String, said: String },
    #[error("git could not be run")]
    Io(#[from] io::Error),
}

/// What the program said.
pub(crate) struct Said {
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: String,
}

/// One run of the program.
pub(crate) struct Run<'a> {
    git: &'a Git,
    arguments: Vec<OsString>,
    variables: Vec<(&'static str, OsString)>,
    input: Vec<u8>,
    limit: Duration,
    most: u64,
    hooks: bool,
}

/// How long reading may take.
const READING: Duration = Duration::from_secs(20);
/// The most that is read of what the program says.
const MOST: u64 = 4 * 1024 * 1024;

impl Git {
    /// The repository that this folder is in; none where there is no git, or no repository.
    pub async fn find(folder: &Path) -> Result<Option<Self>, GitError> {
        let git = Self {
            folder: folder.to_owned(),
        };
        let said = match git.run(["rev-parse", "--is-inside-work-tree"]).said().await {
            Err(GitError::Missing) => return Ok(None),
            said => said?,
        };
        if said.code == Some(0) {
            return Ok((said.text().trim() == "true").then_some(git));
        }
        if said.err.contains("not a git repository") {
            Ok(None)
        } else {
            Err(said.failed("rev-parse"))
        }
    }

    /// A run with these arguments.
    pub fn run<A: Into<OsString>>(&self, arguments: impl IntoIterator<Item = A>) -> Run<'_> {
        Run {
            git: self,
            arguments: arguments.into_iter().map(Into::into).collect(),
            variables: Vec::new(),
            input: Vec::new(),
            limit: READING,
            most: MOST,
            hooks: false,
        }
    }
}

impl Run<'_> {
    /// These paths, each as it is written, whatever it looks like.
    pub fn paths(mut self, paths: &[String]) -> Self {
        self.arguments.push("--".into());
        self.arguments.extend(paths.iter().map(OsString::from));
        self
    }

    pub fn with(mut self, variables: &[(&'static str, OsString)]) -> Self {
        self.variables.extend_from_slice(variables);
        self
    }

    pub fn input(mut self, input: &str) -> Self {
        self.input = input.into();
        self
    }

    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    pub fn most(mut self, bytes: u64) -> Self {
        self.most = bytes;
        self
    }

    /// It changes the repository, and the repository's own hooks have their say.
    pub fn with_hooks(mut self) -> Self {
        self.hooks = true;
        self
    }

    /// What it said, if it went well.
    pub async fn text(self) -> Result<String, GitError> {
        let what = self.what();
        let said = self.said().await?;
        match said.code {
            Some(0) => Ok(said.text()),
            _ => Err(said.failed(&what)),
        }
    }

    /// What it said, however it went.
    pub async fn said(self) -> Result<Said, GitError> {
        let (limit, what) = (self.limit, self.what());
        match tokio::time::timeout(limit, self.whole()).await {
            Ok(said) => said,
            Err(_) => Err(GitError::TimedOut { what, limit }),
        }
    }

    fn what(&self) -> String {
        let name = self.arguments.first();
        name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    async fn whole(self) -> Result<Said, GitError> {
        let mut child = self.command().spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => GitError::Missing,
            _ => GitError::Io(error),
        })?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let feed = async {
            if let Some(mut stdin) = stdin {
                // A program that stops reading has its reasons, and says them on its own.
                let _ = stdin.write_all(&self.input).await;
            }
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let read = async {
            // Taken apart, so that more than is wanted closes the pipe instead of filling it.
            let one = async {
                match stdout {
                    Some(stdout) => stdout.take(self.most).read_to_end(&mut out).await,
                    None => Ok(0),
                }
            };
            let other = async {
                match stderr {
                    Some(stderr) => stderr.take(64 * 1024).read_to_end(&mut err).await,
                    None => Ok(0),
                }
            };
            tokio::try_join!(one, other)
        };
        let ((), read) = tokio::join!(feed, read);
        read?;
        let status = child.wait().await?;
        Ok(Said {
            code: status.code(),
            out,
            err: String::from_utf8_lossy(&err).into_owned(),
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        command
            .args(["--no-pager", "--literal-pathspecs"])
            .args(["-c", "core.quotePath=false", "-c", "core.fsmonitor=false"])
            .args(["-c", "log.showSignature=false"])
            .args(&self.arguments)
            .current_dir(&self.git.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // What was set for another repository is not for this one.
        for name in [
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_OBJECT_DIRECTORY",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_COMMON_DIR",
            "GIT_NAMESPACE",
            "GIT_PREFIX",
            "GIT_EXTERNAL_DIFF",
            "GIT_DIFF_OPTS",
            "GIT_LITERAL_PATHSPECS",
            "GIT_GLOB_PATHSPECS",
            "GIT_NOGLOB_PATHSPECS",
            "GIT_ICASE_PATHSPECS",
        ] {
            command.env_remove(name);
        }
        command
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_EDITOR", ":")
            .env("GIT_PAGER", "cat");
        if !self.hooks {
            command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        }
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        command
    }
}

impl Said {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    pub fn failed(&self, what: &str) -> GitError {
        GitError::Failed {
            what: what.to_owned(),
            said: self.words(),
        }
    }

    /// The end of what it complained about.
    pub fn words(&self) -> String {
        const MOST: usize = 2000;
        let mut all = self.err.trim().to_owned();
        if all.is_empty() {
            all = self.text().trim().to_owned();
        }
        let start = all.len().saturating_sub(MOST);
        let start = (start..=all.len())
            .find(|start| all.is_char_boundary(*start))
            .unwrap_or(0);
        match &all[start..] {
            "" => "it ended without a word".into(),
            words => words.to_owned(),
        }
    }
}
