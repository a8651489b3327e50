//! A journal that is taken away, or replaced, under a process that has it open.

use crate::fixture::{ask_of, decided, yes};
use holdpoint_ask::Ask;
use holdpoint_journal::{Journal, JournalError, SqliteJournal, Write};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

fn beside(path: &Path, end: &str) -> PathBuf {
    format!("{}{end}", path.display()).into()
}

/// Moves the file and what SQLite has beside it.
fn move_all(from: &Path, to: &Path) {
    for end in ["", "-wal", "-shm"] {
        let _ = fs::rename(beside(from, end), beside(to, end));
    }
}

/// A journal with an open ask, and what somebody does to its files; then nothing is settled.
async fn check(what: &str, spoil: impl Fn(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state/journal.db");
    let journal = SqliteJournal::open(&path).unwrap();
    let ask = ask_of(None, Ask::confirm("Delete?"));
    let id = ask.id;
    journal.commit(vec![Write::OpenAsk(ask)]).await.unwrap();
    spoil(&path);
    let settled = journal
        .commit(vec![Write::Settle(decided(id, yes()))])
        .await;
    let Err(error @ JournalError::Write { .. }) = settled else {
        panic!("{what}: {settled:?}")
    };
    let error = error.to_string();
    assert!(error.contains("journal.db"), "{what}: {error}");
    assert!(error.contains("nothing can be approved"), "{what}: {error}");
    // What a later open ask would be written to is not there either.
    let opened = journal
        .commit(vec![Write::OpenAsk(ask_of(None, Ask::confirm("Go?")))])
        .await;
    assert!(opened.is_err(), "{what}");
}

#[tokio::test]
async fn a_journal_that_was_deleted_under_a_running_server_approves_nothing() {
    check("deleted", |path| fs::remove_file(path).unwrap()).await;
    check("all of it deleted", |path| {
        for end in ["", "-wal", "-shm"] {
            fs::remove_file(beside(path, end)).unwrap();
        }
    })
    .await;
    check("its folder deleted", |path| {
        // The mark beside the journal may be written anew meanwhile.
        let removed = (0..1_000).any(|_| fs::remove_dir_all(path.parent().unwrap()).is_ok());
        assert!(removed);
    })
    .await;
    check("its folder moved", |path| {
        let folder = path.parent().unwrap();
        fs::rename(folder, folder.with_extension("away")).unwrap();
    })
    .await;
    check("another journal in its place", |path| {
        move_all(path, &path.with_extension("away"));
        drop(SqliteJournal::open(path).unwrap());
    })
    .await;
    check("a copy in its place", |path| {
        let copy = path.with_extension("copy");
        fs::copy(path, &copy).unwrap();
        fs::rename(copy, path).unwrap();
    })
    .await;
    check("a folder of the same name in place of its own", |path| {
        let folder = path.parent().unwrap();
        let away = folder.with_extension("away");
        fs::rename(folder, &away).unwrap();
        fs::create_dir(folder).unwrap();
        fs::hard_link(away.join("journal.db"), path).unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_log_that_was_deleted_under_a_running_server_approves_nothing() {
    check("the log", |path| {
        fs::remove_file(beside(path, "-wal")).unwrap()
    })
    .await;
    check("the log's index", |path| {
        fs::remove_file(beside(path, "-shm")).unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_journal_that_is_put_back_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (path, away) = (folder.path().join("a.db"), folder.path().join("b.db"));
    let journal = Arc::new(SqliteJournal::open(&path).unwrap());
    let open = || vec![Write::OpenAsk(ask_of(None, Ask::confirm("Go?")))];
    journal.commit(open()).await.unwrap();
    move_all(&path, &away);
    assert!(journal.commit(open()).await.is_err());
    move_all(&away, &path);
    journal.commit(open()).await.unwrap();
    assert_eq!(
        journal.head().await.unwrap(),
        2,
        "the failed one left nothing"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_journal_whose_link_was_turned_to_another_approves_nothing() {
    use std::os::unix::fs::symlink;
    // The link is the file, or a folder on the way to it.
    for named in ["link.db", "link/journal.db"] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for place in ["one", "two"] {
            drop(SqliteJournal::open(at(place).join("journal.db")).unwrap());
        }
        let link = at(named.split('/').next().unwrap());
        let target = |place: &str| match named {
            "link.db" => at(place).join("journal.db"),
            _ => at(place),
        };
        symlink(target("one"), &link).unwrap();
        let journal = SqliteJournal::open(at(named)).unwrap();
        let ask = ask_of(None, Ask::confirm("Delete?"));
        let id = ask.id;
        journal.commit(vec![Write::OpenAsk(ask)]).await.unwrap();
        fs::remove_file(&link).unwrap();
        symlink(target("two"), &link).unwrap();
        let settle = vec![Write::Settle(decided(id, yes()))];
        let error = journal
            .commit(settle.clone())
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains(&at(named).display().to_string()), "{error}");
        assert!(error.contains("nothing can be approved"), "{error}");
        // Turned back, it goes on.
        fs::remove_file(&link).unwrap();
        symlink(target("one"), &link).unwrap();
        journal.commit(settle).await.unwrap();
    }
}
