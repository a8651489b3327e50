//! Keys beside the journal: 32 random bytes, readable by their owner only.

use crate::{JournalError, rules::check_key_name};
use holdpoint_workspace::{Access, Folder, private};
use std::{io, path::Path};

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
