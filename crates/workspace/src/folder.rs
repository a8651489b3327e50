//! A folder that is held open: what is done in it is done there, whatever becomes of its path.

use crate::{crash, private};
use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::{
    ambient_authority,
    fs::{Dir, OpenOptions},
};
use std::{
    fs::{self, File},
    io,
    path::{Component, Path},
};

/// A folder that is held open. Names in it are single names, never paths, and no link is followed.
#[derive(Debug)]
pub struct Folder {
    pub(crate) dir: Dir,
}

/// Who may read what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Whoever the user's mask lets; what replaces a file keeps that file's permissions.
    Shared,
    /// Only its owner: mode 0600, folders 0700.
    Private,
}

impl Folder {
    /// Opens a folder that is there. Links on the way to it are followed: whoever names a folder by a
    /// path of the system means where it leads.
    ///
    /// # Errors
    /// When it is not there, is not a folder, or may not be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(path, ambient_authority())?;
        Ok(Self { dir })
    }

    /// Opens a folder; it and those above it are made where they are missing.
    ///
    /// # Errors
    /// When it cannot be made or opened.
    pub fn create(path: &Path, access: Access) -> io::Result<Self> {
        match access {
            Access::Private => private::create_folder(path)?,
            Access::Shared => {
                crash::step();
                fs::create_dir_all(path)?;
            }
        }
        Self::open(path)
    }

    /// Opens a folder in this one.
    ///
    /// # Errors
    /// When it is not there, or is a link.
    pub fn folder(&self, name: &str) -> io::Result<Self> {
        let dir = self.dir.open_dir_nofollow(one_name(name)?)?;
        Ok(Self { dir })
    }

    /// Opens a folder in this one, made where it is missing.
    ///
    /// # Errors
    /// When it cannot be made, or is a link.
    pub fn folder_or_new(&self, name: &str) -> io::Result<Self> {
        match self.folder(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return opened,
        }
        crash::step();
        match self.dir.create_dir(name) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => self.folder(name),
        }
    }

    /// Whether something has this name, even a link that leads nowhere.
    pub fn has(&self, name: &str) -> bool {
        self.dir.symlink_metadata(name).is_ok()
    }

    /// Whether this is an ordinary file.
    pub fn is_file(&self, name: &str) -> bool {
        let about = self.dir.symlink_metadata(name);
        about.is_ok_and(|about| about.is_file())
    }

    /// Whether this is a link.
    pub fn is_link(&self, name: &str) -> bool {
        let about = self.dir.symlink_metadata(name);
        about.is_ok_and(|about| about.is_symlink())
    }

    /// Opens a file for reading and for writing at its end, made where it is missing.
    ///
    /// # Errors
    /// When it cannot be opened, or is a link.
    pub fn open_file(&self, name: &str, access: Access) -> io::Result<File> {
        let mut options = no_follow();
        options.read(true).append(true).create(true);
        restrict(&mut options, access);
        let file = self.dir.open_with(one_name(name)?, &options)?;
        Ok(file.into_std())
    }

    /// Removes a file, durably; false where there is none.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove_file(&self, name: &str) -> io::Result<bool> {
        crash::step();
        match self.dir.remove_file(one_name(name)?) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
            Ok(()) => self.sync().map(|()| true),
        }
    }

    /// Makes the names in this folder durable.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn sync(&self) -> io::Result<()> {
        crash::step();
        #[cfg(unix)]
        {
            // Some file systems cannot, and some folders may be written and not read.
            let Ok(folder) = self.dir.open(".") else {
                return Ok(());
            };
            folder.sync_all()?;
        }
        Ok(())
    }
}

/// Options that follow no link.
pub(crate) fn no_follow() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.follow(FollowSymlinks::No);
    options
}

pub(crate) fn restrict(options: &mut OpenOptions, access: Access) {
    #[cfg(unix)]
    if access == Access::Private {
        cap_std::fs::OpenOptionsExt::mode(options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = (options, access);
}

/// Refuses a path where a name is wanted.
pub(crate) fn one_name(name: &str) -> io::Result<&str> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(part)), None) if part == name => Ok(name),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{name:?} is not a name in a folder"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_paths() {
        for name in ["a", "..a", "-rf", "ä b"] {
            assert!(one_name(name).is_ok(), "{name:?}");
        }
        for path in ["", ".", "..", "a/b", "a/", "/a", "../a", "./a"] {
            assert!(one_name(path).is_err(), "{path:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn permissions() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::create(&root.path().join("a/b"), Access::Private).unwrap();
        let mode = |name: &str| {
            let about = fs::metadata(root.path().join(name)).unwrap();
            about.permissions().mode() & 0o777
        };
        assert_eq!((mode("a"), mode("a/b")), (0o700, 0o700));
        folder.replace("key", b"x", Access::Private).unwrap();
        folder.open_file("lock", Access::Private).unwrap();
        assert_eq!((mode("a/b/key"), mode("a/b/lock")), (0o600, 0o600));
        folder.replace("tool", b"x", Access::Shared).unwrap();
        fs::write(root.path().join("plain"), "").unwrap();
        assert_eq!(mode("a/b/tool"), mode("plain"));
        let runs = fs::Permissions::from_mode(0o750);
        fs::set_permissions(root.path().join("a/b/tool"), runs).unwrap();
        folder.replace("tool", b"y", Access::Shared).unwrap();
        assert_eq!(mode("a/b/tool"), 0o750);
    }

    #[test]
    fn a_folder_that_is_held_stays_itself() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir(at("folder")).unwrap();
        let folder = Folder::open(&at("folder")).unwrap();
        fs::rename(at("folder"), at("moved")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        folder.replace("file", b"x", Access::Shared).unwrap();
        assert!(at("moved/file").exists() && !at("folder/file").exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir(at("folder")).unwrap();
        fs::write(at("file"), "old").unwrap();
        std::os::unix::fs::symlink("folder", at("to-folder")).unwrap();
        std::os::unix::fs::symlink("file", at("to-file")).unwrap();
        std::os::unix::fs::symlink("nowhere", at("dangling")).unwrap();
        let folder = Folder::open(root.path()).unwrap();
        assert!(folder.folder("to-folder").is_err() && folder.folder_or_new("to-folder").is_err());
        for name in ["to-file", "dangling"] {
            assert!(folder.is_link(name) && folder.has(name) && !folder.is_file(name));
            assert!(folder.open_file(name, Access::Shared).is_err());
            assert!(!folder.create_file(name, b"new", Access::Shared).unwrap());
        }
        // What is replaced is the link, not what it leads to.
        folder.replace("to-file", b"new", Access::Shared).unwrap();
        assert_eq!(fs::read_to_string(at("file")).unwrap(), "old");
        assert!(!at("nowhere").exists());
    }
}
