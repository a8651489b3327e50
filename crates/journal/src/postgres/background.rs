//! The threads of a journal in PostgreSQL.
//!
//! They are its own: a program that is busy, or whose tests stop the clock, delays no sign of life and no
//! commit, and what has queued is committed also while the program ends.

use crate::JournalError;
use std::{
    sync::mpsc::{Receiver, Sender, channel},
    time::Duration,
};
use tokio::runtime::{Builder, Runtime};

/// How long the end of a journal waits for what has queued.
const PATIENCE: Duration = Duration::from_secs(5);

/// See the module.
#[derive(Debug)]
pub(super) struct Background {
    runtime: Option<Runtime>,
    ended: std::sync::Mutex<Receiver<()>>,
    end: Sender<()>,
}

impl Background {
    pub fn start() -> Result<Self, JournalError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("holdpoint-journal")
            .enable_all()
            .build()
            .map_err(|error| {
                JournalError::write("no thread can be started for the journal").with_source(error)
            })?;
        let (end, ended) = channel();
        Ok(Self {
            runtime: Some(runtime),
            ended: std::sync::Mutex::new(ended),
            end,
        })
    }

    /// Runs something that the end of the journal waits for.
    pub fn spawn_last(&self, task: impl Future<Output = ()> + Send + 'static) {
        let end = self.end.clone();
        if let Some(runtime) = &self.runtime {
            runtime.spawn(async move {
                task.await;
                let _ = end.send(());
            });
        }
    }

    /// Runs something, and waits for it.
    pub async fn run<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T, JournalError>> + Send + 'static,
    ) -> Result<T, JournalError> {
        let Some(runtime) = &self.runtime else {
            return Err(JournalError::Closed);
        };
        let done = runtime.spawn(task).await;
        done.unwrap_or(Err(JournalError::Closed))
    }

    /// Waits until the last task has ended, and stops.
    pub fn stop(&mut self) {
        if let Ok(ended) = self.ended.get_mut() {
            let _ = ended.recv_timeout(PATIENCE);
        }
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // One that was never used: waiting would block.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
