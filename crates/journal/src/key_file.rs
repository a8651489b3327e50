//! Keys beside the journal: 32 random bytes, readable by their owner only.

use crate::{JournalError, rules::check_key_name};
use holdpoint_workspace::{Access, Folder, private};
use std::{fs, io, path::Path};

/// Reads the key of this name, made on first use. Of several processes that make it at once, one wins
/// and all get the same.
pub(crate) fn read_or_make(folder: &Path, name: &str) -> Result<[u8; 32], JournalError> {
    check_key_name(name)?;
    let path = folder.join(name);
    match read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        found => return found.map_err(|error| unusable(&path, error)),
    }
    make(folder, name)
        .and_then(|()| read(&path))
        .map_err(|error| unusable(&path, error))
}

/// Reads the key of this name, and makes none.
pub(crate) fn read_existing(folder: &Path, name: &str) -> Result<[u8; 32], JournalError> {
    check_key_name(name)?;
    let path = folder.join(name);
    read(&path).map_err(|error| unusable(&path, error))
}

/// The names of the keys that were made.
pub(crate) fn names(folder: &Path) -> Result<Vec<String>, JournalError> {
    let list = || {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        names.collect::<io::Result<Vec<String>>>()
    };
    let mut names = list().map_err(|error| unusable(folder, error))?;
    // What is being written has a hidden name, which is none here.
    names.retain(|name| check_key_name(name).is_ok());
    Ok(names)
}

/// Sets the key of this name.
pub(crate) fn replace(folder: &Path, name: &str, key: &[u8; 32]) -> Result<(), JournalError> {
    check_key_name(name)?;
    Folder::create(folder, Access::Private)
        .and_then(|folder| folder.replace(name, key, Access::Private))
        .map_err(|error| unusable(&folder.join(name), error))
}

fn read(path: &Path) -> io::Result<[u8; 32]> {
    let bytes = private::read(path)?;
    bytes.try_into().map_err(|_| {
        io::Error::other("it does not hold 32 bytes; move it away to have a new one made")
    })
}

/// Writes a new key, whole at once; where another process was faster, that one's key counts.
fn make(folder: &Path, name: &str) -> io::Result<()> {
    let folder = Folder::create(folder, Access::Private)?;
    folder
        .create_file(name, &random()?, Access::Private)
        .map(drop)
}

/// A new key, from the operating system.
pub(crate) fn random() -> io::Result<[u8; 32]> {
    let mut key = [0; 32];
    getrandom::fill(&mut key)?;
    Ok(key)
}

fn unusable(path: &Path, error: io::Error) -> JournalError {
    JournalError::read(format!("the key at {} cannot be used", path.display())).with_source(error)
}
