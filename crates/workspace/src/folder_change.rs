//! Files of a folder that change together, or not at all.

use crate::{
    Folder, crash,
    draft::hidden_name,
    folder::one_name,
    folder_draft::{remove_left_behind, write_file},
};
use cap_std::fs::Dir;
use std::{collections::BTreeMap, io};

/// The most files and folders that are moved to another folder, and how deep they lie.
const MOST: usize = 10_000;
const DEEP: usize = 16;

/// New texts by their path in the folder; none where the file is to go.
type Changes<'a> = BTreeMap<&'a str, Option<&'a str>>;

impl Folder {
    /// Gives files of a folder in this one another text (path in it, and text; none to remove it), all
    /// in one go: a folder with the new files, and with the others by a second name, is built beside
    /// it, and the two change places. Whoever holds the old folder or one of its changed files open
    /// holds what is gone.
    ///
    /// Where the file system cannot exchange two folders, there is a moment without either name.
    ///
    /// # Errors
    /// When it cannot be written. Everything is as it was then.
    pub fn change_folder(
        &self,
        name: &str,
        changes: &[(String, Option<String>)],
    ) -> io::Result<()> {
        remove_left_behind(&self.dir);
        let old = self.folder(one_name(name)?)?;
        let changes = changes
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_deref()));
        let changes: Changes<'_> = changes.collect();
        let draft = hidden_name("new");
        crash::step();
        self.dir.create_dir(&draft)?;
        let placed = self
            .folder(&draft)
            .and_then(|new| fill(&old, &new, &changes))
            .and_then(|()| exchange(&self.dir, &draft, name));
        let cleared = self.dir.remove_dir_all(&draft);
        placed?;
        // What could not be removed is removed as a draft that a crash left.
        drop(cleared);
        self.sync()
    }
}

fn fill(old: &Folder, new: &Folder, changes: &Changes<'_>) -> io::Result<()> {
    let mut left = MOST;
    link_all(&old.dir, &new.dir, "", changes, &mut left, DEEP)?;
    for (path, text) in changes {
        let Some(text) = text else { continue };
        write_file(new, path, text)?;
        if let Ok(about) = old.dir.symlink_metadata(path)
            && about.is_file()
        {
            new.dir.set_permissions(path, about.permissions())?;
        }
    }
    new.sync()
}

/// Gives everything in the old folder that does not change a second name in the new one.
fn link_all(
    old: &Dir,
    new: &Dir,
    at: &str,
    changes: &Changes<'_>,
    left: &mut usize,
    deep: usize,
) -> io::Result<()> {
    new.set_permissions(".", old.dir_metadata()?.permissions())?;
    for entry in old.entries()? {
        let entry = entry?;
        let name = entry.file_name();
        let path = match name.to_str() {
            Some(name) => format!("{at}{name}"),
            // None of ours.
            None => String::new(),
        };
        *left = left.checked_sub(1).ok_or_else(too_much)?;
        if entry.file_type()?.is_dir() {
            crash::step();
            new.create_dir(&name)?;
            let deep = deep.checked_sub(1).ok_or_else(too_much)?;
            let (old, new) = (entry.open_dir()?, new.open_dir(&name)?);
            link_all(&old, &new, &format!("{path}/"), changes, left, deep)?;
        } else if !changes.contains_key(path.as_str()) {
            crash::step();
            old.hard_link(&name, new, &name)?;
        }
    }
    Ok(())
}

fn too_much() -> io::Error {
    io::Error::other(format!(
        "there are more than {MOST} files in it, or folders deeper than {DEEP}"
    ))
}

/// Lets two names change places.
fn exchange(dir: &Dir, one: &str, other: &str) -> io::Result<()> {
    crash::step();
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::{
            fs::{RenameFlags, renameat_with},
            io::Errno,
        };
        match renameat_with(dir, one, dir, other, RenameFlags::EXCHANGE) {
            Ok(()) => return Ok(()),
            // Not every file system knows how.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            Err(error) => return Err(error.into()),
        }
    }
    rename_both(dir, one, other)
}

