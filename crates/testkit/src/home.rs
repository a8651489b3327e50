//! A home for the real binary, which then knows no other.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::Arc,
};
use tempfile::TempDir;

/// A user's folders, empty at first, and the binary that runs in them.
#[derive(Clone)]
pub struct Home {
    folder: Arc<TempDir>,
    binary: PathBuf,
}

impl Home {
    /// Makes a home for this binary.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        let home = Self {
            folder: Arc::new(tempfile::tempdir().unwrap()),
            binary: binary.into(),
        };
        fs::create_dir(home.workspace()).unwrap();
        home
    }

    /// The binary.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// The folder that holds all the others.
    pub fn root(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Where the binary runs.
    pub fn workspace(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The journal's file.
    pub fn journal(&self) -> PathBuf {
        self.folder.path().join(".local/state/holdpoint/journal.db")
    }

    /// Writes the user's own configuration.
    pub fn config(&self, text: &str) {
        write(
            &self.folder.path().join(".config/holdpoint/config.toml"),
            text,
        );
    }

    /// Writes a file of the workspace.
    pub fn work_file(&self, name: &str, text: &str) {
        write(&self.workspace().join(name), text);
    }

    /// The variables under which the binary knows this home only.
    pub fn variables(&self) -> Vec<(String, PathBuf)> {
        let at = |name: &str, below: &str| (name.to_owned(), self.folder.path().join(below));
        vec![
            at("HOME", ""),
            at("XDG_CONFIG_HOME", ".config"),
            at("XDG_STATE_HOME", ".local/state"),
            // Only a build for tests knows it; the home of who runs the tests is none of theirs.
            at("HOLDPOINT_TEST_ACCOUNT", ""),
            // A page at a free port, beside those of other tests.
            ("HOLDPOINT_INBOX".to_owned(), "127.0.0.1:0".into()),
        ]
    }

    /// A command that runs the binary in this home, in a session of its own without a terminal: the
    /// one who runs the tests may be an agent, and neither its variables nor its processes count here.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = alone(self.binary.as_os_str());
        command.args(args);
        self.prepared(command)
    }

    /// A command that runs the binary in this home, in a shell that ran this line before.
    pub fn command_under(&self, line: &str, args: &[&str]) -> Command {
        let mut command = alone("/bin/sh".as_ref());
        let line = format!("{line} && exec \"$0\" \"$@\"");
        command.arg("-c").arg(line).arg(&self.binary).args(args);
        self.prepared(command)
    }

    fn prepared(&self, mut command: Command) -> Command {
        command
            .env_clear()
            .envs(kept_variables())
            .envs(self.variables())
            .current_dir(self.workspace())
            .stdin(Stdio::null());
        command
    }

    /// Runs the binary to its end.
    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }
}

/// A program in a session of its own, without a terminal.
fn alone(program: &OsStr) -> Command {
    if cfg!(target_os = "linux") {
        // It becomes the program: the process keeps its id.
        let mut command = Command::new("setsid");
        command.arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// The variables of the tests that programs under test have too.
pub(crate) fn kept_variables() -> impl Iterator<Item = (OsString, OsString)> {
    const KEPT: [&str; 6] = [
        "PATH",
        "TMPDIR",
        "TZ",
        "LANG",
        "LD_LIBRARY_PATH",
        "LLVM_PROFILE_FILE",
    ];
    env::vars_os().filter(|(name, _)| KEPT.iter().any(|kept| name == kept))
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// What a command printed.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What a command printed beside its output.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
