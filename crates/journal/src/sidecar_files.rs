//! Private values beside the journal: small files that only their owner may read.

use crate::{JournalError, rules::check_name};
use holdpoint_workspace::{Access, Folder, private};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Reads the value of this name.
pub(crate) fn read(folder: &Path, name: &str) -> Result<Option<Vec<u8>>, JournalError> {
    check_name(name)?;
    let path = folder.join(name);
    match private::read(&path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(JournalError::read(unusable(&path)).with_source(error)),
    }
}

/// Writes the value of this name, or removes it; a reader sees the old one or the new one.
pub(crate) fn write(folder: &Path, name: &str, value: Option<&[u8]>) -> Result<(), JournalError> {
    check_name(name)?;
    let write = || match (value, Folder::open(folder)) {
        (Some(value), _) => {
            let folder = Folder::create(folder, Access::Private)?;
            folder.replace(name, value, Access::Private)
        }
        (None, Err(error)) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        (None, opened) => opened?.remove_file(name).map(drop),
    };
    write().map_err(|error| JournalError::write(unusable(&folder.join(name))).with_source(error))
}

/// Makes a folder beside the journal, if it is missing.
pub(crate) fn folder(path: PathBuf) -> Result<PathBuf, JournalError> {
    private::create_folder(&path)
        .map_err(|error| JournalError::write(unusable(&path)).with_source(error))?;
    Ok(path)
}

fn unusable(path: &Path) -> String {
    format!("{} cannot be used", path.display())
}
