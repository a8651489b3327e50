//! Journals to test: the fixtures of the story, and a file and a database that a test can reach into.

use holdpoint_journal::{PostgresJournal, SqliteJournal, testing::Fixture};
use std::{ops::Deref, path::PathBuf, sync::Arc};
use tempfile::TempDir;
use test_postgres::{Database, Server};

pub use holdpoint_journal::testing::{answer, ask_of, at, call, decided, grant, yes};

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

/// A journal in a database of its own, with a second server that has it open.
pub struct PostgresFixture {
    fixture: Fixture,
    pub database: Database,
}

impl PostgresFixture {
    pub async fn new() -> Self {
        let database = Server::shared().database().await;
        let journal = PostgresJournal::open(&database.url()).await.unwrap();
        let other = PostgresJournal::open(&database.url()).await.unwrap();
        Self {
            fixture: Fixture {
                name: "PostgreSQL",
                journal: Arc::new(journal),
                other_process: Some(Arc::new(other)),
            },
            database,
        }
    }
}

impl Deref for PostgresFixture {
    type Target = Fixture;

    fn deref(&self) -> &Fixture {
        &self.fixture
    }
}
