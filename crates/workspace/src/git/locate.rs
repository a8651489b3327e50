//! Where a folder's repository is, found by us: git's own search would take a folder for a repository
//! because of what somebody has put into it.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

/// No file of git's that is read here is longer.
const LONGEST: u64 = 4096;

/// A working copy.
pub(super) struct Located {
    /// The folder that has `.git` in it.
    #[cfg_attr(
        not(feature = "git"),
        expect(dead_code, reason = "only what runs git needs it")
    )]
    pub top: PathBuf,
    /// Git's own folder; none where `.git` does not say where that is.
    pub git_dir: Option<PathBuf>,
}

/// The working copy that this folder is in: the nearest one that has `.git` in it. A bare repository
/// is none, whatever it is called.
pub(super) fn locate(folder: &Path) -> Option<Located> {
    let has_git = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok();
    let top = folder.ancestors().find(has_git)?;
    Some(Located {
        top: top.to_owned(),
        git_dir: git_dir(&top.join(".git")),
    })
}

/// A worktree has a file that says where its folder is.
fn git_dir(git: &Path) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git.to_owned());
    }
    let text = read_small(git)?;
    let folder = text.strip_prefix("gitdir:")?.trim();
    Some(git.parent()?.join(folder))
}

/// A small file's text. What is not a file, such as a pipe, is not opened.
pub(super) fn read_small(path: &Path) -> Option<String> {
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    let file = fs::File::open(path).ok()?;
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text)
}
