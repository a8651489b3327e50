//! A file that is being written: it has no name of its own until it is whole.

use crate::{
    Access, Folder, crash,
    folder::{no_follow, one_name, restrict},
};
use cap_std::fs::{Dir, File};
use std::io;
use uuid::Uuid;

/// A file that is being written beside its place. Dropped without a name, it is gone; after a crash
/// it is left behind under a hidden name.
#[derive(Debug)]
pub struct Draft {
    folder: Folder,
    file: File,
    name: String,
    access: Access,
    is_placed: bool,
}

impl Draft {
    pub(crate) fn new(folder: &Folder, access: Access) -> io::Result<Self> {
        let (name, dir) = (hidden_name("tmp"), folder.dir.try_clone()?);
        let mut options = no_follow();
        options.write(true).create_new(true);
        restrict(&mut options, access);
        crash::step();
        let file = dir.open_with(&name, &options)?;
        Ok(Self {
            folder: Folder { dir },
            file,
            name,
            access,
            is_placed: false,
        })
    }

    /// Writes this at the end of the draft.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        crash::write(&mut self.file, bytes)
    }

    /// Puts it in the place of the file of this name, or where there is none.
    ///
    /// # Errors
    /// When it cannot be put there. What was there is there still.
    pub fn replace(mut self, name: &str) -> io::Result<()> {
        let dir = &self.folder.dir;
        if self.access == Access::Shared
            && let Ok(before) = dir.symlink_metadata(one_name(name)?)
            && before.is_file()
        {
            crash::step();
            self.file.set_permissions(before.permissions())?;
        }
        crash::step();
        self.file.sync_all()?;
        crash::step();
        dir.rename(&self.name, dir, one_name(name)?)?;
        self.is_placed = true;
        self.folder.sync()
    }

    /// Gives it this name; false where something of that name is there already.
    ///
    /// # Errors
    /// When it cannot be put there.
    pub fn create(mut self, name: &str) -> io::Result<bool> {
        crash::step();
        self.file.sync_all()?;
        self.is_placed = rename_new(&self.folder.dir, &self.name, one_name(name)?)?;
        if self.is_placed {
            self.folder.sync()?;
        }
        Ok(self.is_placed)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_placed {
            let _ = self.folder.dir.remove_file(&self.name);
        }
    }
}

/// What drafts are called: hidden, ours, and nobody else's.
pub(crate) fn hidden_name(extension: &str) -> String {
    format!("{PREFIX}{}.{extension}", Uuid::now_v7())
}

/// What the names of drafts begin with.
pub(crate) const PREFIX: &str = ".holdpoint-";

/// Renames in one go; false where something has the new name.
pub(crate) fn rename_new(dir: &Dir, from: &str, to: &str) -> io::Result<bool> {
    crash::step();
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::{
            fs::{RenameFlags, renameat_with},
            io::Errno,
        };
        match renameat_with(dir, from, dir, to, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(true),
            Err(Errno::EXIST) => return Ok(false),
            // Not every file system knows how.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            Err(error) => return Err(error.into()),
        }
    }
    link_new(dir, from, to)
}

/// The same for systems that cannot rename so: a second name first, and then only that one. A folder
/// cannot have two, but does not replace a file or a folder with something in it.
fn link_new(dir: &Dir, from: &str, to: &str) -> io::Result<bool> {
    if dir.symlink_metadata(from)?.is_dir() {
        return match dir.rename(from, dir, to) {
            Ok(()) => Ok(true),
            Err(_) if dir.symlink_metadata(to).is_ok() => Ok(false),
            Err(error) => Err(error),
        };
    }
    match dir.hard_link(from, dir, to) {
        Ok(()) => {
            crash::step();
            dir.remove_file(from).map(|()| true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_draft_that_is_dropped_is_gone() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path()).unwrap();
        let mut draft = folder.draft(Access::Private).unwrap();
        draft.write(b"half").unwrap();
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
        drop(draft);
        fs::create_dir(root.path().join("taken")).unwrap();
        assert!(!folder.create_file("taken", b"x", Access::Shared).unwrap());
        assert!(folder.replace("taken", b"x", Access::Shared).is_err());
        assert!(folder.replace("a/b", b"x", Access::Shared).is_err());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn both_ways_to_a_new_name() {
        let root = tempfile::tempdir().unwrap();
        let dir = Folder::open(root.path()).unwrap().dir;
        for rename in [rename_new, link_new] {
            fs::write(root.path().join("from"), "x").unwrap();
            fs::write(root.path().join("taken"), "old").unwrap();
            assert!(!rename(&dir, "from", "taken").unwrap());
            assert!(rename(&dir, "from", "to").unwrap());
            assert!(rename(&dir, "from", "gone").is_err());
            assert_eq!(
                fs::read_to_string(root.path().join("taken")).unwrap(),
                "old"
            );
            fs::remove_file(root.path().join("to")).unwrap();
            fs::create_dir_all(root.path().join("folder")).unwrap();
            assert!(!rename(&dir, "folder", "taken").unwrap());
            assert!(rename(&dir, "folder", "moved").unwrap());
            fs::remove_dir(root.path().join("moved")).unwrap();
        }
    }
}
