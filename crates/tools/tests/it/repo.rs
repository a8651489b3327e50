//! Real git repositories.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

pub struct Repo(PathBuf);

impl Repo {
    /// A repository with one commit of `a.txt`, in this folder.
    pub fn init(folder: &Path) -> Self {
        let repo = Self(folder.to_owned());
        repo.git(&["init", "-q", "-b", "main"]);
        for (name, value) in [
            ("user.name", "Ada"),
            ("user.email", "ada@example.org"),
            ("commit.gpgsign", "false"),
        ] {
            repo.git(&["config", name, value]);
        }
        repo.write("a.txt", "one\n");
        repo.commit("chore: begin");
        repo
    }

    pub fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Commits everything.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
        self.head()
    }

    pub fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    /// A hook that runs this.
    pub fn hook(&self, name: &str, script: &str) {
        let path = self.0.join(".git/hooks").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        let done = Command::new("git")
            .args(arguments)
            .current_dir(&self.0)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "git {arguments:?}: {said}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }
}
