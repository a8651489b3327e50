//! Signs of life: each process that has the journal open holds a locked file. The system drops the
//! lock with the process, however it ends, so that others know at once.

use crate::private;
use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};
use uuid::Uuid;

/// This process's sign; it goes down when dropped.
#[derive(Debug)]
pub(super) struct Sign {
    path: PathBuf,
    _locked: File,
}

/// Puts up the sign of a process, and clears away those of dead ones.
pub(super) fn raise(folder: &Path, owner: Uuid) -> io::Result<Sign> {
    sweep(folder)?;
    let (draft, path) = (folder.join(format!("{owner}.new")), sign_of(folder, owner));
    loop {
        // Locked before it has its name: a sign without a lock is always a dead one's.
        let file = private::open(&draft)?;
        file.lock()?;
        match fs::rename(&draft, &path) {
            // Somebody swept the draft away before it was locked.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            renamed => {
                return renamed.map(|()| Sign {
                    path,
                    _locked: file,
                });
            }
        }
    }
}

/// Whether a process's sign stands.
pub(super) fn stands(folder: &Path, owner: Uuid) -> io::Result<bool> {
    is_held(&sign_of(folder, owner))
}

fn sign_of(folder: &Path, owner: Uuid) -> PathBuf {
    folder.join(format!("{owner}.lock"))
}

fn is_held(path: &Path) -> io::Result<bool> {
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

fn sweep(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_sign = path
            .extension()
            .is_some_and(|end| end == "lock" || end == "new");
        if is_sign && !is_held(&path)? {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

impl Drop for Sign {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
