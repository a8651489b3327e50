//! Writing to the workspace: a file is there whole, or it is not there.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// The steps in which files come into being. The real one is [`Files`]; a test puts another in its
/// place, and ends the process at each of them.
#[doc(hidden)]
pub trait Disk: Send + Sync + std::fmt::Debug + 'static {
    /// Makes a folder, and those above it.
    fn make_folder(&self, folder: &Path) -> io::Result<()>;
    /// Makes a file that was not there, with this in it, durably.
    fn create(&self, file: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Gives a file the permissions of another.
    fn like(&self, file: &Path, other: &Path) -> io::Result<()>;
    /// Puts a file in the place of another, at once.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file a second name, which was not taken.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Takes a file away.
    fn remove(&self, file: &Path) -> io::Result<()>;
    /// Makes the names in a folder durable.
    fn sync(&self, folder: &Path) -> io::Result<()>;
}

/// The file system.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Files;

impl Disk for Files {
    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)
    }

    fn create(&self, file: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(file)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn like(&self, file: &Path, other: &Path) -> io::Result<()> {
        match fs::metadata(other) {
            Ok(other) => fs::set_permissions(file, other.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove(&self, file: &Path) -> io::Result<()> {
        fs::remove_file(file)
    }

    fn sync(&self, folder: &Path) -> io::Result<()> {
        match fs::File::open(folder) {
            Ok(folder) => folder.sync_all(),
            // Not every system opens folders.
            Err(_) => Ok(()),
        }
    }
}

/// Replaces a file whole, or makes it.
pub(super) fn replace(disk: &dyn Disk, file: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    disk.make_folder(folder)?;
    let beside = beside(file);
    let written = disk
        .create(&beside, bytes)
        .and_then(|()| disk.like(&beside, file))
        .and_then(|()| disk.rename(&beside, file));
    if written.is_err() {
        let _ = disk.remove(&beside);
    }
    written.and_then(|()| disk.sync(folder))
}

/// Makes a file under the first of these names that is free. One that is there already and holds
/// exactly this is taken for it: the same thing was written before.
pub(super) fn place(
    disk: &dyn Disk,
    folder: &Path,
    names: impl Iterator<Item = String>,
    bytes: &[u8],
) -> io::Result<String> {
    disk.make_folder(folder)?;
    let mut beside_it: Option<PathBuf> = None;
    let mut placed = Err(io::Error::other("every name is taken"));
    for name in names {
        let file = folder.join(&name);
        if is_this(&file, bytes) {
            placed = Ok(name);
            break;
        }
        if fs::symlink_metadata(&file).is_ok() {
            continue;
        }
        // Under a name of its own first: nobody ever sees half of it.
        let from = match &beside_it {
            Some(from) => from.clone(),
            None => {
                let from = beside(&file);
                disk.create(&from, bytes)?;
                beside_it = Some(from.clone());
                from
            }
        };
        match disk.link(&from, &file) {
            Ok(()) => {
                placed = Ok(name);
                break;
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                placed = Err(error);
                break;
            }
        }
    }
    if let Some(from) = beside_it {
        disk.remove(&from)?;
        disk.sync(folder)?;
    }
    placed
}

fn is_this(file: &Path, bytes: &[u8]) -> bool {
    let plain = fs::symlink_metadata(file).is_ok_and(|about| about.is_file());
    plain && fs::read(file).is_ok_and(|there| there == bytes)
}

/// A name beside a file that nobody else has.
fn beside(file: &Path) -> PathBuf {
    let unique = holdpoint::CallId::new();
    file.with_file_name(format!(".holdpoint-{unique}.tmp"))
}
