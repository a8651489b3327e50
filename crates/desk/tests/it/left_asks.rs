//! Asks that are left with people: asked once under one key, whatever process asks, and read from the record.

use holdpoint::{
    Ask, AskError, Desk, Origin, Withdrawal,
    journal::{self, JournalEngine, prune},
};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;

fn origin(principal: &str) -> Origin {
    Origin {
        principal: principal.into(),
        ..Origin::default()
    }
}

async fn desk(journal: Arc<dyn JournalEngine>) -> Desk {
    let desk = Desk::builder(journal).shared_inbox();
    desk.build().await.unwrap()
}

/// A desk over this file, as of a process of its own.
async fn over(folder: &tempfile::TempDir) -> Desk {
    let path = folder.path().join("journal.db");
    let journal = journal::open(&format!("sqlite:{}", path.display())).await;
    desk(journal.unwrap()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_processes_one_asks_under_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let desks = [over(&folder).await, over(&folder).await];
    for key in 0..40 {
        let key = format!("deploy-{key}");
        let asked = desks.iter().map(|desk| {
            let (desk, key) = (desk.clone(), key.clone());
            tokio::spawn(async move {
                let left = desk.ask_and_leave(origin("ci"), Some(&key), Ask::confirm("Go?"));
                let left = left.await.unwrap();
                (left.record.id, left.is_new)
            })
        });
        let asked = futures::future::try_join_all(asked).await.unwrap();
        assert_eq!(asked[0].0, asked[1].0, "{key}");
        assert_ne!(asked[0].1, asked[1].1, "one of them is new: {key}");
    }
    let journal = desks[0].journal();
    assert_eq!(journal.open_asks().await.unwrap(), 40);
    assert!(journal.verify().await.unwrap().flaws.is_empty());
    // Whoever asked in vain counts for nobody's limit.
    for desk in &desks {
        let other = Ask::confirm("Something else?");
        let used = desk.ask_and_leave(origin("ci"), Some("deploy-1"), other);
        assert!(matches!(used.await, Err(AskError::KeyUsed)));
        let other = Ask::confirm("Something else?");
        let theirs = desk.ask_and_leave(origin("ann"), Some("deploy-1"), other);
        theirs.await.unwrap();
    }
    assert_eq!(journal.open_asks().await.unwrap(), 41);
}

#[tokio::test]
async fn a_key_whose_ask_was_pruned_asks_again() {
    let folder = tempfile::tempdir().unwrap();
    let desk = over(&folder).await;
    let ask = async || {
        let left = desk.ask_and_leave(origin("ci"), Some("deploy"), Ask::confirm("Go?"));
        left.await.unwrap()
    };
    let first = ask().await;
    desk.take_back(first.record.id, Withdrawal::CallCancelled)
        .await
        .unwrap();
    let journal = desk.journal().as_ref();
    // Its call ends on record.
    let (call, mut commits) = (first.record.call.unwrap(), journal.commits());
    let ended = async || journal.call(call).await.unwrap().unwrap().call.result;
    while ended().await.is_none() {
        commits.changed().await.unwrap();
    }
    let (now, later) = (Timestamp::now(), SignedDuration::from_hours(48));
    let before = now + later - SignedDuration::from_hours(25);
    let found = prune::prunable(journal, before, now + later).await.unwrap();
    prune::prune(journal, found, before, "ann", &mut |_| {})
        .await
        .unwrap();
    assert!(journal.ask(first.record.id).await.unwrap().is_none());

    let again = ask().await;
    assert!(again.is_new && again.record.id != first.record.id);
    assert_eq!(ask().await.record.id, again.record.id);
    let verified = journal.verify().await.unwrap();
    assert!(verified.flaws.is_empty(), "{:?}", verified.flaws);
    let copy = journal::open("memory:").await.unwrap();
    journal::copy(journal, copy.as_ref(), |_| {}).await.unwrap();
    assert!(copy.verify().await.unwrap().flaws.is_empty());
    assert!(copy.ask(again.record.id).await.unwrap().is_some());
}

/// What cannot be asked is told, and leaves nothing.
#[tokio::test]
async fn what_cannot_be_asked_takes_no_key() {
    let desk = desk(journal::open("memory:").await.unwrap()).await;
    let empty = Ask::confirm(" ");
    let refused = desk.ask_and_leave(origin("ci"), Some("deploy"), empty);
    assert!(matches!(refused.await, Err(AskError::Flawed(_))));
    assert_eq!(desk.journal().head().await.unwrap(), 0);
    let left = desk.ask_and_leave(origin("ci"), Some("deploy"), Ask::confirm("Go?"));
    assert!(left.await.unwrap().is_new);
}
