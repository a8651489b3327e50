//! Which processes are alive: each process that has the journal open holds a locked file. The
//! system drops the lock with the process, however it ends, so that others know at once.

use crate::private_files;
use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};
use uuid::Uuid;

/// The lock of this process; dropping it removes the file.
#[derive(Debug)]
pub(super) struct ProcessLock {
    path: PathBuf,
    _locked: File,
}

/// Takes the lock of a process, and removes the files of dead ones.
pub(super) fn acquire(folder: &Path, owner: Uuid) -> io::Result<ProcessLock> {
    remove_dead(folder)?;
    let (draft, path) = (folder.join(format!("{owner}.new")), path_of(folder, owner));
    loop {
        // Locked before it has its name: a file without a lock always belongs to a dead process.
        let file = private_files::open(&draft)?;
        file.lock()?;
        match fs::rename(&draft, &path) {
            // Another process removed the draft before it was locked.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            renamed => {
                return renamed.map(|()| ProcessLock {
                    path,
                    _locked: file,
                });
            }
        }
    }
}

/// Whether a process holds its lock.
pub(super) fn is_alive(folder: &Path, owner: Uuid) -> io::Result<bool> {
    is_locked(&path_of(folder, owner))
}

fn path_of(folder: &Path, owner: Uuid) -> PathBuf {
    folder.join(format!("{owner}.lock"))
}

fn is_locked(path: &Path) -> io::Result<bool> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        opened => opened?,
    };
    // Shared, so that two processes that check at once do not take each other for the owner.
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
            .is_some_and(|end| end == "lock" || end == "new");
        if is_lock && !is_locked(&path)? {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

impl Drop for ProcessLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
