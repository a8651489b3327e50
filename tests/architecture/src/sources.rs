//! The files of the workspace.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The workspace's folder.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

/// The packages of a folder of the workspace, in order.
pub fn packages(folder: &str) -> Vec<PathBuf> {
    let mut packages: Vec<_> = entries(&root().join(folder))
        .filter(|path| path.join("Cargo.toml").exists())
        .collect();
    packages.sort();
    assert!(!packages.is_empty(), "{folder} has packages");
    packages
}

/// The Rust files below a folder, in order; none if there is no such folder.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A path as the messages name it: from the workspace's folder.
pub fn short(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path);
    path.display().to_string()
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path())
}

/// The files that are in the repository.
pub fn text_files() -> Vec<PathBuf> {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output()
        .unwrap();
    let names = String::from_utf8(listed.stdout).unwrap();
    let names = names.split('\0').filter(|name| !name.is_empty());
    names.map(|name| root().join(name)).collect()
}
