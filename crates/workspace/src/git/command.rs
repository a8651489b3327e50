//! The one door through which the `git` program is run: never through a shell, never asking, never for
//! longer than it may take, and without what the environment says about git.

use super::GitError;
use std::{env, ffi::OsStr, io, path::Path, process::Stdio, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::Command,
};

/// How long looking may take.
const LOOKING: Duration = Duration::from_secs(60);
/// The most that is kept of what the program says.
const MOST: usize = 64 * 1024 * 1024;

/// What holds whenever git only looks, whatever the repository's own config says. Where git is run on a
/// stand-in, there is nothing of it to say; this is the second lock.
const ONLY_LOOKS: [(&str, &str); 12] = [
    ("core.quotePath", "false"),
    ("core.fsmonitor", "false"),
    ("core.untrackedCache", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.commitGraph", "false"),
    ("core.safecrlf", "false"),
    ("core.sshCommand", "false"),
    ("log.showSignature", "false"),
    ("protocol.allow", "never"),
    ("safe.bareRepository", "explicit"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
];
const ONLY_LOOKS_VARIABLES: [(&str, &str); 6] = [
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_ASKPASS", ""),
    ("LC_ALL", "C"),
];

/// What holds for the commit that a person has approved: the repository's hooks run, and nothing is
/// faked.
const CHANGES: [(&str, &str); 3] = [
    ("core.quotePath", "false"),
    ("core.fsmonitor", "false"),
    ("safe.bareRepository", "explicit"),
];
const CHANGES_VARIABLES: [(&str, &str); 1] = [("GIT_NO_REPLACE_OBJECTS", "1")];
/// What a person may have set for the commits that are made in their name.
const IDENTITY: [&str; 4] = [
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
];

/// How a run ended, and what it wrote.
pub(super) struct Output {
    pub code: Option<i32>,
    pub out: Vec<u8>,
    /// How many bytes more it wrote than are kept.
    pub left_out: usize,
    pub err: String,
}

/// One run of the program.
pub(super) struct Run {
    command: Command,
    what: String,
    config: Vec<(String, String)>,
    input: Vec<u8>,
    limit: Duration,
    most: usize,
}

impl Run {
    /// A run that only looks.
    pub fn looking<A: AsRef<OsStr>>(
        program: &Path,
        folder: &Path,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let mut run = Self::new(program, folder, &ONLY_LOOKS, arguments);
        run.command.envs(ONLY_LOOKS_VARIABLES);
        run
    }

    /// A run that changes the repository, as a person has approved: the repository's own hooks run.
    pub fn changing<A: AsRef<OsStr>>(
        program: &Path,
        folder: &Path,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let mut run = Self::new(program, folder, &CHANGES, arguments);
        run.command.envs(CHANGES_VARIABLES);
        run.with_identity()
    }

    /// With what the person's own environment says about who they are.
    pub fn with_identity(mut self) -> Self {
        for name in IDENTITY {
            if let Some(value) = env::var_os(name) {
                self.command.env(name, value);
            }
        }
        self
    }

    fn new<A: AsRef<OsStr>>(
        program: &Path,
        folder: &Path,
        config: &[(&str, &str)],
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let arguments: Vec<_> = arguments.into_iter().collect();
        let what = arguments
            .first()
            .map(|name| name.as_ref().to_string_lossy());
        let what = what.unwrap_or_default().into_owned();
        let mut command = Command::new(program);
        command
            .args(["--no-pager", "--literal-pathspecs"])
            .args(&arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // What is set for another repository, or by whoever started us, is not for this one.
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().to_uppercase().starts_with("GIT_") {
                command.env_remove(name);
            }
        }
        command
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_EDITOR", ":")
            .env("GIT_PAGER", "cat");
        let own = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        Self {
            command,
            what,
            config: config.iter().map(own).collect(),
            input: Vec::new(),
            limit: LOOKING,
            most: MOST,
        }
    }

    /// These paths, each as it is written, whatever it looks like.
    pub fn paths(mut self, paths: &[String]) -> Self {
        if !paths.is_empty() {
            self.command.arg("--").args(paths);
        }
        self
    }

    pub fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    pub fn variable(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub fn config(mut self, config: &[(String, String)]) -> Self {
        self.config.extend_from_slice(config);
        self
    }

    pub fn input(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Keeps no more than this of what it says.
    pub fn most(mut self, bytes: usize) -> Self {
        self.most = bytes;
        self
    }

    /// What it wrote, if it went well and is all there.
    pub async fn bytes(self) -> Result<Vec<u8>, GitError> {
        let what = self.what.clone();
        let output = self.checked().await?;
        if output.left_out > 0 {
            return Err(GitError::TooMuch { what });
        }
        Ok(output.out)
    }

    /// The same as text, without the end of the last line.
    pub async fn text(self) -> Result<String, GitError> {
        let text = String::from_utf8_lossy(&self.bytes().await?).into_owned();
        Ok(text.trim_end_matches('\n').to_owned())
    }

    /// What it wrote, if it went well.
    pub async fn checked(self) -> Result<Output, GitError> {
        let what = self.what.clone();
        let output = self.output().await?;
        match output.code {
            Some(0) => Ok(output),
            _ => Err(output.failed(&what)),
        }
    }

    /// What it wrote, however it went.
    pub async fn output(self) -> Result<Output, GitError> {
        let (limit, what) = (self.limit, self.what.clone());
        match tokio::time::timeout(limit, self.run_to_end()).await {
            Ok(output) => output,
            Err(_) => Err(GitError::TimedOut { what, limit }),
        }
    }

    async fn run_to_end(mut self) -> Result<Output, GitError> {
        self.command
            .env("GIT_CONFIG_COUNT", self.config.len().to_string());
        for (place, (key, value)) in self.config.iter().enumerate() {
            self.command
                .env(format!("GIT_CONFIG_KEY_{place}"), key)
                .env(format!("GIT_CONFIG_VALUE_{place}"), value);
        }
        let mut child = self.command.spawn().map_err(|error| match error.kind() {
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
        let read = async { tokio::try_join!(keep(stdout, self.most), keep(stderr, 64 * 1024)) };
        let ((), read) = tokio::join!(feed, read);
        let ((out, left_out), (err, _)) = read?;
        let status = child.wait().await?;
        Ok(Output {
            code: status.code(),
            out,
            left_out,
            err: String::from_utf8_lossy(&err).into_owned(),
        })
    }
}

/// Reads to the end, so that the program's exit code is its own; keeps the beginning, and says how many
/// bytes are left out.
async fn keep(stream: Option<impl AsyncRead + Unpin>, most: usize) -> io::Result<(Vec<u8>, usize)> {
    let Some(mut stream) = stream else {
        return Ok((Vec::new(), 0));
    };
    let mut kept = Vec::new();
    (&mut stream)
        .take(most as u64)
        .read_to_end(&mut kept)
        .await?;
    let rest = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
    Ok((kept, rest as usize))
}

impl Output {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    pub fn failed(&self, what: &str) -> GitError {
        GitError::Failed {
            what: what.to_owned(),
            said: self.complaint(),
        }
    }

    /// The end of what it complained about.
    pub fn complaint(&self) -> String {
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
            "" => "it ended without saying why".into(),
            words => words.to_owned(),
        }
    }
}

/// Something from the program's words that has to be there.
pub(super) fn expect<T>(found: Option<T>, what: &str) -> Result<T, GitError> {
    found.ok_or_else(|| GitError::Failed {
        what: what.to_owned(),
        said: "what it said cannot be read".to_owned(),
    })
}
