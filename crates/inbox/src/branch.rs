//! The branch that is checked out in a folder, read from git's own files: git itself is not run, so
//! that nothing in the folder is.

use holdpoint::visible;
use std::{
    collections::HashMap,
    fs,
    io::Read,
    path::{Path, PathBuf},
};

/// No file of git's that is read here is longer.
const LONGEST: u64 = 4096;

/// The branches of these folders; those that are no working copies are left out.
pub(crate) async fn of_all(folders: Vec<String>) -> HashMap<String, String> {
    let read = move || {
        let mut branches = HashMap::new();
        for folder in folders {
            if !branches.contains_key(&folder)
                && let Some(branch) = of(Path::new(&folder))
            {
                branches.insert(folder, branch);
            }
        }
        branches
    };
    tokio::task::spawn_blocking(read).await.unwrap_or_default()
}

/// The branch of this folder, or the start of the commit where none is checked out.
fn of(folder: &Path) -> Option<String> {
    if !folder.is_absolute() {
        return None;
    }
    let git = folder.ancestors().map(|it| it.join(".git"));
    let git = git.into_iter().find(|it| it.exists())?;
    let head = read(&git_folder(git)?.join("HEAD"))?;
    let head = head.trim();
    if let Some(branch) = head.strip_prefix("ref: refs/heads/") {
        return Some(visible(branch).into_owned());
    }
    let commit = head.len() >= 40 && head.bytes().all(|byte| byte.is_ascii_hexdigit());
    commit.then(|| head[..10].to_owned())
}

/// A worktree has a file that says where its folder is.
fn git_folder(git: PathBuf) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git);
    }
    let text = read(&git)?;
    let folder = text.strip_prefix("gitdir:")?.trim();
    Some(git.parent()?.join(folder))
}

/// A small file's text. What is no file, such as a pipe, is not opened.
fn read(path: &Path) -> Option<String> {
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    let file = fs::File::open(path).ok()?;
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("plain/.git/HEAD", "ref: refs/heads/feature/x\n");
        write("plain/deep/in/it/file", "");
        write(
            "loose/.git/HEAD",
            "0123456789abcdef0123456789abcdef01234567\n",
        );
        write(
            "plain/.git/worktrees/w/HEAD",
            "ref: refs/heads/pay\u{202e}lru\n",
        );
        write("tree/.git", "gitdir: ../plain/.git/worktrees/w\n");
        write("odd/.git/HEAD", "root:x:0:0\n");
        write("none/file", "");
        let check = |folder: &str, branch: Option<&str>| {
            assert_eq!(of(&root.path().join(folder)).as_deref(), branch, "{folder}");
        };
        check("plain", Some("feature/x"));
        check("plain/deep/in/it", Some("feature/x"));
        check("loose", Some("0123456789"));
        check("tree", Some("pay⟨U+202E⟩lru"));
        check("odd", None);
        check("gone", None);
        assert_eq!(of(Path::new("relative")), None);
    }
}
