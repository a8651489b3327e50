//! The branch that is checked out in a folder, read from git's own files: git itself is not run, so
//! that nothing in the folder is.

use super::locate::{locate, read_small};
use std::path::Path;

/// The branch of this folder, or the start of the commit where none is checked out; none where the
/// folder is in no working copy. What it is called is not to be trusted.
pub fn branch(folder: &Path) -> Option<String> {
    if !folder.is_absolute() {
        return None;
    }
    let head = read_small(&locate(folder)?.git_dir?.join("HEAD"))?;
    let head = head.trim();
    if let Some(branch) = head.strip_prefix("ref: refs/heads/") {
        return Some(branch.to_owned());
    }
    let is_commit = head.len() >= 40 && head.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then(|| head[..10].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
        write("plain/.git/worktrees/w/HEAD", "ref: refs/heads/pay\n");
        write("tree/.git", "gitdir: ../plain/.git/worktrees/w\n");
        write("odd/.git/HEAD", "root:x:0:0\n");
        write("none/file", "");
        let check = |folder: &str, expected: Option<&str>| {
            let found = branch(&root.path().join(folder));
            assert_eq!(found.as_deref(), expected, "{folder}");
        };
        check("plain", Some("feature/x"));
        check("plain/deep/in/it", Some("feature/x"));
        check("loose", Some("0123456789"));
        check("tree", Some("pay"));
        check("odd", None);
        check("gone", None);
        assert_eq!(branch(Path::new("relative")), None);
    }
}
