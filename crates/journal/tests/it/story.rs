//! The story of every engine: SQLite in a file and in memory, and PostgreSQL.

use crate::fixture::{FileFixture, PostgresFixture};
use holdpoint_journal::{SqliteJournal, testing::Fixture};
use std::sync::Arc;

mod in_a_file {
    holdpoint_journal::story_tests!(super::open_file);
}

mod in_memory {
    holdpoint_journal::story_tests!(super::open_in_memory);
}

mod in_postgres {
    holdpoint_journal::story_tests!(super::open_in_postgres);
}

async fn open_file() -> FileFixture {
    FileFixture::new()
}

async fn open_in_memory() -> Fixture {
    Fixture {
        name: "SQLite in memory",
        journal: Arc::new(SqliteJournal::in_memory().unwrap()),
        other_process: None,
    }
}

async fn open_in_postgres() -> PostgresFixture {
    PostgresFixture::new().await
}
