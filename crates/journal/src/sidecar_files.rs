//! Private values beside the journal: files that only their owner may read.
//!
//! `pin` is `PATH-kept/pin`. Tokens and the files that people give have folders of their own, as they always had:
//! `tokens/phone` is `PATH-tokens/phone`. Any other `a/b` is `PATH-kept/a/b`.

use crate::{JournalError, rules::check_name};
use holdpoint_workspace::{Access, Folder, private};
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

/// What lies in a folder of its own beside the journal.
const APART: [&str; 2] = ["tokens", "files"];

/// The private values of the journal in one file.
#[derive(Debug, Clone)]
pub(crate) struct SidecarFiles {
    journal: PathBuf,
}

impl SidecarFiles {
    /// Those of the journal in this file.
    pub fn new(journal: &Path) -> Self {
        let journal = journal.to_owned();
        Self { journal }
    }

    /// Where the value of this name is.
    pub fn path(&self, name: &str) -> Result<PathBuf, JournalError> {
        check_name(name)?;
        let mut parts = name.split('/');
        let first = parts.next().unwrap_or_default();
        let mut path = match parts.clone().next() {
            Some(_) if APART.contains(&first) => beside(&self.journal, first),
            _ => beside(&self.journal, "kept").join(first),
        };
        path.extend(parts);
        Ok(path)
    }

    /// Reads the value of this name.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, JournalError> {
        let path = self.path(name)?;
        match private::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(JournalError::read(unusable(&path)).with_source(error)),
        }
    }

    /// Writes the value of this name, or removes it; a reader sees the old one or the new one.
    pub fn write(&self, name: &str, value: Option<&[u8]>) -> Result<(), JournalError> {
        self.in_folder(name, |folder, name| match (value, Folder::open(folder)) {
            (Some(value), _) => {
                let folder = Folder::create(folder, Access::Private)?;
                folder.replace(name, value, Access::Private)
            }
            (None, Err(error)) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            (None, opened) => opened?.remove_file(name).map(drop),
        })
    }

    /// Writes the value of this name where there is none; says whether there was none.
    pub fn create(&self, name: &str, value: &[u8]) -> Result<bool, JournalError> {
        self.in_folder(name, |folder, name| {
            Folder::create(folder, Access::Private)?.create_file(name, value, Access::Private)
        })
    }

    /// The names of the values right below this one, in order.
    pub fn names(&self, below: &str) -> Result<Vec<String>, JournalError> {
        // The place of anything below it is in its folder.
        let inside = self.path(&format!("{below}/x"))?;
        let folder = inside.parent().unwrap_or(&inside);
        let (names, _) = list(folder, &format!("{below}/"))?;
        Ok(names)
    }

    /// The names of all values, in order.
    pub fn all_names(&self) -> Result<Vec<String>, JournalError> {
        let (mut names, within) = list(&beside(&self.journal, "kept"), "")?;
        let mut folders: Vec<String> = within;
        folders.extend(APART.map(str::to_owned));
        while let Some(folder) = folders.pop() {
            let inside = self.path(&format!("{folder}/x"))?;
            let place = inside.parent().unwrap_or(&inside);
            let (found, within) = list(place, &format!("{folder}/"))?;
            names.extend(found);
            folders.extend(within);
        }
        names.sort_unstable();
        Ok(names)
    }

    fn in_folder<T>(
        &self,
        name: &str,
        act: impl FnOnce(&Path, &str) -> io::Result<T>,
    ) -> Result<T, JournalError> {
        let path = self.path(name)?;
        let folder = path.parent().unwrap_or(&path);
        let last = name.rsplit('/').next().unwrap_or(name);
        act(folder, last).map_err(|error| JournalError::write(unusable(&path)).with_source(error))
    }
}

/// The values in a folder, and the folders in it, by their names behind this prefix and in order.
fn list(folder: &Path, prefix: &str) -> Result<(Vec<String>, Vec<String>), JournalError> {
    let unreadable = |error| JournalError::read(unusable(folder)).with_source(error);
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((files, folders)),
        entries => entries.map_err(unreadable)?,
    };
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(unreadable)?;
        // What is being written has a hidden name, which is none here.
        if check_name(&name).is_err() {
            continue;
        }
        if kind.is_file() {
            files.push(name);
        } else if kind.is_dir() {
            folders.push(name);
        }
    }
    files.sort_unstable();
    Ok((files, folders))
}

/// The path of a folder or file of this name beside the journal.
pub(crate) fn beside(journal: &Path, name: &str) -> PathBuf {
    let mut beside = OsString::from(journal);
    beside.push("-");
    beside.push(name);
    beside.into()
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
