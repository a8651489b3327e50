//! Files of a folder that change together, or not at all.

use crate::{
    Folder, FolderLook, crash,
    draft::{PREFIX, hidden_name},
    folder::one_name,
    folder_draft::{remove_left_behind, write_file},
};
use cap_std::fs::Dir;
use std::{collections::BTreeMap, io, path::Path};

/// The most files and folders that are moved to another folder, and how deep they lie.
pub(crate) const MOST: usize = 10_000;
pub(crate) const DEEP: usize = 16;

/// New texts by their path in the folder; none where the file is to go.
type Changes<'a> = BTreeMap<&'a str, Option<&'a str>>;

impl Folder {
    /// Gives files of a folder in this one another text (path in it, and text; none to remove it), all
    /// in one go: a folder with the new files, and with the others by a second name, is built beside
    /// it, and the two change places. Whoever holds the old folder or one of its changed files open
    /// holds what is gone.
    ///
    /// `look` is what the folder held when it was read. Whatever somebody saved there since stays, and
    /// false says so: everything is as it was then.
    ///
    /// Where the file system cannot exchange two folders, there is a moment without either name.
    ///
    /// # Errors
    /// When it cannot be written. Everything is as it was then, or the message says what was put where.
    pub fn change_folder(
        &self,
        name: &str,
        look: &FolderLook,
        changes: &[(String, Option<String>)],
    ) -> io::Result<bool> {
        remove_left_behind(&self.dir);
        let changes = changes
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_deref()));
        let replacement = Replacement::build(self, one_name(name)?, changes.collect())?;
        if let Err(error) = exchange(&self.dir, &replacement.draft, name) {
            drop(self.dir.remove_dir_all(&replacement.draft));
            return Err(error);
        }
        let placed = replacement.settle(look)?;
        self.sync()?;
        Ok(placed)
    }
}

/// A folder that is to take another one's place, or has just taken it.
struct Replacement<'a> {
    parent: &'a Folder,
    name: &'a str,
    /// The name of the new one, and once they have changed places, of the old one.
    draft: String,
    old: Folder,
    changes: Changes<'a>,
    /// What the new one held when it was built.
    built: FolderLook,
}

impl<'a> Replacement<'a> {
    fn build(parent: &'a Folder, name: &'a str, changes: Changes<'a>) -> io::Result<Self> {
        let old = parent.folder(name)?;
        let draft = hidden_name("new");
        crash::step();
        parent.dir.create_dir(&draft)?;
        let built = parent.folder(&draft).and_then(|new| {
            fill(&old, &new, &changes)?;
            FolderLook::new(&new.dir)
        });
        match built {
            Ok(built) => Ok(Self {
                parent,
                name,
                draft,
                old,
                changes,
                built,
            }),
            Err(error) => {
                drop(parent.dir.remove_dir_all(&draft));
                Err(error)
            }
        }
    }

    /// Removes the old folder, which lies under the draft's name now, where nobody has changed it since
    /// the look; else lets the two change places again.
    fn settle(&self, look: &FolderLook) -> io::Result<bool> {
        let dir = &self.parent.dir;
        // A file that both have is written in both.
        let shared = |path: &Path| {
            let path = path.to_str();
            path.is_none_or(|path| !self.changes.contains_key(path))
        };
        let untouched = |dir: &Dir, look: &FolderLook| {
            FolderLook::new(dir).is_ok_and(|now| now.is_same(look, shared))
        };
        if untouched(&self.old.dir, look) {
            // What cannot be removed is removed as a draft that a crash left.
            drop(dir.remove_dir_all(&self.draft));
            return Ok(true);
        }
        if let Err(error) = exchange(dir, &self.draft, self.name) {
            return Err(self.keep(&error.to_string()));
        }
        // Somebody may have saved into the new one in the moment that it was there.
        let new = self.parent.folder(&self.draft);
        if new.is_ok_and(|new| untouched(&new.dir, &self.built)) {
            drop(dir.remove_dir_all(&self.draft));
            return Ok(false);
        }
        Err(self.keep("somebody saved into it at the same moment"))
    }

