//! The mark beside the journal, and what it tells of a journal that lost its end.

use crate::fixture::ask_of;
use holdpoint_ask::Ask;
use holdpoint_journal::{EventKind, Journal, Records, SqliteJournal, Verified, Write};
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A journal in a folder of its own, opened and closed again by each of these.
struct Kept {
    folder: tempfile::TempDir,
}

impl Kept {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("journal.db")
    }

    fn mark(&self) -> String {
        fs::read_to_string(beside(&self.path(), "-mark")).unwrap()
    }

    async fn commit(&self, write: Write) {
        let journal = SqliteJournal::open(self.path()).unwrap();
        journal.commit(vec![write]).await.unwrap();
    }

    async fn add(&self, asks: usize) {
        for _ in 0..asks {
            self.commit(Write::OpenAsk(ask_of(None, Ask::confirm("Go?"))))
                .await;
        }
    }

    async fn verify(&self) -> Verified {
        let looked = SqliteJournal::open_read_only(self.path()).unwrap();
        let found = looked.verify().await.unwrap();
        let served = SqliteJournal::open(self.path()).unwrap();
        assert_eq!(served.verify().await.unwrap(), found);
        found
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    format!("{}{end}", path.display()).into()
}

fn accept() -> Write {
    Write::Note {
        call: None,
        ask: None,
        kind: EventKind::LossAccepted,
        body: json!({ "by": "ada" }),
        at: jiff::Timestamp::now(),
    }
}

#[tokio::test]
async fn a_lost_log_is_found_by_the_high_water_mark() {
    let kept = Kept::new();
    kept.add(2).await;
    let lost = tempfile::tempdir().unwrap();
    let copy = lost.path().join("journal.db");
    {
        let journal = SqliteJournal::open(kept.path()).unwrap();
        let open = Write::OpenAsk(ask_of(None, Ask::confirm("Delete?")));
        journal.commit(vec![open]).await.unwrap();
        // What a machine leaves that lost the log.
        fs::copy(kept.path(), &copy).unwrap();
    }
    fs::copy(beside(&kept.path(), "-mark"), beside(&copy, "-mark")).unwrap();
    let found = SqliteJournal::open_read_only(&copy)
        .unwrap()
        .verify()
        .await
        .unwrap();
    assert_eq!((found.events, found.flaws.len()), (2, 0), "whole in itself");
    assert_eq!(found.lost.unwrap().seq, 3);
    assert_eq!(kept.verify().await.lost, None);
}

#[tokio::test]
async fn an_older_copy_that_was_restored_is_found_until_a_person_accepts_it() {
    let kept = Kept::new();
    kept.add(3).await;
    let backup = fs::read(kept.path()).unwrap();
    kept.add(3).await;
    let mark = kept.mark();
    assert!(mark.starts_with("6 "), "{mark}");
    fs::write(kept.path(), backup).unwrap();
    assert_eq!(kept.verify().await.lost.unwrap().seq, 6);
    // It is served, and does not talk itself out of it, not even beyond the lost event.
    kept.add(5).await;
    let found = kept.verify().await;
    assert_eq!((found.events, found.flaws.len()), (8, 0));
    assert_eq!(found.lost.unwrap().seq, 6);
    assert_eq!(kept.mark(), mark);
    kept.commit(accept()).await;
    assert_eq!(kept.verify().await.lost, None);
    assert!(kept.mark().starts_with("9 "));
}

#[tokio::test]
async fn a_stale_or_missing_mark_is_fine() {
    let kept = Kept::new();
    kept.add(2).await;
    let stale = kept.mark();
    kept.add(2).await;
    for text in [stale.as_str(), "", "4", "x y", "99999999999999999999 00"] {
        fs::write(beside(&kept.path(), "-mark"), text).unwrap();
        assert_eq!(kept.verify().await.lost, None, "{text:?}");
    }
    fs::remove_file(beside(&kept.path(), "-mark")).unwrap();
    assert_eq!(kept.verify().await.lost, None);
    kept.add(1).await;
    assert!(kept.mark().starts_with("5 "));
}

#[tokio::test]
async fn the_mark_of_a_slower_process_is_not_put_over_a_further_one() {
    let kept = Kept::new();
    let slow = SqliteJournal::open(kept.path()).unwrap();
    let open = Write::OpenAsk(ask_of(None, Ask::confirm("Go?")));
    slow.commit(vec![open]).await.unwrap();
    kept.add(4).await;
    drop(slow);
    assert!(kept.mark().starts_with("5 "), "{}", kept.mark());
}
