//! A journal that is only looked at: whatever it is a copy of, it is read and left as it was.

use crate::fixture::{FileFixture, yes};
use holdpoint_ask::{Ask, Digest};
use holdpoint_journal::{Journal, NewCall, Search, SqliteJournal, Write, open_read_only, testing};
use rusqlite::Connection;
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Every name in a folder, with what it holds and when it was changed. What SQLite's locks are in
/// changes while somebody reads.
fn listing(folder: &Path) -> BTreeMap<PathBuf, Option<(Digest, SystemTime)>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let of_locks = path.to_string_lossy().ends_with("-shm");
        let held = (!of_locks && path.is_file()).then(|| {
            let changed = fs::metadata(&path).unwrap().modified().unwrap();
            (Digest::hash_bytes(&fs::read(&path).unwrap()), changed)
        });
        files.insert(path, held);
    }
    files
}

/// Everything that people look up, in a folder that cannot be written.
async fn look(path: &Path, events: u64) {
    let folder = path.parent().unwrap();
    let mode = |mode| {
        for file in listing(folder).keys().filter(|file| file.is_file()) {
            fs::set_permissions(file, fs::Permissions::from_mode(mode & 0o666)).unwrap();
        }
        fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(0o555);
    let before = listing(folder);
    let journal = open_read_only(&format!("sqlite:{}", path.display()))
        .await
        .unwrap();
    let found = journal.verify().await.unwrap();
    assert_eq!((found.events, found.flaws), (events, vec![]));
    assert_eq!(journal.events(0, 100).await.unwrap().len() as u64, events);
    assert_eq!(journal.head().await.unwrap(), events);
    let search = Search {
        words: Search::split("deploy"),
        ..Search::default()
    };
    let asks = journal.search(search).await.unwrap().asks;
    assert_eq!(asks.len(), 1);
    assert!(journal.history(asks[0].id).await.unwrap().is_some());
    assert!(
        journal
            .commit(vec![Write::DropParcel { ask: asks[0].id }])
            .await
            .is_err()
    );
    assert!(journal.key("seal").await.is_err(), "no key is made");
    drop(journal);
    assert_eq!(listing(folder), before, "nothing was touched");
    mode(0o755);
}

/// A copy of these of a journal's files, while it is in use.
fn copy(fixture: &FileFixture, to: &Path, ends: &[&str]) -> PathBuf {
    for end in ends {
        let from = format!("{}{end}", fixture.path().display());
        fs::copy(from, to.join(format!("copy.db{end}"))).unwrap();
    }
    to.join("copy.db")
}

#[tokio::test]
async fn a_read_only_copy_is_read_and_left_as_it_was() {
    let fixture = FileFixture::new();
    fixture.settled(yes()).await;
    let events = fixture.journal.head().await.unwrap();
    // All of it is in the log so far.
    for ends in [&["", "-wal"][..], &["", "-wal", "-shm"]] {
        let folder = tempfile::tempdir().unwrap();
        look(&copy(&fixture, folder.path(), ends), events).await;
    }
    let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
    fixture.raw().query_row(checkpoint, [], |_| Ok(())).unwrap();
    for ends in [&[""][..], &["", "-wal"], &["", "-wal", "-shm"]] {
        let folder = tempfile::tempdir().unwrap();
        look(&copy(&fixture, folder.path(), ends), events).await;
    }
}

#[tokio::test]
async fn an_older_journal_is_not_migrated_by_being_looked_at() {
    let fixture = FileFixture::new();
    // An older program named no server.
    let mut call = NewCall::clone(&testing::call(fixture.journal.owner()));
    call.origin.server = None;
    let ask = testing::ask_of(call.id, Ask::confirm("Deploy?"));
    let settled = Write::Settle(testing::decided(ask.id, yes()));
    let batch = vec![Write::OpenCall(call.into()), Write::OpenAsk(ask), settled];
    fixture.journal.commit(batch).await.unwrap();
    let events = fixture.journal.head().await.unwrap();
    let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
    fixture.raw().query_row(checkpoint, [], |_| Ok(())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = copy(&fixture, folder.path(), &[""]);
    // As the first version had it.
    let older = Connection::open(&path).unwrap();
    older
        .execute_batch(
            "DROP INDEX open_asks; DROP INDEX guard_events; DROP TABLE parcels;
             DROP TABLE schema_version; DROP INDEX pruned_events;
             DROP INDEX unfinished_calls; ALTER TABLE calls DROP COLUMN binding;
             ALTER TABLE asks DROP COLUMN dangerous; ALTER TABLE asks DROP COLUMN gone;
             CREATE INDEX open_asks ON asks (id) WHERE decided IS NULL;
             PRAGMA user_version = 1;",
        )
        .unwrap();
    older.close().unwrap();
    look(&path, events).await;
    let version = |path: &Path| -> u32 {
        let conn = Connection::open(path).unwrap();
        conn.query_row("PRAGMA user_version", [], |row| row.get(0))
            .unwrap()
    };
    assert_eq!(version(&path), 1);
    drop(SqliteJournal::open(&path).unwrap());
    assert_eq!(version(&path), 5, "serving does migrate it");
}

#[tokio::test]
async fn a_journal_in_use_is_looked_at_as_it_goes_on() {
    let fixture = FileFixture::new();
    let looked = SqliteJournal::open_read_only(fixture.path()).unwrap();
    for asks in 1..4 {
        fixture.opened().await;
        assert_eq!(
            looked.head().await.unwrap(),
            fixture.journal.head().await.unwrap()
        );
        assert_eq!(looked.open_asks().await.unwrap(), asks);
    }
}

#[tokio::test]
async fn what_is_not_there_is_said_and_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let error = SqliteJournal::open_read_only(&path)
        .unwrap_err()
        .to_string();
    assert!(error.contains("there is no such file"), "{error}");
    fs::write(&path, "").unwrap();
    let error = SqliteJournal::open_read_only(&path)
        .unwrap_err()
        .to_string();
    assert!(error.contains("it is empty"), "{error}");
    assert_eq!(listing(folder.path()).len(), 1);
}
