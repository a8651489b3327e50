//! Keys beside the journal: 32 random bytes, readable by their owner only.

use crate::{JournalError, private_files};
use std::{fs, io, path::Path};
use uuid::Uuid;

/// The key of this name, made on first use. Of several processes that make it at once, one wins
/// and all get the same.
pub(crate) fn read_or_make(folder: &Path, name: &str) -> Result<[u8; 32], JournalError> {
    check_name(name)?;
    let path = folder.join(name);
    match read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        found => return found.map_err(|error| fault(&path, &error)),
    }
    make(folder, &path).map_err(|error| fault(&path, &error))?;
    read(&path).map_err(|error| fault(&path, &error))
}

/// Refuses what is no name of a key.
pub(crate) fn check_name(name: &str) -> Result<(), JournalError> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
    if name.is_empty() || !name.bytes().all(fits) {
        return Err(JournalError::Read(format!(
            "`{name}` is no name of a key: use small letters and hyphens"
        )));
    }
    Ok(())
}

fn read(path: &Path) -> io::Result<[u8; 32]> {
    private_files::check(path)?;
    let bytes = fs::read(path)?;
    bytes.try_into().map_err(|_| {
        io::Error::other("it does not hold 32 bytes; move it away to have a new one made")
    })
}

/// Writes the key under a name of its own first, so that no one ever reads half of it; the link
/// fails where another process was faster, and then that one's key counts.
fn make(folder: &Path, path: &Path) -> io::Result<()> {
    private_files::create_folder(folder)?;
    let draft = folder.join(format!(".{}", Uuid::now_v7()));
    let linked = private_files::write_new(&draft, &rand::random::<[u8; 32]>())
        .and_then(|()| fs::hard_link(&draft, path));
    let removed = fs::remove_file(&draft);
    match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
        Ok(()) => private_files::sync_folder(folder)?,
    }
    removed
}

fn fault(path: &Path, error: &io::Error) -> JournalError {
    JournalError::Read(format!("the key at {}: {error}", path.display()))
}
