//! Which program a name is: never one that lies in the folder that is worked in.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// Finds the program of this name in the search path. Entries that are relative, or lie in the folder that
/// is worked in (npm adds such a one), are passed over: what is there came with the folder.
pub fn find_program(name: &str, top: Option<&Path>) -> Option<PathBuf> {
    search(&env::var_os("PATH")?, name, top)
}

fn search(path: &OsStr, name: &str, top: Option<&Path>) -> Option<PathBuf> {
    let names = [
        name.to_owned(),
        format!("{name}{}", env::consts::EXE_SUFFIX),
    ];
    let outside = |folder: &PathBuf| {
        let real = folder.canonicalize();
        let inside = |top| folder.starts_with(top) || real.is_ok_and(|real| real.starts_with(top));
        folder.is_absolute() && !top.is_some_and(inside)
    };
    let folders = env::split_paths(path).filter(outside);
    let mut programs = folders.flat_map(|folder| names.each_ref().map(|name| folder.join(name)));
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
    fn a_program_in_the_folder_that_is_worked_in_is_passed_over() {
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
        let found = search(&path, "git", Some(&top));
        assert_eq!(found, Some(root.join("bin/git")));
        assert_eq!(search(OsStr::new(".:"), "git", Some(&top)), None);
    }
}
