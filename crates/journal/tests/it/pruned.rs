//! Bodies that were removed from a file: nothing of them is left in it, and what only seems removed is found.

use crate::fixture::{FileFixture, ask_of, at, decided, yes};
use holdpoint_ask::{Ask, AskId};
use holdpoint_journal::{
    JournalEngine, Records as _, Search, SqliteJournal, Upkeep as _, Write, prune, prune::prunable,
};
use serde_json::Value;
use std::{fs, path::Path, sync::Arc};

const MARKER: &str = "Ship the zebra-crossing release?";

async fn fill(journal: &dyn JournalEngine, message: &str) -> AskId {
    let call = crate::fixture::call(journal.owner());
    let id = call.id;
    let ask = ask_of(id, Ask::confirm(message));
    let ask_id = ask.id;
    let ends = Write::FinishCall {
        call: id,
        epoch: 1,
        result: Arc::new(Value::Null),
        at: at(9),
    };
    let batch = vec![
        Write::OpenCall(call),
        Write::OpenAsk(ask),
        Write::Settle(decided(ask_id, yes())),
        ends,
    ];
    journal.commit(batch).await.unwrap();
    ask_id
}

async fn prune_all(journal: &dyn JournalEngine) -> u64 {
    let before = at(86_400);
    let found = prunable(journal, before, at(10 * 86_400)).await.unwrap();
    prune(journal, found, before, "ada", |_| {}).await.unwrap()
}

/// Whether any file of the journal has this text in it.
fn is_somewhere(path: &Path, text: &str) -> bool {
    let files = fs::read_dir(path.parent().unwrap()).unwrap();
    let mut files = files.map(|file| file.unwrap().path());
    files.any(|file| {
        let bytes = fs::read(&file).unwrap_or_default();
        bytes
            .windows(text.len())
            .any(|window| window.eq_ignore_ascii_case(text.as_bytes()))
    })
}

#[tokio::test]
async fn nothing_of_what_was_pruned_is_left_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = SqliteJournal::open(&path).unwrap();
    for _ in 0..50 {
        fill(&journal, MARKER).await;
    }
    let found = journal.search(Search::default()).await.unwrap();
    assert_eq!(found.asks.len(), 50);
    assert!(is_somewhere(&path, "zebra"));
    let before = journal.condition().await.unwrap();
    assert_eq!(before.indexed, Some(200));
    assert_eq!(prune_all(&journal).await, 200);
    assert!(journal.free_space().await.unwrap());
    assert!(!is_somewhere(&path, "zebra"));
    let after = journal.condition().await.unwrap();
    assert!(after.bytes < before.bytes, "{before:?} {after:?}");
    assert_eq!((after.lowest, after.indexed), (6, None));
    let found = journal.search(Search::default()).await.unwrap();
    assert_eq!(found.asks, []);
    assert!(!is_somewhere(&path, "zebra"));
    let verified = journal.verify().await.unwrap();
    assert_eq!((verified.flaws, verified.pruned), (vec![], 200));
}

#[tokio::test]
async fn another_process_sees_that_it_is_gone() {
    let fixture = FileFixture::new();
    let other = fixture.other_process.as_ref().unwrap();
    let ask = fill(&**other, MARKER).await;
    assert!(other.ask(ask).await.unwrap().is_some());
    assert_eq!(prune_all(&*fixture.journal).await, 4);
    assert!(fixture.journal.is_open_elsewhere().await.unwrap());
    // The file keeps its size while somebody else has it open, and nothing of it can be read all the same.
    assert!(!fixture.journal.free_space().await.unwrap());
    assert!(!is_somewhere(&fixture.path(), "zebra"));
    assert_eq!(other.ask(ask).await.unwrap(), None);
    let late = Write::Settle(decided(ask, yes()));
    other.commit(vec![late]).await.unwrap();
    fixture.check_sound().await;
    fill(&**other, "Go on?").await;
    fixture.check_sound().await;
}

#[tokio::test]
async fn what_only_seems_pruned_is_found() {
    let fixture = FileFixture::new();
    fill(&*fixture.journal, "First?").await;
    assert_eq!(prune_all(&*fixture.journal).await, 4);
    fill(&*fixture.journal, "Second?").await;
    assert_eq!(prune_all(&*fixture.journal).await, 4);
    fixture.opened().await;
    fixture.check_sound().await;
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.db");
    let into = [whole.to_string_lossy()];
    fixture.raw().execute("VACUUM INTO ?", into).unwrap();
    let edits = [
        // A body that is there is made to look like one that went, of either time.
        "UPDATE events SET body = 'pruned by 5' WHERE seq = 12",
        "UPDATE events SET body = 'pruned by 10' WHERE seq = 11",
        "UPDATE events SET body = 'pruned by 99' WHERE seq = 12",
        "UPDATE events SET body = 'pruned by 12' WHERE seq = 12",
        "UPDATE events SET body = '' WHERE seq = 12",
        // One that went is said to have gone another time, or is put back as something else.
        "UPDATE events SET body = 'pruned by 10' WHERE seq = 1",
        "UPDATE events SET body = '{}' WHERE seq = 3",
        "UPDATE events SET hash = zeroblob(32) WHERE seq = 2",
        "UPDATE events SET hash = (SELECT hash FROM events WHERE seq = 1) WHERE seq = 4",
        "DELETE FROM events WHERE seq = 3",
        // The event that tells is changed, or gone itself.
        "UPDATE events SET body = replace(body, '\"events\":4', '\"events\":3') WHERE seq = 5",
        "UPDATE events SET body = 'pruned by 10' WHERE seq = 5",
        "UPDATE events SET kind = 'shown' WHERE seq = 5",
        "DELETE FROM events WHERE seq = 5",
        // A row speaks of what is gone.
        "INSERT INTO asks (id, principal, secret, opened, refusals)
         SELECT ask, 'ada', 0, 2, 0 FROM events WHERE seq = 2",
        "INSERT INTO calls (id, opened, owner, epoch) SELECT call, 1, zeroblob(16), 1 FROM events WHERE seq = 1",
    ];
    for edit in edits {
        let path = folder.path().join("edited.db");
        fs::copy(&whole, &path).unwrap();
        let verify = async || {
            let journal = SqliteJournal::open_read_only(&path).unwrap();
            journal.verify().await.unwrap().flaws
        };
        assert_eq!(verify().await, []);
        let raw = rusqlite::Connection::open(&path).unwrap();
        raw.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        assert_eq!(raw.execute(edit, []).unwrap(), 1, "{edit}");
        raw.close().unwrap();
        assert!(!verify().await.is_empty(), "not found: {edit}");
    }
}
