//! The readers of a file: threads with a connection each, so that no read waits for a commit.

use super::{file, sql_error::open_error};
use crate::JournalError;
use futures::future::{BoxFuture, FutureExt};
use rusqlite::Connection;
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};
use tokio::sync::oneshot;

/// How many reads can run at once.
const THREADS: usize = 2;

type Job = Box<dyn FnOnce(&Connection) + Send>;

#[derive(Debug)]
pub(super) struct Readers {
    jobs: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    pub fn start(path: &Path) -> Result<Self, JournalError> {
        let (jobs, queue) = channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        let mut readers = Self {
            jobs: Some(jobs),
            threads: Vec::new(),
        };
        for _ in 0..THREADS {
            let conn = connect(path)?;
            let queue = Arc::clone(&queue);
            let thread = thread::Builder::new()
                .name("journal-reader".into())
                .spawn(move || {
                    while let Some(job) = next(&queue) {
                        job(&conn);
                    }
                })
                .map_err(|error| file::io_error(path, error))?;
            readers.threads.push(thread);
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
        if let Some(jobs) = &self.jobs {
            // A queue without readers drops the job, and the answer with it.
            let _ = jobs.send(job);
        }
        answered
            .map(|answer| answer.unwrap_or(Err(JournalError::Closed)))
            .boxed()
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
        self.jobs = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn connect(path: &Path) -> Result<Connection, JournalError> {
    let open = || {
        let conn = file::connect(path)?;
        conn.execute_batch("PRAGMA query_only = ON")?;
        Ok(conn)
    };
    open().map_err(|error| open_error(path.display(), error))
}

fn next(queue: &Mutex<Receiver<Job>>) -> Option<Job> {
    let queue = queue
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    queue.recv().ok()
}