    /// Gives what lies under the draft's name one that people see and nothing removes.
    fn keep(&self, why: &str) -> io::Error {
        let dir = &self.parent.dir;
        let id = self.draft.trim_start_matches(PREFIX);
        let kept = format!("{}-kept-{}", self.name, id.trim_end_matches(".new"));
        match dir.rename(&self.draft, dir, &kept) {
            Ok(()) => io::Error::other(format!("{why}: what is not there now is in {kept}")),
            Err(_) => {
                io::Error::other(format!("{why}: what is not there now is in {}", self.draft))
            }
        }
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

pub(crate) fn too_much() -> io::Error {
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
        let look = folder.look("a").unwrap();
        assert!(folder.change_folder("a", &look, &changes()).unwrap());
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
        let look = folder.look("a").unwrap();
        assert!(folder.change_folder("a", &look, &changes()).unwrap());
        assert_eq!((mode("STATUS.md"), mode("plan")), (0o640, 0o750));
        assert_eq!(
            fs::read_link(at("link")).unwrap(),
            outer.path().join("secret")
        );
        for path in ["linked/new.md", "../x", "/x"] {
            let changes = [(path.to_owned(), Some("x".to_owned()))];
            let look = folder.look("a").unwrap();
            let changed = folder.change_folder("a", &look, &changes);
            assert!(path == "/x" || changed.is_err(), "{path}");
        }
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
        symlink(root.path().join("a"), root.path().join("b")).unwrap();
        let look = folder.look("a").unwrap();
        assert!(folder.change_folder("b", &look, &changes()).is_err());
        assert!(folder.look("b").is_err());
    }

    /// What somebody does to the folder meanwhile, and where it is seen.
    const MEANWHILE: [(&str, &str); 4] = [
        ("STATUS.md", "saved by a person"),
        ("plan/02-b.md", "still wanted"),
        ("plan/01-a.md", "not among the changes"),
        ("evidence/new.md", "another file"),
    ];

    /// As most editors save: another file that is moved there.
    fn save(folder: &Path, (path, text): (&str, &str)) {
        let beside = folder.join("beside.tmp");
        fs::write(&beside, text).unwrap();
        fs::rename(beside, folder.join(path)).unwrap();
    }

    #[test]
    fn what_a_person_saves_meanwhile_stays() {
        for saved in MEANWHILE {
            for in_place in [false, true] {
                let root = tempfile::tempdir().unwrap();
                plan(root.path());
                let at = root.path().join("a");
                let folder = Folder::open(root.path()).unwrap();
                let look = folder.look("a").unwrap();
                if in_place {
                    fs::write(at.join(saved.0), saved.1).unwrap();
                } else {
                    save(&at, saved);
                }
                let changed = folder.change_folder("a", &look, &changes()).unwrap();
                // What is written into a file that stays is in it in either folder.
                let shared = cfg!(unix) && in_place && saved.0 == "plan/01-a.md";
                assert_eq!(changed, shared, "{saved:?}");
                let text = fs::read_to_string(at.join(saved.0)).unwrap();
                assert_eq!(text, saved.1);
                assert_eq!(at.join("plan/03-c.md").exists(), changed);
                assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
            }
        }
    }

    #[test]
    fn what_is_saved_into_either_folder_during_the_exchange_is_not_lost() {
        let root = tempfile::tempdir().unwrap();
        plan(root.path());
        let at = root.path().join("a");
        let folder = Folder::open(root.path()).unwrap();
        let look = folder.look("a").unwrap();
        let new = changes();
        let new = new
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_deref()));
        let replacement = Replacement::build(&folder, "a", new.collect()).unwrap();
        save(&at, MEANWHILE[0]);
        exchange(&folder.dir, &replacement.draft, "a").unwrap();
        save(&at, ("SUMMARY.md", "saved a moment later"));
        let error = replacement.settle(&look).unwrap_err().to_string();
        assert_eq!(
            fs::read_to_string(at.join("STATUS.md")).unwrap(),
            MEANWHILE[0].1
        );
        let kept = error.rsplit(' ').next().unwrap();
        let later = root.path().join(kept).join("SUMMARY.md");
        assert_eq!(
            fs::read_to_string(later).unwrap(),
            "saved a moment later",
            "{error}"
        );
        assert!(kept.starts_with("a-kept-"), "{error}");
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
