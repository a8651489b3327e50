//! What other processes do is noticed soon, and noticing costs nothing while they do nothing.

use crate::child_process::{ChildProcess, report, wait};
use crate::fixture::ask_of;
use holdpoint_ask::Ask;
use holdpoint_journal::{Journal, SqliteJournal, Write};
use jiff::Timestamp;
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
use tempfile::TempDir;
use tokio::time::timeout;

/// How soon a commit has to be noticed.
const SOON: Duration = Duration::from_millis(500);

/// How often it is tried: a machine that is busy may be late now and then.
const TRIES: usize = 7;

/// So long that only a fault makes a test wait for it.
const LONG: Duration = Duration::from_secs(60);

fn new_path() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    (folder, path)
}

/// Commits an ask whenever it is told to, and says when that was done.
pub async fn commit_when_told(path: &str) {
    let journal = SqliteJournal::open(path).unwrap();
    report("ready");
    for _ in 0..TRIES {
        wait();
        let ask = ask_of(None, Ask::confirm("Go?"));
        journal.commit(vec![Write::OpenAsk(ask)]).await.unwrap();
        report(&Timestamp::now().as_millisecond().to_string());
    }
}

/// Has another process commit, `before` each of its commits something else, and checks that most are
/// noticed in time.
async fn check(journal: SqliteJournal, path: &Path, mut before: impl FnMut()) {
    let mut commits = journal.foreign_commits();
    let mut child = ChildProcess::start("commit", path);
    child.expect("ready");
    let mut late = Vec::new();
    for _ in 0..TRIES {
        before();
        // What was before is not what is waited for.
        while timeout(SOON, commits.changed()).await.is_ok() {}
        child.go_on();
        let noticed = timeout(LONG, commits.changed()).await;
        noticed.expect("never noticed").unwrap();
        let noticed = Timestamp::now().as_millisecond();
        let committed: i64 = child.next_report().unwrap().parse().unwrap();
        let after = Duration::from_millis((noticed - committed).max(0).try_into().unwrap());
        late.extend((after > SOON).then_some(after));
    }
    assert!(late.len() <= TRIES / 3, "noticed only after {late:?}");
    child.finish();
}

#[tokio::test]
async fn the_system_tells_of_another_processes_commit() {
    let (_folder, path) = new_path();
    check(SqliteJournal::open(&path).unwrap(), &path, || {}).await;
}

#[tokio::test]
async fn it_is_noticed_also_where_the_system_does_not_tell() {
    let (_folder, path) = new_path();
    check(SqliteJournal::open_untold(&path).unwrap(), &path, || {}).await;
}

#[tokio::test]
async fn it_is_noticed_in_a_log_that_begins_anew() {
    let (_folder, path) = new_path();
    let log = path.with_file_name("journal.db-wal");
    let first = SqliteJournal::open(&path).unwrap();
    let ask = ask_of(None, Ask::confirm("Go?"));
    first.commit(vec![Write::OpenAsk(ask)]).await.unwrap();
    assert!(log.exists());
    drop(first);
    assert!(!log.exists(), "who closes it last removes it");
    let journal = SqliteJournal::open(&path).unwrap();
    let raw = rusqlite::Connection::open(&path).unwrap();
    let empty_the_log = || {
        raw.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
            .unwrap();
        assert_eq!(fs::metadata(&log).unwrap().len(), 0);
    };
    check(journal, &path, empty_the_log).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_end_of_another_process_is_noticed() {
    let (_folder, path) = new_path();
    let journal = SqliteJournal::open(&path).unwrap();
    let mut child = ChildProcess::start("commit", &path);
    child.expect("ready");
    let mut commits = journal.foreign_commits();
    while timeout(SOON, commits.changed()).await.is_ok() {}
    child.kill();
    let noticed = timeout(LONG, commits.changed()).await;
    noticed.expect("never noticed").unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn an_idle_journal_sleeps() {
    let (_folder, path) = new_path();
    let mut child = ChildProcess::start("idle", &path);
    let woken: u64 = child.next_report().unwrap().parse().unwrap();
    assert!(woken <= 4, "woken {woken} times in four seconds");
    child.finish();
}

/// Has a journal open that somebody follows, and says how often its threads were woken in four seconds.
#[cfg(target_os = "linux")]
pub async fn be_idle(path: &str) {
    let journal = SqliteJournal::open(path).unwrap();
    let _commits = (journal.foreign_commits(), journal.commits());
    let ask = ask_of(None, Ask::confirm("Go?"));
    journal.commit(vec![Write::OpenAsk(ask)]).await.unwrap();
    // It looks once more after a commit, and writes how far it came.
    std::thread::sleep(Duration::from_secs(2));
    let before = times_woken();
    std::thread::sleep(Duration::from_secs(4));
    report(&(times_woken() - before).to_string());
}

#[cfg(target_os = "linux")]
fn times_woken() -> u64 {
    let threads = fs::read_dir("/proc/self/task").unwrap();
    let woken = threads.map(|thread| {
        let thread = thread.unwrap().path();
        let name = fs::read_to_string(thread.join("comm")).unwrap();
        let status = fs::read_to_string(thread.join("status")).unwrap();
        let count = status
            .lines()
            .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        let count: u64 = count.unwrap().trim().parse().unwrap();
        if name.starts_with("journal") {
            count
        } else {
            0
        }
    });
    woken.sum()
}
