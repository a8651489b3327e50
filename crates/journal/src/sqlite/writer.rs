//! The writer of a file: one thread that commits whatever has queued in one transaction.

use super::{
    commit_waiters::{CommitResult, CommitWaiters, Waiter},
    committer::Committer,
    foreign_watch::ForeignWatch,
};
use crate::{JournalError, Write, commit_counters::CommitCounters};
use futures::future::{BoxFuture, FutureExt};
use holdpoint_workspace::Bell;
use std::{
    sync::mpsc::{Receiver, Sender, TryRecvError, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use tokio::sync::{oneshot, watch};

/// How many batches go into one transaction at most, so that none waits too long for its own.
const MAX_BATCHES: usize = 512;

/// How long the thread spins after a commit: an ask that is answered by a machine goes on within
/// that time, and waking a thread takes as long as a commit.
const SPIN: Duration = Duration::from_micros(300);

enum Job {
    Commit(Batch),
    /// Something that is done alone, between two commits.
    Alone(Box<dyn FnOnce(&mut Committer) + Send>),
    /// Somebody wants to know of other processes' commits.
    Watch,
}

struct Batch {
    writes: Vec<Write>,
    waiter: Waiter,
}

/// The thread's handle. Dropping it commits what has queued.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    bell: Bell,
    waiters: CommitWaiters,
    counters: CommitCounters,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread.
    pub fn start(
        committer: Committer,
        counters: CommitCounters,
        (watch, bell): (ForeignWatch, Bell),
    ) -> Result<Self, JournalError> {
        let (jobs, queue) = channel();
        let waiters = CommitWaiters::default();
        let mut thread = WriterThread {
            committer,
            queue,
            watch,
            waiters: waiters.clone(),
            counters: counters.clone(),
            committed_at: Instant::now(),
            behind: None,
        };
        let thread = thread::Builder::new()
            .name("journal-writer".into())
            .spawn(move || thread.run())
            .map_err(|error| {
                JournalError::write("its writer thread cannot be started").with_source(error)
            })?;
        Ok(Self {
            jobs: Some(jobs),
            bell,
            waiters,
            counters,
            thread: Some(thread),
        })
    }

    /// Queues a batch at once; the future ends when it is durable.
    pub fn commit(&self, writes: Vec<Write>) -> BoxFuture<'static, CommitResult> {
        let (waiter, result) = self.waiters.expect();
        self.send(Job::Commit(Batch { writes, waiter }));
        result
            .map(|result| result.unwrap_or(Err(JournalError::Closed)))
            .boxed()
    }

    /// Queues something that is done alone; the future ends when it is done.
    pub fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Committer) -> Result<T, JournalError> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, JournalError>> {
        let (answer, answered) = oneshot::channel();
        let work = Box::new(move |committer: &mut Committer| {
            let _ = answer.send(work(committer));
        });
        self.send(Job::Alone(work));
        answered
            .map(|answer| answer.unwrap_or(Err(JournalError::Closed)))
            .boxed()
    }

    pub fn foreign_commits(&self) -> watch::Receiver<u64> {
        self.subscribe(&self.counters.foreign)
    }

    pub fn commits(&self) -> watch::Receiver<u64> {
        self.subscribe(&self.counters.all)
    }

    fn subscribe(&self, counter: &watch::Sender<u64>) -> watch::Receiver<u64> {
        let receiver = counter.subscribe();
        self.send(Job::Watch);
        receiver
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // A thread that is gone drops the job, and its waiter with it.
            let _ = jobs.send(job);
        }
        self.bell.ring();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        self.bell.ring();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.waiters.close();
    }
}

struct WriterThread {
    committer: Committer,
    queue: Receiver<Job>,
    watch: ForeignWatch,
    waiters: CommitWaiters,
    counters: CommitCounters,
    committed_at: Instant,
    /// What came behind the batches that were collected, and is not one.
    behind: Option<Job>,
}

impl WriterThread {
    fn run(&mut self) {
        loop {
            let next = match self.behind.take() {
                Some(job) => Ok(job),
                None => self.wait(),
            };
            match next {
                Ok(Job::Commit(first)) => {
                    let group = self.collect(first);
                    self.commit(group);
                }
                Ok(Job::Alone(work)) => {
                    work(&mut self.committer);
                    self.watch.committed(Instant::now());
                    self.counters.count_own();
                }
                Ok(Job::Watch) => self.watch.look(&mut self.committer),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => {
                    // The last one, however long ago the one before it was.
                    if let Some(due) = self.committer.mark_at() {
                        self.committer.write_mark(due);
                    }
                    return;
                }
            }
            self.committer.checkpoint();
            let now = Instant::now();
            if self.committer.renew(now) {
                self.watch.committed(now);
            }
            self.committer.write_mark(now);
        }
    }

    /// Waits for a job, or for a time at which something is to be done.
    fn wait(&mut self) -> Result<Job, TryRecvError> {
        if let Some(job) = self.spin() {
            return Ok(job);
        }
        let watchers = self.counters.foreign.receiver_count() + self.counters.all.receiver_count();
        let times = [self.committer.renew_at(), self.committer.mark_at()];
        let next = times.into_iter().flatten().min();
        let mut arrived = Err(TryRecvError::Empty);
        let queued = || {
            arrived = self.queue.try_recv();
            !matches!(arrived, Err(TryRecvError::Empty))
        };
        if watchers == 0 {
            self.watch.sleep(next, queued);
        } else {
            self.watch.wait(&mut self.committer, next, queued);
        }
        match arrived {
            Err(TryRecvError::Empty) => self.queue.try_recv(),
            arrived => arrived,
        }
    }

    /// Takes a job that comes right after a commit.
    fn spin(&self) -> Option<Job> {
        while self.committed_at.elapsed() < SPIN {
            if let Ok(job) = self.queue.try_recv() {
                return Some(job);
            }
            thread::yield_now();
        }
        None
    }

    /// Collects what goes into one transaction.
    fn collect(&mut self, first: Batch) -> Vec<Batch> {
        let mut group = vec![first];
        while group.len() < MAX_BATCHES {
            match self.queue.try_recv() {
                Ok(Job::Commit(batch)) => group.push(batch),
                Ok(Job::Watch) => {}
                Ok(job) => {
                    self.behind = Some(job);
                    break;
                }
                Err(_) => break,
            }
        }
        group
    }

    fn commit(&mut self, group: Vec<Batch>) {
        let (batches, waiters): (Vec<_>, Vec<_>) = group
            .into_iter()
            .map(|batch| (batch.writes, batch.waiter))
            .unzip();
        let results = self.committer.commit(batches);
        self.waiters.resolve(waiters.into_iter().zip(results));
        self.committed_at = Instant::now();
        self.watch.committed(self.committed_at);
        self.counters.count_own();
    }
}
