//! Copying the log into the file while commits go on.
//!
//! SQLite would do it within the commit that makes the log long, and everybody in that commit would wait for it.
//! Here a thread of its own copies, and ends. The log can start anew only when nothing in it is missing in the file,
//! which never happens while others commit; so the last few pages are copied by the thread that commits, between two
//! of its commits, for the price of a sync.

use super::{file, sql_error::write_error};
use crate::JournalError;
use rusqlite::{Connection, MAIN_DB, wal::CheckpointMode};
use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// After how many bytes of log they are copied. A page that changes often is copied less often with more of them.
const PART: u32 = 4 << 20;

/// How many bytes the log has before it starts anew. It is then overwritten in place: a sync that makes a file longer
/// takes twice the time.
const LOG: u32 = 16 << 20;

/// How many pages the thread that commits copies by itself.
const REST: u32 = 64;

/// How long the thread that commits waits for readers, for each time that the log is as long as it should be.
const PATIENCE: Duration = Duration::from_millis(2);
const LONGEST_PATIENCE: Duration = Duration::from_millis(200);

/// How often the thread begins again with what came meanwhile.
const ROUNDS: usize = 6;

/// The checkpoints of one connection that writes.
#[derive(Debug)]
pub(super) struct Checkpoints {
    path: PathBuf,
    log: Arc<Log>,
    /// In pages.
    part: u32,
    longest: u32,
    /// How long the log was when the thread was last started.
    begun_at: u32,
    thread: Option<JoinHandle<()>>,
}

/// The log of a file, in pages.
#[derive(Debug, Default)]
struct Log {
    length: AtomicU32,
    /// How many of them are in the file too.
    copied: AtomicU32,
}

impl Checkpoints {
    /// Takes the checkpoints of this connection over from SQLite.
    pub fn of(conn: &mut Connection, path: &Path) -> Result<Self, JournalError> {
        let mut take_over = || {
            let log = Arc::new(Log::default());
            let seen = Arc::clone(&log);
            conn.query_row("PRAGMA wal_autocheckpoint = 0", [], |_| Ok(()))?;
            conn.wal_hook(Some(move |_: &mut _, pages| {
                seen.length.store(number(pages), Ordering::Relaxed);
                Ok(())
            }))?;
            let page: u32 = conn.query_row("PRAGMA page_size", [], |row| row.get(0))?;
            Ok(Self {
                path: path.to_owned(),
                log,
                part: PART / page,
                longest: LOG / page,
                begun_at: 0,
                thread: None,
            })
        };
        take_over().map_err(write_error)
    }

    /// Does what is due after a commit of this connection.
    pub fn go_on(&mut self, conn: &mut Connection) {
        let length = self.log.length.load(Ordering::Relaxed);
        if length < self.begun_at {
            // The log has started anew.
            self.begun_at = 0;
            self.log.copied.store(0, Ordering::Relaxed);
        }
        // Whoever writes faster than is copied has to wait for it in the end.
        let may_run = length <= 4 * self.longest;
        if let Some(thread) = self
            .thread
            .take_if(|thread| !may_run || thread.is_finished())
        {
            let _ = thread.join();
            let rest = length.saturating_sub(self.log.copied.load(Ordering::Relaxed));
            if length > 2 * self.longest {
                self.end(conn, CheckpointMode::RESTART);
            } else if length >= self.longest && rest <= self.part {
                self.end(conn, CheckpointMode::PASSIVE);
            }
        }
        if self.thread.is_some() {
            return;
        }
        if length >= self.begun_at + self.part {
            self.begun_at = length;
            if let Err(error) = self.start() {
                tracing::warn!(%error, "the journal's log is copied into its file without a thread");
                self.end(conn, CheckpointMode::PASSIVE);
            }
        }
    }