/// The same for systems that cannot: one after the other.
fn rename_both(dir: &Dir, one: &str, other: &str) -> io::Result<()> {
    let aside = hidden_name("old");
    dir.rename(other, dir, &aside)?;
    crash::step();
    let placed = dir.rename(one, dir, other);
    let back = if placed.is_ok() { one } else { other };
    dir.rename(&aside, dir, back)?;
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, path::Path};

    fn changes() -> Vec<(String, Option<String>)> {
        vec![
            ("STATUS.md".into(), Some("new".into())),
            ("plan/02-b.md".into(), None),
            ("plan/03-c.md".into(), Some("added".into())),
        ]
    }

    fn plan(root: &Path) {
        for folder in ["a/plan", "a/evidence/deep", "a/.history"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for (path, text) in [
            ("STATUS.md", "old"),
            ("plan/01-a.md", "one"),
            ("plan/02-b.md", "two"),
            ("evidence/deep/x.bin", "kept"),
            (".history/timeline.jsonl", "line\n"),
        ] {
            fs::write(root.join("a").join(path), text).unwrap();
        }
    }

    #[test]
    fn the_rest_stays_itself() {
        let root = tempfile::tempdir().unwrap();
        plan(root.path());
        let at = |name: &str| root.path().join("a").join(name);
        let mut timeline = fs::OpenOptions::new()
            .append(true)
            .open(at(".history/timeline.jsonl"))
            .unwrap();
        let folder = Folder::open(root.path()).unwrap();
        folder.change_folder("a", &changes()).unwrap();
        let text = |name: &str| fs::read_to_string(at(name)).ok();
        assert_eq!(text("STATUS.md").unwrap(), "new");
        assert_eq!(text("plan/01-a.md").unwrap(), "one");
        assert_eq!(text("plan/02-b.md"), None);
        assert_eq!(text("plan/03-c.md").unwrap(), "added");
        assert_eq!(text("evidence/deep/x.bin").unwrap(), "kept");
        // A file that is held open, perhaps locked, is the same one.
        io::Write::write_all(&mut timeline, b"more\n").unwrap();
        assert_eq!(text(".history/timeline.jsonl").unwrap(), "line\nmore\n");
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept_and_nothing_is_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let root = tempfile::tempdir().unwrap();
        plan(root.path());
        let outer = tempfile::tempdir().unwrap();
        fs::write(outer.path().join("secret"), "keep out").unwrap();
        let at = |name: &str| root.path().join("a").join(name);
        symlink(outer.path().join("secret"), at("link")).unwrap();
        symlink(outer.path(), at("linked")).unwrap();
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
        fs::set_permissions(at("STATUS.md"), fs::Permissions::from_mode(0o640)).unwrap();
        fs::set_permissions(at("plan"), fs::Permissions::from_mode(0o750)).unwrap();
        let folder = Folder::open(root.path()).unwrap();
        folder.change_folder("a", &changes()).unwrap();
        assert_eq!((mode("STATUS.md"), mode("plan")), (0o640, 0o750));
        assert_eq!(
            fs::read_link(at("link")).unwrap(),
            outer.path().join("secret")
        );
        for path in ["linked/new.md", "../x", "/x"] {
            let changes = [(path.to_owned(), Some("x".to_owned()))];
            let changed = folder.change_folder("a", &changes);
            assert!(path == "/x" || changed.is_err(), "{path}");
        }
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
        symlink(root.path().join("a"), root.path().join("b")).unwrap();
        assert!(folder.change_folder("b", &changes()).is_err());
    }

    #[test]
    fn both_ways_to_change_places() {
        let root = tempfile::tempdir().unwrap();
        let dir = Folder::open(root.path()).unwrap().dir;
        for swap in [exchange, rename_both] {
            for name in ["one", "two"] {
                fs::create_dir_all(root.path().join(name)).unwrap();
                fs::write(root.path().join(name).join("name"), name).unwrap();
            }
            swap(&dir, "one", "two").unwrap();
            let text = fs::read_to_string(root.path().join("one/name")).unwrap();
            assert_eq!(text, "two");
            assert!(swap(&dir, "gone", "two").is_err());
            assert!(root.path().join("two/name").exists());
        }
    }
}
