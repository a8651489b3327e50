//! Real git repositories, with everything in them that a test wants.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A repository in the folder `repo` of a temporary folder.
pub struct Repository {
    root: tempfile::TempDir,
}

impl Repository {
    /// One with a commit of `a.txt`, `b.txt` and `dir/c.txt`.
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("repo")).unwrap();
        let repository = Self { root };
        repository.git(&["init", "-q", "-b", "main"]);
        for (key, value) in [
            ("user.name", "Ada"),
            ("user.email", "ada@example.org"),
            ("commit.gpgsign", "false"),
            ("gc.auto", "0"),
        ] {
            repository.git(&["config", key, value]);
        }
        for file in ["a.txt", "b.txt", "dir/c.txt"] {
            repository.write(file, "one\n");
        }
        repository.commit("begin");
        repository
    }

    /// Its folder.
    pub fn path(&self) -> PathBuf {
        self.root.path().join("repo")
    }

    /// A file beside the repository; whoever runs code of the repository's makes it appear.
    pub fn canary(&self) -> PathBuf {
        self.root.path().join("canary")
    }

    pub fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A file that can be run.
    pub fn script(&self, file: &str, text: &str) {
        self.write(file, format!("#!/bin/sh\n{text}\n"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let path = self.path().join(file);
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    /// Commits everything.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        git(&self.path(), arguments)
    }
}

/// Runs git as a person does.
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let done = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "git {arguments:?}: {said}");
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}