    /// Copies all of it, and cuts the log down to nothing.
    pub fn empty_log(&mut self, conn: &Connection) -> Result<(), JournalError> {
        self.join();
        // SQLite waits for others who write or read, but not for one who copies.
        let mut tries = 0;
        loop {
            let is_busy = "PRAGMA wal_checkpoint(TRUNCATE)";
            let is_busy: bool = conn
                .query_row(is_busy, [], |row| row.get(0))
                .map_err(write_error)?;
            if !is_busy {
                return Ok(());
            }
            if !file::retry(tries) {
                return Err(JournalError::write(
                    "its log cannot be emptied, since another process copies or reads it all the time: what was \
                     removed goes from it when the others end",
                ));
            }
            tries += 1;
        }
    }

    /// Copies what is left, from the thread that commits. Where readers are in the way, it waits for them but shortly:
    /// the longer, the longer the log has become, since each read takes longer with it.
    fn end(&self, conn: &mut Connection, mode: CheckpointMode) {
        let length = self.log.length.load(Ordering::Relaxed);
        let times = (length / self.longest).max(1);
        let _ = conn.busy_timeout((PATIENCE * times).min(LONGEST_PATIENCE));
        report(copy(conn, mode, &self.log));
        let _ = conn.busy_handler(Some(file::retry));
    }

    fn start(&mut self) -> io::Result<()> {
        let (path, log) = (self.path.clone(), Arc::clone(&self.log));
        let started = thread::Builder::new()
            .name("journal-copier".into())
            .spawn(move || report(copy_all(&path, &log)))?;
        self.thread = Some(started);
        Ok(())
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.join();
    }
}

/// Copies until little is left that was committed meanwhile.
fn copy_all(path: &Path, log: &Log) -> rusqlite::Result<()> {
    let conn = file::connect(path)?;
    conn.execute_batch("PRAGMA synchronous = FULL")?;
    let mut last = 0;
    for _ in 0..ROUNDS {
        copy(&conn, CheckpointMode::PASSIVE, log)?;
        let copied = log.copied.load(Ordering::Relaxed);
        let rest = log.length.load(Ordering::Relaxed).saturating_sub(copied);
        // Where it comes no further, somebody reads what was before.
        if rest <= REST || copied == last {
            break;
        }
        last = copied;
    }
    Ok(())
}

fn copy(conn: &Connection, mode: CheckpointMode, log: &Log) -> rusqlite::Result<()> {
    let (_, copied) = conn.wal_checkpoint_v2(Some(MAIN_DB), mode)?;
    log.copied.store(number(copied), Ordering::Relaxed);
    Ok(())
}

fn number(pages: i32) -> u32 {
    pages.try_into().unwrap_or_default()
}

