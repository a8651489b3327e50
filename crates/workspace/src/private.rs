//! Files and folders that only their owner may read.

use crate::crash;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read},
    path::Path,
};

/// Makes a folder, and those above it that are missing, with mode 0700. One that exists stays as it
/// is.
///
/// # Errors
/// When it cannot be made.
pub fn create_folder(path: &Path) -> io::Result<()> {
    crash::step();
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Opens a file for reading and writing, made with mode 0600 where it is missing.
///
/// # Errors
/// When it cannot be opened or made.
pub fn open(path: &Path) -> io::Result<File> {
    options().create(true).truncate(false).open(path)
}

/// Makes a file with mode 0600 that was not there, durably. It is not there whole at once: what must
/// be is written with [`crate::Folder::create_file`].
///
/// # Errors
/// When there is one already, or it cannot be written.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    crash::step();
    let mut file = options().create_new(true).open(path)?;
    crash::write(&mut file, bytes)?;
    file.sync_all()
}

/// Replaces a file with mode 0600, whole at once and without waiting for the disk: after a power cut
/// it may hold what it held before, or nothing. The draft is a name of this process's own in the same
/// file system.
///
/// # Errors
/// When it cannot be written.
pub fn replace_without_sync(path: &Path, draft: &Path, bytes: &[u8]) -> io::Result<()> {
    crash::step();
    let mut file = options().create(true).truncate(true).open(draft)?;
    crash::write(&mut file, bytes)?;
    drop(file);
    crash::step();
    fs::rename(draft, path)
}

/// Reads a file, unless others may read or change it.
///
/// # Errors
/// When it cannot be read, or is not private.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    #[cfg(unix)]
    {
        let permissions = file.metadata()?.permissions();
        let mode = std::os::unix::fs::PermissionsExt::mode(&permissions) & 0o777;
        if mode & 0o077 != 0 {
            return Err(io::Error::other(format!(
                "other users may read it (mode {mode:o}); if nobody did, run `chmod 600` on it, otherwise remove it and a new one is made"
            )));
        }
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
