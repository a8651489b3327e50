//! Journals to test: the stages of the story, and a file that a test can reach into.

use holdpoint_journal::{SqliteJournal, testing::Stage};
use std::{ops::Deref, path::PathBuf, sync::Arc};
use tempfile::TempDir;

pub use holdpoint_journal::testing::{ask_of, at, call, decided, grant, yes};

/// A journal in a file, with a second process that has it open.
pub struct FileStage {
    stage: Stage,
    folder: TempDir,
}

impl FileStage {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/journal.db");
        let open = || Arc::new(SqliteJournal::open(&path).unwrap());
        Self {
            stage: Stage {
                name: "SQLite in a file",
                journal: open(),
                neighbour: Some(open()),
            },
            folder,
        }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("state/journal.db")
    }

    /// A raw connection to it, for reading and for tampering.
    pub fn raw(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.path()).unwrap()
    }
}

impl Deref for FileStage {
    type Target = Stage;

    fn deref(&self) -> &Stage {
        &self.stage
    }
}

/// An error with its causes, in one line.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}
