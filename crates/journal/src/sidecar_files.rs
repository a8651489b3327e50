//! Small things kept beside the journal, readable by their owner only.

use crate::{JournalError, key_file};
use holdpoint_workspace::{Access, Folder, private};
use std::{
    io,
    path::{Path, PathBuf},
};

/// What is kept under this name.
pub(crate) fn read(folder: &Path, name: &str) -> Result<Option<Vec<u8>>, JournalError> {
    key_file::check_name(name)?;
    let path = folder.join(name);
    match private::read(&path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(JournalError::Read(fault(&path, &error))),
    }
}

/// Keeps this under this name, or removes what was kept there; a reader sees the old or the new.
pub(crate) fn write(folder: &Path, name: &str, what: Option<&[u8]>) -> Result<(), JournalError> {
    key_file::check_name(name)?;
    let write = || match (what, Folder::open(folder)) {
        (Some(what), _) => {
            let folder = Folder::create(folder, Access::Private)?;
            folder.replace(name, what, Access::Private)
        }
        (None, Err(error)) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        (None, opened) => opened?.remove_file(name).map(drop),
    };
    write().map_err(|error| JournalError::Write(fault(&folder.join(name), &error)))
}

/// A folder beside the journal, made where it is missing.
pub(crate) fn folder(path: PathBuf) -> Result<PathBuf, JournalError> {
    private::create_folder(&path).map_err(|error| JournalError::Write(fault(&path, &error)))?;
    Ok(path)
}

fn fault(path: &Path, error: &io::Error) -> String {
    format!("what is kept at {}: {error}", path.display())
}
