//! Files that only their owner may read.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::Path,
};

/// Makes a folder, and those above it that are missing, with mode 0700. One that exists stays as
/// it is.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Opens a file for writing with mode 0600, made where it is missing.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    options().create(true).truncate(false).open(path)
}

/// Makes a file with mode 0600 that was not there, durably.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = options().create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(path)?.sync_all()?;
    Ok(())
}

/// Refuses a file that others may read or change.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    let meta = fs::metadata(path)?;
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o777;
        if mode & 0o077 != 0 {
            return Err(io::Error::other(format!(
                "others may read it (mode {mode:o}); if nobody did, run `chmod 600` on it, else remove it to have a new one made"
            )));
        }
    }
    let _ = meta;
    Ok(())
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
