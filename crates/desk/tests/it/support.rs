//! Desks for these tests, and what a client's answers say.

use holdpoint::{Clock, Desk, Settings, journal::JournalEngine};
use serde_json::Value;
use std::sync::Arc;

pub use holdpoint_testkit::{
    Client, Flows, PATIENCE, ParkedInbox, Replica, accept, eventually, eventually_blocking,
    form_capabilities as form, inbox_reply, memory_journal, open_ask, open_asks, sqlite_journal,
};

/// A desk over a journal in memory, on tokio's clock.
pub async fn desk(settings: Settings) -> Desk {
    desk_over(holdpoint::journal::open("memory:").await.unwrap(), settings).await
}

pub async fn desk_over(journal: Arc<dyn JournalEngine>, settings: Settings) -> Desk {
    Desk::builder(journal)
        .settings(settings)
        .clock(Clock::tokio())
        .build()
        .await
        .unwrap()
}

/// The journal of this folder, opened where a runtime is.
pub async fn sqlite_journal_here(folder: &tempfile::TempDir) -> Arc<dyn JournalEngine> {
    let path = folder.path().join("journal.db");
    let url = format!("sqlite:{}", path.display());
    holdpoint::journal::open(&url).await.unwrap()
}

/// Settings under which a test's quick answers count.
pub fn patient() -> Settings {
    Settings::default().fast_reply(std::time::Duration::ZERO)
}

/// The text of a tool's result.
pub fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text in {answer}"))
}

/// An `input_required` result: the keys in order, and the state.
pub fn round(answer: &Value) -> (Vec<String>, Value) {
    let result = &answer["result"];
    assert_eq!(result["resultType"], "input_required", "{answer}");
    let keys = result["inputRequests"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    (keys, result["requestState"].clone())
}
