//! Locks of the operating system: they go with the process, however it ends.

use crate::{Access, Folder};
use std::{
    fs::{File, TryLockError},
    io,
};

/// A file that this process has locked; the lock ends when this is dropped.
#[derive(Debug)]
pub struct FileLock {
    _file: File,
}

impl FileLock {
    /// Locks the file of this name, which is made where it is missing; none where another process
    /// has it. A link is not followed.
    ///
    /// # Errors
    /// When it cannot be opened or locked.
    pub fn try_take(folder: &Folder, name: &str, access: Access) -> io::Result<Option<Self>> {
        let file = folder.open_file(name, access)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path()).unwrap();
        let take = || FileLock::try_take(&folder, "lock", Access::Private).unwrap();
        let first = take();
        assert!(first.is_some() && take().is_none());
        drop(first);
        assert!(take().is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_locked() {
        let root = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("elsewhere", root.path().join("lock")).unwrap();
        let folder = Folder::open(root.path()).unwrap();
        assert!(FileLock::try_take(&folder, "lock", Access::Shared).is_err());
        assert!(!root.path().join("elsewhere").exists());
    }
}
