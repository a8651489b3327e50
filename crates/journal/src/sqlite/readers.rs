//! Readers: a few threads with a connection each, so that no read waits for a commit.

use super::file;
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
                .map_err(|error| file::fault(path, &error))?;
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

    /// Reads on a thread of its own, so that a long read holds up no other.
    pub fn read_apart<T: Send + 'static>(
        &self,
        path: &Path,
        read: impl FnOnce(&Connection) -> Result<T, JournalError> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, JournalError>> {
        let path: PathBuf = path.to_owned();
        let (answer, answered) = oneshot::channel();
        let spawned = thread::Builder::new()
            .name("journal-walk".into())
            .spawn(move || {
                let _ = answer.send(connect(&path).and_then(|conn| read(&conn)));
            });
        if let Err(error) = spawned {
            let error = JournalError::Read(error.to_string());
            return futures::future::ready(Err(error)).boxed();
        }
        answered
            .map(|answer| answer.unwrap_or(Err(JournalError::Closed)))
            .boxed()
    }
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
    let wrong = |error: rusqlite::Error| file::fault(path, &file::explain(&error));
    let conn = file::connect(path).map_err(wrong)?;
    conn.execute_batch("PRAGMA query_only = ON")
        .map_err(wrong)?;
    Ok(conn)
}

fn next(queue: &Mutex<Receiver<Job>>) -> Option<Job> {
    let queue = queue
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    queue.recv().ok()
}
