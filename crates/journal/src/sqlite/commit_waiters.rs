//! Waking everybody who waits for one commit, at once.
//!
//! Waking a task from another thread costs a system call each. So the writer wakes one task, on the
//! runtime of whoever waits, and that task wakes the others from within.

use crate::{JournalError, Written};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::{
    runtime::{Handle, Id},
    sync::{Notify, oneshot},
};

pub(super) type CommitResult = Result<Vec<Written>, JournalError>;
type Resolved = (Waiter, CommitResult);

/// Somebody who waits for a commit.
#[derive(Debug)]
pub(super) struct Waiter {
    sender: oneshot::Sender<CommitResult>,
    runtime: Option<Id>,
}

/// Everybody who waits. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct CommitWaiters(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    ready: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// The runtime on which a task sends what is ready.
    served: Option<Id>,
    ready: Vec<Resolved>,
}

impl CommitWaiters {
    /// Adds a waiter on the current runtime, or on none.
    pub fn expect(&self) -> (Waiter, oneshot::Receiver<CommitResult>) {
        let (sender, receiver) = oneshot::channel();
        let runtime = Handle::try_current().ok();
        let waiter = Waiter {
            sender,
            runtime: runtime.as_ref().map(Handle::id),
        };
        if let Some(runtime) = runtime
            && self.0.start_serving(runtime.id())
        {
            runtime.spawn(Sender(Arc::clone(&self.0)).run());
        }
        (waiter, receiver)
    }

    /// Gives these their results. Whoever waits on another runtime than the task's gets it from this
    /// thread.
    pub fn resolve(&self, resolved: impl Iterator<Item = Resolved>) {
        let mut state = self.0.lock();
        let served = state.served;
        let mut elsewhere = Vec::new();
        for one in resolved {
            if served.is_some() && one.0.runtime == served {
                state.ready.push(one);
            } else {
                elsewhere.push(one);
            }
        }
        let wake = !state.ready.is_empty();
        drop(state);
        if wake {
            self.0.ready.notify_one();
        }
        elsewhere.into_iter().for_each(send);
    }

    /// Sends what is left, and ends the task.
    pub fn close(&self) {
        self.0.send_rest();
        self.0.ready.notify_one();
    }
}

impl Shared {
    /// Whether a task is to be started on this runtime. The lock is not held while it starts: a
    /// runtime that has ended drops it there and then, and dropping it takes the lock.
    fn start_serving(&self, runtime: Id) -> bool {
        let mut state = self.lock();
        let first = state.served.is_none();
        if first {
            state.served = Some(runtime);
        }
        first
    }

    fn send_rest(&self) {
        let mut state = self.lock();
        let left = std::mem::take(&mut state.ready);
        state.served = None;
        drop(state);
        left.into_iter().for_each(send);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The task. A runtime that ends drops it; what it has not sent is sent then.
struct Sender(Arc<Shared>);

impl Sender {
    async fn run(self) {
        loop {
            self.0.ready.notified().await;
            let mut state = self.0.lock();
            let ready = std::mem::take(&mut state.ready);
            let served = state.served;
            drop(state);
            ready.into_iter().for_each(send);
            if served.is_none() {
                return;
            }
        }
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.0.send_rest();
    }
}

fn send((waiter, result): Resolved) {
    // A waiter that was dropped needs no result.
    let _ = waiter.sender.send(result);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::runtime::Builder;

    const DONE: CommitResult = Ok(Vec::new());

    #[test]
    fn everybody_gets_a_result_on_whatever_runtime_or_none() {
        let waiters = CommitWaiters::default();
        let check = |runtime: &tokio::runtime::Runtime| {
            runtime.block_on(async {
                let (first, second) = (waiters.expect(), waiters.expect());
                waiters.resolve([(first.0, DONE), (second.0, DONE)].into_iter());
                assert!(first.1.await.is_ok() && second.1.await.is_ok());
            });
        };
        let new = || Builder::new_current_thread().build().unwrap();
        let (idle, other) = (new(), new());
        check(&idle);
        check(&idle);
        check(&other);
        // What its task did not come to send is sent when its runtime ends.
        let (left, mut result) = idle.block_on(async { waiters.expect() });
        waiters.resolve([(left, DONE)].into_iter());
        assert!(result.try_recv().is_err());
        drop(idle);
        assert!(result.try_recv().is_ok());
        check(&other);
        let (left, mut result) = waiters.expect();
        waiters.resolve([(left, DONE)].into_iter());
        assert!(result.try_recv().is_ok(), "there is no runtime here");
    }

    #[tokio::test]
    async fn what_is_left_at_the_end_is_sent() {
        let waiters = CommitWaiters::default();
        let (left, mut result) = waiters.expect();
        waiters.resolve([(left, DONE)].into_iter());
        waiters.close();
        assert!(result.try_recv().is_ok());
    }

    #[test]
    fn a_runtime_that_has_ended_drops_the_task_at_once() {
        let runtime = Builder::new_multi_thread().build().unwrap();
        let ended = runtime.handle().clone();
        drop(runtime);
        let (report, reported) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let _on = ended.enter();
            let waiters = CommitWaiters::default();
            let (left, mut result) = waiters.expect();
            waiters.resolve([(left, DONE)].into_iter());
            report.send(result.try_recv().is_ok()).unwrap();
        });
        assert_eq!(
            reported.recv_timeout(std::time::Duration::from_secs(10)),
            Ok(true)
        );
    }
}
