//! Journals to test: the fixtures of the story, and a file that a test can reach into.

use holdpoint_journal::{SqliteJournal, testing::Fixture};
use std::{ops::Deref, path::PathBuf, sync::Arc};
use tempfile::TempDir;

pub use holdpoint_journal::testing::{ask_of, at, call, decided, grant, yes};

/// A journal in a file, with a second process that has it open.
pub struct FileFixture {
    fixture: Fixture,
    folder: TempDir,
}

impl FileFixture {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/journal.db");
        let open = || Arc::new(SqliteJournal::open(&path).unwrap());
        Self {
            fixture: Fixture {
                name: "SQLite in a file",
                journal: open(),
                other_process: Some(open()),
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

impl Deref for FileFixture {
    type Target = Fixture;

    fn deref(&self) -> &Fixture {
        &self.fixture
    }
}
