//! Small things kept beside the journal, readable by their owner only.

use crate::{JournalError, key_file, private_files};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use uuid::Uuid;

/// What is kept under this name.
pub(crate) fn read(folder: &Path, name: &str) -> Result<Option<Vec<u8>>, JournalError> {
    key_file::check_name(name)?;
    let path = folder.join(name);
    match private_files::check(&path).and_then(|()| fs::read(&path)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(JournalError::Read(fault(&path, &error))),
    }
}

/// Keeps this under this name, or removes what was kept there; a reader sees the old or the new.
pub(crate) fn write(folder: &Path, name: &str, what: Option<&[u8]>) -> Result<(), JournalError> {
    key_file::check_name(name)?;
    let path = folder.join(name);
    let written = match what {
        Some(what) => replace(folder, &path, what),
        None => remove(folder, &path),
    };
    written.map_err(|error| JournalError::Write(fault(&path, &error)))
}

/// A folder beside the journal, made where it is missing.
pub(crate) fn folder(path: PathBuf) -> Result<PathBuf, JournalError> {
    private_files::create_folder(&path)
        .map_err(|error| JournalError::Write(fault(&path, &error)))?;
    Ok(path)
}

fn replace(folder: &Path, path: &Path, what: &[u8]) -> io::Result<()> {
    private_files::create_folder(folder)?;
    let draft = folder.join(format!(".{}", Uuid::now_v7()));
    let replaced = private_files::write_new(&draft, what).and_then(|()| fs::rename(&draft, path));
    if replaced.is_err() {
        let _ = fs::remove_file(&draft);
    }
    replaced.and_then(|()| private_files::sync_folder(folder))
}

fn remove(folder: &Path, path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(()) => private_files::sync_folder(folder),
    }
}

fn fault(path: &Path, error: &io::Error) -> String {
    format!("what is kept at {}: {error}", path.display())
}
