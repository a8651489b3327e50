//! The instruction file itself: read, replaced, created and removed, never through a link that leads outside.

use super::{first_draft, folder::Folder};
use holdpoint::Digest;
use holdpoint_workspace::{
    Access, Held, InsidePath, Links, MOST_READ, PathError, ReadError, describe,
};
use std::io;

impl Folder {
    /// The instruction file's text; none where there is no file.
    pub fn source(&self) -> Result<Option<String>, String> {
        let not_text = |_| PathError::Read {
            path: self.file.to_owned(),
            source: ReadError::NotText,
        };
        let text = self.bytes()?.map(String::from_utf8).transpose();
        text.map_err(|error| not_text(error).to_string())
    }

    /// The digest of the instruction file; none where there is none.
    pub fn digest(&self) -> Result<Option<Digest>, String> {
        let bytes = self.bytes()?;
        Ok(bytes.map(|bytes| Digest::hash_bytes(&bytes)))
    }

    /// The instruction file, whatever is in it; none where there is none. What cannot be read is not
    /// taken for a file that is gone: it may be a person's.
    pub fn bytes(&self) -> Result<Option<Vec<u8>>, String> {
        match self.workspace.read(self.file, MOST_READ) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) => match self.is_absent() {
                Ok(true) => Ok(None),
                _ => Err(error.to_string()),
            },
        }
    }

    /// Replaces the instruction file.
    pub fn replace(&self, bytes: &[u8]) -> Result<(), String> {
        // A link stays a link: what it leads to is replaced.
        let path = self
            .workspace
            .file(self.file)
            .or_else(|_| self.workspace.path(self.file));
        let held = self.hold(path, true)?;
        let written = held.folder.replace(&held.name, bytes, Access::Shared);
        written.map_err(|error| self.cannot_be("written", &error))
    }

    /// Creates the instruction file, with its folder; false where something is there already.
    pub fn create_file(&self, bytes: &[u8]) -> Result<bool, String> {
        let held = self.hold(self.workspace.path(self.file), true)?;
        let created = held.folder.create_file(&held.name, bytes, Access::Shared);
        created.map_err(|error| self.cannot_be("created", &error))
    }

    /// Removes the instruction file. A link is not: what it leads to is not ours.
    pub fn remove_file(&self) -> Result<(), String> {
        let held = self.hold(self.workspace.path(self.file), false)?;
        if !held.folder.is_file(&held.name) {
            let why = "it is not an ordinary file, and stays";
            return Err(format!("{} cannot be removed: {why}", self.file));
        }
        let removed = held.folder.remove_file(&held.name);
        removed.map_err(|error| self.cannot_be("removed", &error))?;
        Ok(())
    }

    /// What the names of the repository's files show. None of them is opened.
    pub fn seen(&self) -> Vec<String> {
        let there = |name: &&str| *name != self.file && self.workspace.file(name).is_ok();
        let seen = first_draft::signs().filter(there);
        seen.map(str::to_owned).collect()
    }

    /// Whether nothing at all is in its place: no link either, wherever that leads.
    fn is_absent(&self) -> Result<bool, PathError> {
        let path = self.workspace.path(self.file)?;
        match self.workspace.hold(&path, Links::StayInside, false) {
            Ok(held) => Ok(!held.folder.has(&held.name)),
            Err(PathError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }

    fn hold(&self, path: Result<InsidePath, PathError>, create: bool) -> Result<Held, String> {
        let held = path.and_then(|path| self.workspace.hold(&path, Links::StayInside, create));
        held.map_err(|error| error.to_string())
    }

    fn cannot_be(&self, done: &str, error: &io::Error) -> String {
        format!("{} cannot be {done}: {}", self.file, describe(error))
    }
}
