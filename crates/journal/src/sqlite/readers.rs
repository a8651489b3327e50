//! The readers of a file: threads with a connection each, so that no read waits for a commit.

use super::{file, sql_error::open_error};
use crate::JournalError;
use futures::future::{BoxFuture, FutureExt, ready};
use rusqlite::{Connection, config::DbConfig};
use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread::{self, JoinHandle},
    time::Duration,
};
use tokio::sync::oneshot;

/// How many reads can run at once.
const THREADS: usize = 2;

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// One thread reads; the others are started when a read would have to wait for one.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    queue: Arc<Queue>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// For what is read at once; opened when the first of it is.
    at_once: Mutex<Option<Box<Connection>>>,
}

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    queued: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    /// How many threads there are, and how many of them read.
    threads: usize,
    busy: usize,
    closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Gives a thread its place, if there is one left for a job that would have to wait.
    fn place(self: &Arc<Self>, state: &mut State) -> Option<Place> {
        let is_wanted = state.threads == 0 || state.jobs.len() > state.threads - state.busy;
        (is_wanted && state.threads < THREADS).then(|| {
            state.threads += 1;
            Place {
                queue: self.clone(),
                reads: false,
            }
        })
    }
}

/// The place of one thread, free again when it ends.
struct Place {
    queue: Arc<Queue>,
    reads: bool,
}

impl Place {
    /// Waits for a job; none once the journal is closed and all are done.
    fn next(&mut self) -> Option<Job> {
        let mut state = self.queue.lock();
        state.busy -= usize::from(std::mem::take(&mut self.reads));
        while state.jobs.is_empty() && !state.closed {
            state = self
                .queue
                .queued
                .wait(state)
                .unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        let job = state.jobs.pop_front();
        self.reads = job.is_some();
        state.busy += usize::from(self.reads);
        job
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.threads -= 1;
        state.busy -= usize::from(self.reads);
        if state.threads == 0 {
            // Nobody would do them.
            state.jobs.clear();
        }
    }
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").finish_non_exhaustive()
    }
}

impl Readers {
    pub fn start(path: &Path) -> Result<Self, JournalError> {
        let readers = Self {
            path: path.to_owned(),
            queue: Arc::default(),
            threads: Mutex::default(),
            at_once: Mutex::default(),
        };
        let conn = connect(path)?;
        let place = readers.queue.place(&mut readers.queue.lock());
        if let Some(place) = place {
            let started = readers.spawn(place, move || Ok(conn));
            started.map_err(|error| file::io_error(path, error))?;
        }
        Ok(readers)
    }

    /// Reads on one of the threads.
    pub fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, JournalError> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, JournalError>> {
        let (answer, answered) = oneshot::channel();
        let job = Box::new(move |conn: &Connection| {
            let _ = answer.send(read(conn));
        });
        let place = {
            let mut state = self.queue.lock();
            state.jobs.push_back(job);
            self.queue.place(&mut state)
        };
        self.queue.queued.notify_one();
        if let Some(place) = place {
            let path = self.path.clone();
            // The thread that is there does all, if there cannot be another.
            let _ = self.spawn(place, move || connect(&path));
        }
        answered
            .map(|answer| answer.unwrap_or(Err(JournalError::Closed)))
            .boxed()
    }

    /// Reads on the thread that asks, where nobody else does just now: for what an index finds in a few
    /// microseconds, for which two threads need not be woken. It waits for nobody: what would have to is left to
    /// the threads.
    pub fn read_at_once<T: Send + 'static>(
        &self,
        read: impl Fn(&Connection) -> Result<T, JournalError> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, JournalError>> {
        match self.try_at_once(&read) {
            Some(found) => ready(Ok(found)).boxed(),
            None => self.read(read),
        }
    }

    /// What is read; none where it cannot be at once, or fails: the threads say why, if it still does.
    fn try_at_once<T>(&self, read: impl Fn(&Connection) -> Result<T, JournalError>) -> Option<T> {
        let mut conn = self.at_once.try_lock().ok()?;
        if conn.is_none() {
            let opened = connect(&self.path).ok()?;
            opened.busy_timeout(Duration::ZERO).ok()?;
            // Otherwise SQLite plans a statement anew for each value that it is given.
            let stable = DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG;
            opened.set_db_config(stable, true).ok()?;
            *conn = Some(Box::new(opened));
        }
        read(conn.as_ref()?).ok()
    }

    fn spawn(
        &self,
        mut place: Place,
        connect: impl FnOnce() -> Result<Connection, JournalError> + Send + 'static,
    ) -> std::io::Result<()> {
        let thread = thread::Builder::new()
            .name("journal-reader".into())
            .spawn(move || {
                if let Ok(conn) = connect() {
                    while let Some(job) = place.next() {
                        // One that panics has answered nobody, and the next may come.
                        let _ = catch_unwind(AssertUnwindSafe(|| job(&conn)));
                    }
                }
            });
        lock(&self.threads).push(thread?);
        Ok(())
    }
}

/// Reads on a thread and a connection of its own, so that a long read delays no other.
pub(super) fn read_apart<T: Send + 'static>(
    path: &Path,
    read: impl FnOnce(&Connection) -> Result<T, JournalError> + Send + 'static,
) -> BoxFuture<'static, Result<T, JournalError>> {
    let path: PathBuf = path.to_owned();
    let (answer, answered) = oneshot::channel();
    let spawned = thread::Builder::new()
        .name("journal-reader".into())
        .spawn(move || {
            let _ = answer.send(connect(&path).and_then(|conn| read(&conn)));
        });
    if let Err(error) = spawned {
        let error = JournalError::read("a thread cannot be started").with_source(error);
        return futures::future::ready(Err(error)).boxed();
    }
    answered
        .map(|answer| answer.unwrap_or(Err(JournalError::Closed)))
        .boxed()
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.queue.lock().closed = true;
        self.queue.queued.notify_all();
        for thread in lock(&self.threads).drain(..) {
            let _ = thread.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn connect(path: &Path) -> Result<Connection, JournalError> {
    let open = || {
        let conn = file::connect(path)?;
        conn.execute_batch("PRAGMA query_only = ON")?;
        Ok(conn)
    };
    open().map_err(|error| open_error(path.display(), error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn readers() -> (tempfile::TempDir, Readers) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        drop(file::open(&path).unwrap());
        let readers = Readers::start(&path).unwrap();
        (folder, readers)
    }

    #[tokio::test]
    async fn another_thread_is_started_only_when_a_read_would_wait() {
        let (_folder, readers) = readers();
        let threads = || lock(&readers.threads).len();
        for n in 0..20 {
            assert_eq!(readers.read(move |_| Ok(n)).await.unwrap(), n);
            // It is idle again right after it has answered.
            while readers.queue.lock().busy > 0 {
                thread::yield_now();
            }
        }
        assert_eq!(threads(), 1);
        let (go_on, gone_on) = channel::<()>();
        let long = readers.read(move |_| {
            let _ = gone_on.recv();
            Ok(1)
        });
        assert_eq!(readers.read(|_| Ok(2)).await.unwrap(), 2);
        drop(go_on);
        assert_eq!(long.await.unwrap(), 1);
        assert_eq!(threads(), 2);
    }

    #[tokio::test]
    async fn a_read_that_panics_takes_no_other_with_it() {
        let (_folder, readers) = readers();
        for n in 0..3 {
            let failed = readers.read(|_| -> Result<(), JournalError> { panic!("on purpose") });
            assert!(matches!(failed.await, Err(JournalError::Closed)));
            assert_eq!(readers.read(move |_| Ok(n)).await.unwrap(), n);
        }
    }
}
