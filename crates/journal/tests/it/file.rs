//! The file: how it is made, checked and refused.

use crate::fixture::{FileFixture, ask_of, decided, yes};
use holdpoint_ask::Ask;
use holdpoint_ask::describe::error_chain;
use holdpoint_journal::{Journal, JournalError, Records, SqliteJournal, Vault, Write, open};
use rusqlite::Connection;
use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt, path::Path};

#[tokio::test]
async fn an_address_names_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/in/it/journal.db");
    let journal = open(&format!("sqlite:{}", path.display())).await.unwrap();
    assert_eq!(journal.head().await.unwrap(), 0);
    assert_eq!(open("memory:").await.unwrap().head().await.unwrap(), 0);
    for (url, what) in [
        (
            "postgres://127.0.0.1:1/holdpoint",
            "no server listens there",
        ),
        ("sqlite:", "the path is missing"),
        ("sqlite:/", "it is a folder"),
        ("/var/lib/journal.db", "write `sqlite:PATH`"),
        ("", "write `sqlite:PATH`"),
    ] {
        let error = open(url).await.unwrap_err().to_string();
        assert!(error.contains(what), "{url}: {error}");
    }
}

#[tokio::test]
async fn only_the_owner_may_read_it() {
    let fixture = FileFixture::new();
    fixture.opened().await;
    fixture.journal.key("seal").await.unwrap();
    let mode = |path: &str| {
        let path = format!("{}{path}", fixture.path().display());
        fs::metadata(&path).unwrap().permissions().mode() & 0o777
    };
    for file in ["", "-wal", "-shm", "-keys/seal"] {
        assert_eq!(mode(file), 0o600, "{file}");
    }
    for folder in ["-keys", "-owners", "-owners/.."] {
        assert_eq!(mode(folder), 0o700, "{folder}");
    }
}

/// A program that does not know the index may use the file: no version says that it is there.
#[tokio::test]
async fn a_file_without_the_index_of_names_gets_it() {
    let fixture = FileFixture::new();
    fixture.opened().await;
    let raw = fixture.raw();
    let version = || -> u32 {
        raw.query_row("PRAGMA user_version", [], |row| row.get(0))
            .unwrap()
    };
    let indexes = || -> u32 {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'steps_by_name'";
        raw.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!((version(), indexes()), (5, 1));
    raw.execute_batch("DROP INDEX steps_by_name").unwrap();
    let again = SqliteJournal::open(fixture.path()).unwrap();
    assert_eq!((version(), indexes()), (5, 1));
    assert!(again.verify().await.unwrap().flaws.is_empty());
}

#[tokio::test]
async fn it_outlives_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal ünder 100%?#.db");
    let ask = ask_of(None, Ask::confirm("Go?"));
    let journal = SqliteJournal::open(&path).unwrap();
    let key = journal.key("seal").await.unwrap();
    let settle = Write::Settle(decided(ask.id, yes()));
    // The batch has queued: it is made even if nobody waits for it.
    drop(journal.commit(vec![Write::OpenAsk(ask.clone()), settle]));
    drop(journal);

    let journal = SqliteJournal::open(&path).unwrap();
    let record = journal.ask(ask.id).await.unwrap().unwrap();
    assert_eq!(record.decision, Some(decided(ask.id, yes())));
    assert_eq!(journal.key("seal").await.unwrap(), key);
    assert_eq!(journal.verify().await.unwrap().events, 2);
    drop(journal);
    // Nothing of a process is left when it has closed the journal.
    let left = listing(folder.path());
    let left: Vec<_> = left.keys().map(String::as_str).collect();
    let name = "journal ünder 100%?#.db";
    let expected = [
        name.to_owned(),
        format!("{name}-keys/seal"),
        format!("{name}-mark"),
        format!("{name}-owners/opening"),
    ];
    assert_eq!(left, expected);
}

#[tokio::test]
async fn links_lead_to_one_journal() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("real");
    fs::create_dir(&real).unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let one = SqliteJournal::open(link.join("journal.db")).unwrap();
    let other = SqliteJournal::open(real.join("journal.db")).unwrap();
    assert_eq!(
        one.key("seal").await.unwrap(),
        other.key("seal").await.unwrap()
    );
    // Each sees that the other lives.
    let call = crate::fixture::call(one.owner());
    one.commit(vec![Write::OpenCall(call.clone())])
        .await
        .unwrap();
    let take = Write::TakeOver {
        call: call.id,
        epoch: 1,
        owner: other.owner(),
        at: jiff::Timestamp::now(),
    };
    let held = holdpoint_journal::Written::TakeOver(holdpoint_journal::TakeOver::Held);
    assert_eq!(other.commit(vec![take]).await.unwrap(), [held]);
}