/// Nothing is lost where a log is not copied: it stays, and the next commit tries again.
fn report(copied: rusqlite::Result<()>) {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    match copied {
        Err(error)
            if matches!(
                error.sqlite_error_code(),
                Some(DatabaseBusy | DatabaseLocked)
            ) => {}
        Err(error) => tracing::warn!(%error, "the journal's log cannot be copied into its file"),
        Ok(()) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs,
        sync::atomic::AtomicBool,
        time::{Duration, Instant},
    };

    /// A file whose log is copied in parts of 50 pages, and starts anew after 200.
    struct File {
        conn: Connection,
        checkpoints: Checkpoints,
        path: PathBuf,
        _folder: tempfile::TempDir,
    }

    impl File {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("journal.db");
            let mut conn = Connection::open(&path).unwrap();
            conn.execute_batch(
                "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, x)",
            )
            .unwrap();
            let mut checkpoints = Checkpoints::of(&mut conn, &path).unwrap();
            (checkpoints.part, checkpoints.longest) = (50, 200);
            Self {
                conn,
                checkpoints,
                path,
                _folder: folder,
            }
        }

        fn commit(&mut self) {
            self.conn
                .execute("INSERT INTO t (x) VALUES (randomblob(6000))", [])
                .unwrap();
            self.checkpoints.go_on(&mut self.conn);
        }

        fn log(&self) -> u64 {
            let log = crate::sidecar_files::beside(&self.path, "wal");
            fs::metadata(log).unwrap().len()
        }

        fn page(&self) -> u64 {
            self.conn
                .query_row("PRAGMA page_size", [], |row| row.get(0))
                .unwrap()
        }
    }

    #[test]
    fn another_thread_copies_and_the_log_stays_bounded_while_others_read() {
        let mut file = File::new();
        file.commit();
        let stop = Arc::new(AtomicBool::new(false));
        let (path, stopped) = (file.path.clone(), Arc::clone(&stop));
        let reader = thread::spawn(move || {
            let conn = file::connect(&path).unwrap();
            let mut reads = 0_u64;
            while !stopped.load(Ordering::Relaxed) {
                let read = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
                conn.query_row("SELECT length(x) FROM t ORDER BY id DESC", [], read)
                    .unwrap();
                reads += 1;
            }
            reads
        });
        let mut helped = false;
        for _ in 0..2000 {
            file.commit();
            helped |= file.checkpoints.thread.is_some();
        }
        stop.store(true, Ordering::Relaxed);
        assert!(reader.join().unwrap() > 0);
        assert!(helped, "the thread that commits copied all by itself");
        // Some 5,000 pages went through it.
        let (log, page) = (file.log(), file.page());
        assert!(log < 6 * 200 * page, "the log has {log} bytes");
    }

    #[test]
    fn the_log_stays_bounded_also_while_others_read_slowly_and_all_the_time() {
        let mut file = File::new();
        file.commit();
        let stop = Arc::new(AtomicBool::new(false));
        let readers: Vec<_> = (0..3)
            .map(|_| {
                let (path, stop) = (file.path.clone(), Arc::clone(&stop));
                thread::spawn(move || {
                    let conn = file::connect(&path).unwrap();
                    while !stop.load(Ordering::Relaxed) {
                        conn.execute_batch("BEGIN; SELECT count(*) FROM t").unwrap();
                        // Another thread has the processor.
                        thread::sleep(Duration::from_millis(6));
                        conn.execute_batch("COMMIT").unwrap();
                    }
                })
            })
            .collect();
        for _ in 0..5000 {
            file.commit();
        }
        stop.store(true, Ordering::Relaxed);
        readers
            .into_iter()
            .for_each(|reader| reader.join().unwrap());
        // Some 12,000 pages went through it.
        let (log, page) = (file.log(), file.page());
        assert!(log < 30 * 200 * page, "the log has {log} bytes");
    }

    #[test]
    fn a_log_that_a_reader_held_up_starts_anew_when_it_is_gone() {
        let mut file = File::new();
        let reader = file::connect(&file.path).unwrap();
        file.commit();
        reader
            .execute_batch("BEGIN; SELECT count(*) FROM t")
            .unwrap();
        for _ in 0..600 {
            file.commit();
        }
        let held_up = file.log();
        assert!(held_up > 600 * file.page(), "{held_up}");
        reader.execute_batch("COMMIT").unwrap();
        let started = Instant::now();
        loop {
            let before = file.log_length();
            file.commit();
            if file.log_length() < before {
                break;
            }
            assert!(started.elapsed() < Duration::from_secs(30));
        }
        for _ in 0..600 {
            file.commit();
        }
        assert!(file.log() <= held_up + 8 * 200 * file.page(), "it grew on");
        let counted: i64 = file
            .conn
            .query_row("SELECT count(*) FROM t", [], |row| row.get(0))
            .unwrap();
        assert!(counted > 1201);
    }

    #[test]
    fn a_log_is_emptied_also_while_the_thread_copies() {
        let mut file = File::new();
        for _ in 0..20 {
            file.checkpoints.start().unwrap();
            file.conn
                .execute("INSERT INTO t (x) VALUES (randomblob(4000000))", [])
                .unwrap();
            file.checkpoints.empty_log(&file.conn).unwrap();
            assert_eq!(file.log(), 0);
        }
    }

    impl File {
        fn log_length(&self) -> u32 {
            self.checkpoints.log.length.load(Ordering::Relaxed)
        }
    }
}
