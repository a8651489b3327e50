//! Which processes are alive: each holds a locked file. The system drops the lock with the process,
//! however it ends, so that others know at once.

use crate::private;
use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// This process's locked file; it is removed when dropped.
#[derive(Debug)]
pub struct ProcessLock {
    path: PathBuf,
    _locked: File,
}

impl ProcessLock {
    /// Locks a file of this name for this process, and clears away those of dead ones.
    ///
    /// # Errors
    /// When the folder cannot be read, or the file not be made and locked.
    pub fn take(folder: &Path, name: &str) -> io::Result<Self> {
        remove_dead(folder)?;
        let (draft, path) = (
            folder.join(format!("{name}.new")),
            folder.join(format!("{name}.lock")),
        );
        loop {
            // Locked before it has its name: one without a lock is always a dead process's.
            let file = private::open(&draft)?;
            file.lock()?;
            match fs::rename(&draft, &path) {
                // Somebody cleared the draft away before it was locked.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                renamed => {
                    return renamed.map(|()| Self {
                        path,
                        _locked: file,
                    });
                }
            }
        }
    }

    /// Whether the process of this name is alive.
    ///
    /// # Errors
    /// When its file cannot be looked at.
    pub fn is_held(folder: &Path, name: &str) -> io::Result<bool> {
        is_locked(&folder.join(format!("{name}.lock")))
    }

    /// Whether any process of this folder is alive; none is where there is no such folder.
    ///
    /// # Errors
    /// When the folder or a file in it cannot be looked at.
    pub fn is_any_held(folder: &Path) -> io::Result<bool> {
        Self::is_other_held(folder, "")
    }

    /// Whether any process of this folder but the one of this name is alive.
    ///
    /// # Errors
    /// When the folder or a file in it cannot be looked at.
    pub fn is_other_held(folder: &Path, name: &str) -> io::Result<bool> {
        let own = folder.join(format!("{name}.lock"));
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            let is_lock = path.extension().is_some_and(|end| end == "lock");
            if is_lock && path != own && is_locked(&path)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Drop for ProcessLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn is_locked(path: &Path) -> io::Result<bool> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        opened => opened?,
    };
    // Shared, so that two that look at once do not take each other for the owner.
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn remove_dead(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_lock = path
            .extension()
            .is_some_and(|extension| extension == "lock" || extension == "new");
        if is_lock && !is_locked(&path)? {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alive_while_it_is_held() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("dead.lock"), "").unwrap();
        fs::write(folder.path().join("other"), "").unwrap();
        let is_held = |name| ProcessLock::is_held(folder.path(), name).unwrap();
        let lock = ProcessLock::take(folder.path(), "me").unwrap();
        assert!(is_held("me") && !is_held("dead") && !is_held("nobody"));
        let there = |name: &str| folder.path().join(name).exists();
        assert!(!there("dead.lock") && there("other"));
        drop(lock);
        assert!(!is_held("me") && !there("me.lock"));
    }

    #[test]
    fn any_that_is_held() {
        let folder = tempfile::tempdir().unwrap();
        let is_any = |name: &str| ProcessLock::is_any_held(&folder.path().join(name)).unwrap();
        assert!(!is_any("never made") && !is_any("."));
        fs::write(folder.path().join("dead.lock"), "").unwrap();
        fs::write(folder.path().join("other"), "").unwrap();
        assert!(!is_any("."), "nobody has locked it");
        let lock = ProcessLock::take(folder.path(), "me").unwrap();
        assert!(is_any("."));
        let is_other = |name| ProcessLock::is_other_held(folder.path(), name).unwrap();
        assert!(is_other("you") && !is_other("me"));
        drop(lock);
        assert!(!is_any("."));
    }
}