#[test]
fn a_newer_journal_is_refused_and_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    drop(SqliteJournal::open(&path).unwrap());
    Connection::open(&path)
        .unwrap()
        .execute_batch("PRAGMA user_version = 99")
        .unwrap();
    let error = check_refused(&path);
    let JournalError::Newer { found, known, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!((*found, *known), (99, 6));
    assert!(
        error.to_string().contains("use the newer Holdpoint"),
        "{error}"
    );
}

#[test]
fn a_newer_journal_that_is_in_use_is_refused_and_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let newer = Connection::open(&path).unwrap();
    newer
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA application_id = 0x484c4450;
             CREATE TABLE t (x); PRAGMA user_version = 99;",
        )
        .unwrap();
    // The version is in the log, not yet in the file.
    assert!(fs::metadata(path.with_extension("db-wal")).unwrap().len() > 0);
    // What a crash of the newer one would leave behind.
    let crashed = folder.path().join("crashed.db");
    for end in ["db", "db-wal"] {
        fs::copy(path.with_extension(end), crashed.with_extension(end)).unwrap();
    }
    for path in [path, crashed] {
        let read = |end| fs::read(path.with_extension(end)).unwrap();
        let before = (read("db"), read("db-wal"));
        let error = SqliteJournal::open(&path).unwrap_err();
        let newer = matches!(error, JournalError::Newer { found: 99, .. });
        assert!(newer, "{error:?}");
        assert_eq!((read("db"), read("db-wal")), before);
    }
    drop(newer);
}

#[test]
fn what_is_no_journal_is_refused_and_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "dear diary").unwrap();
    let long = folder.path().join("long.txt");
    fs::write(&long, "dear diary\n".repeat(1000)).unwrap();
    for path in [text, long] {
        let error = check_refused(&path).to_string();
        assert!(error.contains("not a SQLite file"), "{error}");
    }
    for (name, sql) in [
        ("plain.db", "CREATE TABLE t (x)"),
        ("wal.db", "PRAGMA journal_mode = WAL; CREATE TABLE t (x)"),
        ("named.db", "PRAGMA application_id = 7; CREATE TABLE t (x)"),
    ] {
        let path = folder.path().join(name);
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let error = check_refused(&path).to_string();
        assert!(error.contains("another application"), "{error}");
    }
}

#[tokio::test]
async fn an_empty_file_is_a_fresh_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    fs::write(&path, "").unwrap();
    let journal = SqliteJournal::open(&path).unwrap();
    assert_eq!(journal.head().await.unwrap(), 0);
    let ask = ask_of(None, Ask::confirm("Go?"));
    let id = ask.id;
    journal.commit(vec![Write::OpenAsk(ask)]).await.unwrap();
    assert!(journal.ask(id).await.unwrap().is_some());
    assert_eq!(journal.verify().await.unwrap().flaws, []);
}

#[tokio::test]
async fn a_key_that_others_may_read_is_refused() {
    let fixture = FileFixture::new();
    fixture.journal.key("seal").await.unwrap();
    let path = format!("{}-keys/seal", fixture.path().display());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let error = error_chain(&fixture.journal.key("seal").await.unwrap_err());
    assert!(error.contains("chmod 600"), "{error}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&path, "short").unwrap();
    let error = error_chain(&fixture.journal.key("seal").await.unwrap_err());
    assert!(error.contains("32 bytes"), "{error}");
}

/// Opening fails, and leaves everything in the folder as it was.
fn check_refused(path: &Path) -> JournalError {
    let folder = path.parent().unwrap();
    let before = listing(folder);
    let error = SqliteJournal::open(path).unwrap_err();
    assert_eq!(listing(folder), before, "{error}");
    error
}

/// Every file below a folder, with what it holds.
fn listing(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let inner = listing(&path).into_iter();
            files.extend(inner.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            files.insert(name, fs::read(&path).unwrap());
        }
    }
    files
}
