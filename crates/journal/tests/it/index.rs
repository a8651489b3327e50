//! The index beside the journal: derived, disposable, never believed over the record.

use crate::fixture::{FileFixture, ask_of, decided, yes};
use holdpoint_ask::{Ask, Outcome};
use holdpoint_journal::{Journal, Records, Search, SqliteJournal, Status, Write};
use jiff::tz::TimeZone;
use rusqlite::Connection;
use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

fn words(line: &str) -> Search {
    Search {
        words: Search::split(line),
        ..Search::default()
    }
}

async fn found(journal: &dyn Records, line: &str) -> usize {
    let found = journal.search(words(line)).await.unwrap().asks.len();
    let counted = journal
        .stats(words(line), TimeZone::UTC)
        .await
        .unwrap()
        .asks;
    assert_eq!(found as u64, counted);
    found
}

fn index_of(fixture: &FileFixture) -> PathBuf {
    format!("{}-index", fixture.path().display()).into()
}

#[tokio::test]
async fn it_can_be_removed_damaged_or_old() {
    let fixture = FileFixture::new();
    fixture.settled(yes()).await;
    assert!(!index_of(&fixture).exists(), "a commit does nothing for it");
    assert_eq!(found(&*fixture.journal, "deploy").await, 1);
    let mode = fs::metadata(index_of(&fixture))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);

    let sql = |sql: &str| {
        Connection::open(index_of(&fixture))
            .unwrap()
            .execute_batch(sql)
            .unwrap()
    };
    let wal = format!("{}-wal", index_of(&fixture).display());
    for spoil in [
        &(|| fs::remove_file(index_of(&fixture)).unwrap()) as &dyn Fn(),
        &|| {
            let _ = fs::remove_file(&wal);
            fs::write(
                index_of(&fixture),
                "no database, but long enough to be taken for one",
            )
            .unwrap();
        },
        &|| sql("PRAGMA user_version = 99"),
        &|| sql("DROP TABLE asks"),
        &|| sql("DROP TABLE texts"),
        &|| sql("DELETE FROM filled"),
        &|| sql("UPDATE filled SET hash = zeroblob(32)"),
        &|| sql("UPDATE filled SET seq = 1000"),
    ] {
        spoil();
        fixture.settled(Outcome::Cancelled).await;
        let all = fixture.journal.head().await.unwrap() as usize / 3;
        assert_eq!(found(&*fixture.journal, "deploy").await, all);
        assert_eq!(found(&*fixture.journal, "eplo 1.110").await, all);
        assert_eq!(found(&*fixture.journal, "").await, all);
    }
    fixture.check_sound().await;
}

#[tokio::test]
async fn what_it_says_is_looked_up() {
    let fixture = FileFixture::new();
    let no = fixture.settled(Outcome::Cancelled).await;
    assert_eq!(found(&*fixture.journal, "deploy").await, 1);
    // Somebody makes the index say that it was accepted, and puts other words into it.
    let raw = Connection::open(index_of(&fixture)).unwrap();
    raw.execute_batch(
        "UPDATE asks SET status = 1; INSERT INTO terms VALUES ('forged');
         INSERT INTO texts (rowid, terms) VALUES (2, 'forged');",
    )
    .unwrap();
    let accepted = Search {
        status: vec![Status::Accepted],
        ..Search::default()
    };
    assert_eq!(fixture.journal.search(accepted).await.unwrap().asks, []);
    assert_eq!(found(&*fixture.journal, "forged").await, 0);
    let all = fixture.journal.search(Search::default()).await.unwrap();
    assert_eq!(all.asks[0].id, no);
    assert_eq!(all.asks[0].decision, Some(decided(no, Outcome::Cancelled)));
}

#[tokio::test]
async fn a_record_that_was_put_back_is_searched_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let commit = async |message: &str| {
        let journal = SqliteJournal::open(&path).unwrap();
        let ask = ask_of(None, Ask::confirm(message));
        let settle = Write::Settle(decided(ask.id, yes()));
        journal
            .commit(vec![Write::OpenAsk(ask), settle])
            .await
            .unwrap();
    };
    commit("first").await;
    fs::copy(&path, folder.path().join("copy.db")).unwrap();
    commit("second").await;
    let journal = SqliteJournal::open(&path).unwrap();
    assert_eq!(found(&journal, "second").await, 1);
    drop(journal);
    fs::rename(folder.path().join("copy.db"), &path).unwrap();
    let journal = SqliteJournal::open(&path).unwrap();
    assert_eq!(found(&journal, "second").await, 0);
    assert_eq!(found(&journal, "first").await, 1);
    drop(journal);
    commit("third").await;
    let journal = SqliteJournal::open(&path).unwrap();
    assert_eq!(found(&journal, "third").await, 1);
    assert_eq!(found(&journal, "").await, 2);
}

#[tokio::test]
async fn without_a_place_for_it_the_record_is_searched_all_the_same() {
    let fixture = FileFixture::new();
    fixture.settled(yes()).await;
    fixture.opened().await;
    // A folder cannot be a file, whoever asks.
    fs::create_dir(index_of(&fixture)).unwrap();
    assert_eq!(found(&*fixture.journal, "deploy").await, 2);
    assert_eq!(found(&*fixture.journal, "elsewhere").await, 0);
}

#[tokio::test]
async fn many_fill_it_at_once() {
    let fixture = FileFixture::new();
    for _ in 0..20 {
        fixture.settled(yes()).await;
    }
    let searches = (0..16).map(|_| fixture.journal.search(words("deploy")));
    for found in futures::future::join_all(searches).await {
        assert_eq!(found.unwrap().asks.len(), 20);
    }
    let raw = Connection::open(index_of(&fixture)).unwrap();
    let rows: i64 = raw
        .query_row("SELECT count(*) FROM asks", [], |row| row.get(0))
        .unwrap();
    assert_eq!(rows, 20);
}
