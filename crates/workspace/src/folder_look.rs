//! What a folder held at one moment, to see whether somebody has changed it since.

use crate::{
    Folder,
    folder::one_name,
    folder_change::{DEEP, MOST, too_much},
};
use cap_std::{fs::Dir, time::SystemTime};
use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

/// What a folder held when it was looked at, by path: no texts, only what tells a file that was
/// written or replaced since.
#[derive(Debug, PartialEq)]
pub struct FolderLook(BTreeMap<PathBuf, Mark>);

#[derive(Debug, PartialEq)]
struct Mark {
    is_dir: bool,
    /// Which file it is, where the system says so.
    identity: Option<u64>,
    /// How long it is, and when it was written; not of a folder.
    written: Option<(u64, SystemTime)>,
}

impl Folder {
    /// Looks at a folder in this one. No link is followed.
    ///
    /// # Errors
    /// When it cannot be read, or holds too much.
    pub fn look(&self, name: &str) -> io::Result<FolderLook> {
        FolderLook::new(&self.folder(one_name(name)?)?.dir)
    }
}

impl FolderLook {
    pub(crate) fn new(dir: &Dir) -> io::Result<Self> {
        let mut found = BTreeMap::new();
        add(&mut found, dir, Path::new(""), DEEP)?;
        Ok(Self(found))
    }

    /// Whether the two are the same, but for what was written into the very files that `shared` names.
    pub(crate) fn is_same(&self, other: &Self, shared: impl Fn(&Path) -> bool) -> bool {
        let same = |((path, one), (its, other)): ((&PathBuf, &Mark), (&PathBuf, &Mark))| {
            let shared = one.identity.is_some() && shared(path);
            path == its
                && (one.is_dir, one.identity) == (other.is_dir, other.identity)
                && (shared || one.written == other.written)
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(same)
    }
}

fn add(found: &mut BTreeMap<PathBuf, Mark>, dir: &Dir, at: &Path, deep: usize) -> io::Result<()> {
    for entry in dir.entries()? {
        let entry = entry?;
        let (about, path) = (entry.metadata()?, at.join(entry.file_name()));
        let is_dir = about.is_dir();
        #[cfg(unix)]
        let identity = Some(cap_std::fs::MetadataExt::ino(&about));
        #[cfg(not(unix))]
        let identity = None;
        let written = (!is_dir).then(|| Ok::<_, io::Error>((about.len(), about.modified()?)));
        let mark = Mark {
            is_dir,
            identity,
            written: written.transpose()?,
        };
        if is_dir {
            let deep = deep.checked_sub(1).ok_or_else(too_much)?;
            add(found, &entry.open_dir()?, &path, deep)?;
        }
        found.insert(path, mark);
        if found.len() > MOST {
            return Err(too_much());
        }
    }
    Ok(())
}
