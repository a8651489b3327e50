//! Which program `git` is: never one that lies in the repository that is looked at.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// The git program of the search path. Entries that are relative, or lie in the working copy (npm adds
/// such a one), are passed over: what is there came with the repository.
pub(super) fn find(top: Option<&Path>) -> Option<PathBuf> {
    search(&env::var_os("PATH")?, top)
}

fn search(path: &OsStr, top: Option<&Path>) -> Option<PathBuf> {
    let name = format!("git{}", env::consts::EXE_SUFFIX);
    let outside = |folder: &PathBuf| {
        let real = folder.canonicalize();
        let inside = |top| folder.starts_with(top) || real.is_ok_and(|real| real.starts_with(top));
        folder.is_absolute() && !top.is_some_and(inside)
    };
    let folders = env::split_paths(path).filter(outside);
    let mut programs = folders.map(|folder| folder.join(&name));
    programs.find(|program| can_be_run(program))
}

#[cfg(unix)]
fn can_be_run(program: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let is_executable =
        |found: std::fs::Metadata| found.is_file() && found.permissions().mode() & 0o111 != 0;
    program.metadata().is_ok_and(is_executable)
}

#[cfg(not(unix))]
fn can_be_run(program: &Path) -> bool {
    program.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::PermissionsExt};

    #[test]
    fn a_git_program_in_the_repository_is_passed_over() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let put = |folder: &str, mode: u32| {
            let folder = root.join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("git"), "").unwrap();
            fs::set_permissions(folder.join("git"), fs::Permissions::from_mode(mode)).unwrap();
            folder
        };
        let planted = put("repo/node_modules/.bin", 0o755);
        let text = put("text", 0o644);
        let own = put("bin", 0o755);
        let link = root.join("link");
        std::os::unix::fs::symlink(&planted, &link).unwrap();
        let path = [
            ".".into(),
            "".into(),
            "bin".into(),
            planted,
            link,
            text,
            own,
        ];
        let path = env::join_paths::<_, &PathBuf>(&path).unwrap();
        let top = root.join("repo");
        assert_eq!(search(&path, Some(&top)), Some(root.join("bin/git")));
        assert_eq!(search(OsStr::new(".:"), Some(&top)), None);
    }
}
