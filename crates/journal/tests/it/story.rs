//! The story, told on SQLite in a file and in memory.

use crate::stage::FileStage;
use holdpoint_journal::{SqliteJournal, testing::Stage};
use std::sync::Arc;

mod in_a_file {
    holdpoint_journal::story_tests!(super::open_file);
}

mod in_memory {
    holdpoint_journal::story_tests!(super::open_in_memory);
}

async fn open_file() -> FileStage {
    FileStage::new()
}

async fn open_in_memory() -> Stage {
    Stage {
        name: "SQLite in memory",
        journal: Arc::new(SqliteJournal::in_memory().unwrap()),
        neighbour: None,
    }
}
