//! Telling all who wait for one commit, at once.
//!
//! Waking a task from another thread costs a system call each. So the writer wakes one task, on the
//! runtime of whoever waits, and that wakes the others from within.

use crate::{JournalError, Written};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::{
    runtime::{Handle, Id},
    sync::{Notify, oneshot},
};

pub(super) type CommitResult = Result<Vec<Written>, JournalError>;
type Answer = (Waiter, CommitResult);

/// Who waits for a commit.
#[derive(Debug)]
pub(super) struct Waiter {
    to: oneshot::Sender<CommitResult>,
    on: Option<Id>,
}

/// What is to be told. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct CommitWaiters(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    woken: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// On this runtime a task tells what is here.
    served: Option<Id>,
    ready: Vec<Answer>,
}

impl CommitWaiters {
    /// Somebody is about to wait on this runtime, or on none.
    pub fn expect(&self) -> (Waiter, oneshot::Receiver<CommitResult>) {
        let (to, told) = oneshot::channel();
        let runtime = Handle::try_current().ok();
        let on = runtime.as_ref().map(Handle::id);
        if let Some(runtime) = runtime
            && self.0.serve(runtime.id())
        {
            runtime.spawn(Teller(Arc::clone(&self.0)).run());
        }
        (Waiter { to, on }, told)
    }

    /// Tells these. Whoever waits elsewhere than the task is told from this thread.
    pub fn tell(&self, waiters: impl Iterator<Item = Answer>) {
        let mut state = self.0.lock();
        let served = state.served;
        let mut elsewhere = Vec::new();
        for answer in waiters {
            if served.is_some() && answer.0.on == served {
                state.ready.push(answer)
            } else {
                elsewhere.push(answer)
            }
        }
        let wake = !state.ready.is_empty();
        drop(state);
        if wake {
            self.0.woken.notify_one();
        }
        elsewhere.into_iter().for_each(send);
    }

    /// There is nothing more to tell.
    pub fn close(&self) {
        let mut state = self.0.lock();
        let left = std::mem::take(&mut state.ready);
        state.served = None;
        drop(state);
        left.into_iter().for_each(send);
        self.0.woken.notify_one();
    }
}

impl Shared {
    /// Whether a task is to be started on this runtime. The lock is not held while it starts: a
    /// runtime that ends drops it there and then, and its end takes the lock.
    fn serve(&self, on: Id) -> bool {
        let mut state = self.lock();
        let first = state.served.is_none();
        if first {
            state.served = Some(on);
        }
        first
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The task. A runtime that ends drops it; what it has not told is told then.
struct Teller(Arc<Shared>);

impl Teller {
    async fn run(self) {
        loop {
            self.0.woken.notified().await;
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

impl Drop for Teller {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        let left = std::mem::take(&mut state.ready);
        state.served = None;
        drop(state);
        left.into_iter().for_each(send);
    }
}

fn send((waiter, outcome): Answer) {
    // Whoever lost interest need not be told.
    let _ = waiter.to.send(outcome);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::runtime::Builder;

    const DONE: CommitResult = Ok(Vec::new());

    #[test]
    fn everybody_is_told_on_whatever_runtime_or_none() {
        let waiters = CommitWaiters::default();
        let check = |runtime: &tokio::runtime::Runtime| {
            runtime.block_on(async {
                let (first, second) = (waiters.expect(), waiters.expect());
                waiters.tell([(first.0, DONE), (second.0, DONE)].into_iter());
                assert!(first.1.await.is_ok() && second.1.await.is_ok());
            });
        };
        let new = || Builder::new_current_thread().build().unwrap();
        let (idle, other) = (new(), new());
        check(&idle);
        check(&idle);
        check(&other);
        // What its task did not come to tell is told when its runtime ends.
        let (left, mut told) = idle.block_on(async { waiters.expect() });
        waiters.tell([(left, DONE)].into_iter());
        assert!(told.try_recv().is_err());
        drop(idle);
        assert!(told.try_recv().is_ok());
        check(&other);
        let (left, mut told) = waiters.expect();
        waiters.tell([(left, DONE)].into_iter());
        assert!(told.try_recv().is_ok(), "there is no runtime here");
    }

    #[tokio::test]
    async fn what_is_left_at_the_end_is_told() {
        let waiters = CommitWaiters::default();
        let (left, mut told) = waiters.expect();
        waiters.tell([(left, DONE)].into_iter());
        waiters.close();
        assert!(told.try_recv().is_ok());
    }

    #[test]
    fn a_runtime_that_has_ended_drops_the_task_at_once() {
        let runtime = Builder::new_multi_thread().build().unwrap();
        let ended = runtime.handle().clone();
        drop(runtime);
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let _on = ended.enter();
            let waiters = CommitWaiters::default();
            let (left, mut told) = waiters.expect();
            waiters.tell([(left, DONE)].into_iter());
            tell.send(told.try_recv().is_ok()).unwrap();
        });
        assert_eq!(
            told.recv_timeout(std::time::Duration::from_secs(10)),
            Ok(true)
        );
    }
}
