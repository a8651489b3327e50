//! Whether the files that SQLite has open are still those at their paths.
//!
//! A file that was deleted or replaced can still be written to by whoever has it open, and nobody would
//! ever read it. An open file keeps its inode, so another file at the path always has another one.

use super::file::{beside, io_error};
use crate::JournalError;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The journal, its log and the log's index: without any of them, others see another record.
const ENDS: [&str; 2] = ["wal", "shm"];

/// Which file it is, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId {
    #[cfg(unix)]
    device: u64,
    #[cfg(unix)]
    inode: u64,
}

impl FileId {
    /// The file at this path.
    pub fn at(path: &Path) -> io::Result<Self> {
        let about = fs::metadata(path)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            Ok(Self {
                device: about.dev(),
                inode: about.ino(),
            })
        }
        // There a file that is open can be neither deleted nor replaced.
        #[cfg(not(unix))]
        {
            let _ = about;
            Ok(Self {})
        }
    }
}

/// The files of a journal that are open in this process.
#[derive(Debug)]
pub(super) struct OpenFiles {
    files: Vec<(PathBuf, FileId)>,
}

impl OpenFiles {
    /// Remembers the files of a journal whose connections were opened just now. The journal itself
    /// was seen before that, so that what was opened is what was seen. `named` is the path as it was
    /// given: where a link in it is turned to another file, others open that one.
    pub fn new(path: &Path, named: &Path, seen: FileId) -> Result<Self, JournalError> {
        let named = std::path::absolute(named).map_err(|error| io_error(path, error))?;
        let mut files = vec![(path.to_owned(), seen)];
        if named != path {
            files.push((named, seen));
        }
        for end in ENDS {
            let file = beside(path, end);
            let id = FileId::at(&file).map_err(|error| io_error(path, error))?;
            files.push((file, id));
        }
        let files = Self { files };
        files.check()?;
        Ok(files)
    }

    /// Makes sure that whoever opens the journal now finds what is written here.
    pub fn check(&self) -> Result<(), JournalError> {
        for (path, id) in &self.files {
            let refuse = |what| {
                JournalError::write(format!(
                    "{} {what} while it was in use, so nothing is recorded and nothing can be \
                     approved: put it back, or end this process and start it again",
                    path.display()
                ))
            };
            match FileId::at(path) {
                Ok(found) if found == *id => {}
                Ok(_) => return Err(refuse("was replaced by another file")),
                Err(error) => return Err(refuse("was taken away").with_source(error)),
            }
        }
        Ok(())
    }
}
