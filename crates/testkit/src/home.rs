//! A home for the real binary, which then knows no other.

use std::{
    env, fs,
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
        self.folder.path().join("state/holdpoint/journal.db")
    }

    /// Writes the user's own configuration.
    pub fn config(&self, text: &str) {
        write(
            &self.folder.path().join("config/holdpoint/config.toml"),
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
            at("XDG_CONFIG_HOME", "config"),
            at("XDG_STATE_HOME", "state"),
            // A page at a free port, beside those of other tests.
            ("HOLDPOINT_INBOX".to_owned(), "127.0.0.1:0".into()),
        ]
    }

    /// A command that runs the binary in this home.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(args);
        self.prepared(command)
    }

    /// A command that runs the binary in this home, in a shell that ran this line before.
    pub fn command_under(&self, line: &str, args: &[&str]) -> Command {
        let mut command = Command::new("/bin/sh");
        let line = format!("{line} && exec \"$0\" \"$@\"");
        command.arg("-c").arg(line).arg(&self.binary).args(args);
        self.prepared(command)
    }

    fn prepared(&self, mut command: Command) -> Command {
        for (name, _) in env::vars_os() {
            let ours = name
                .to_str()
                .is_some_and(|name| name.starts_with("HOLDPOINT_"));
            if ours || name == "RUST_LOG" {
                command.env_remove(name);
            }
        }
        command
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
