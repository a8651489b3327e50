//! The waker of a flow, which knows how many wait with it.

use futures::task::AtomicWaker;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering, fence},
    },
    task::{Context, Poll, Wake, Waker},
};

/// Wakes a flow's task. Whatever the flow waits for holds a clone of it, so that it can be told whether the
/// flow waits for anything but people.
pub(crate) struct FlowWaker {
    inner: Arc<Inner>,
    waker: Waker,
}

struct Inner {
    task: AtomicWaker,
    /// Something has woken the flow since it was last polled.
    woken: AtomicBool,
}

impl Wake for Inner {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.woken.store(true, Ordering::Release);
        self.task.wake();
    }
}

/// The clones that are here: the inner one, and the waker itself.
const OWN: usize = 2;

impl FlowWaker {
    pub fn new() -> Self {
        let inner = Arc::new(Inner {
            task: AtomicWaker::new(),
            woken: AtomicBool::new(false),
        });
        Self {
            waker: inner.clone().into(),
            inner,
        }
    }

    /// Polls with this waker in place of the task's own.
    pub fn poll<T>(
        &self,
        task: &Context<'_>,
        poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        self.inner.task.register(task.waker());
        self.inner.woken.store(false, Ordering::Release);
        poll(&mut Context::from_waker(&self.waker))
    }

    /// What tells this waker from all others.
    pub fn identity(&self) -> usize {
        identity(&self.waker)
    }

    /// Whether just so many things could wake the flow, and none has since it was last polled.
    pub fn is_waited_on_by(&self, things: usize) -> bool {
        let waiting = self.waited_for();
        // Whoever wakes it says so before it lets its clone go.
        fence(Ordering::Acquire);
        waiting == things && !self.inner.woken.load(Ordering::Acquire)
    }

    fn waited_for(&self) -> usize {
        Arc::strong_count(&self.inner) - OWN
    }
}

/// What tells a waker from others that are there at the same time.
pub(crate) fn identity(waker: &Waker) -> usize {
    waker.data().addr()
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::{FutureExt, future::pending};
    use std::{future::poll_fn, time::Duration};
    use tokio::sync::oneshot;

    /// How many things a flow waits for after its first poll.
    async fn check<F: Future>(flow: F, wanted: usize) {
        let (waker, mut flow) = (FlowWaker::new(), Box::pin(flow));
        let polled = poll_fn(|cx| Poll::Ready(waker.poll(cx, |cx| flow.poll_unpin(cx)))).await;
        assert!(polled.is_pending());
        assert_eq!(waker.waited_for(), wanted);
        drop(flow);
        assert_eq!(waker.waited_for(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn whatever_could_wake_a_flow_is_counted() {
        let channel = oneshot::channel::<()>;
        let ((_one, first), (_two, second)) = (channel(), channel());
        check(async { tokio::join!(first, second) }, 2).await;
        let (_three, third) = channel();
        let timer = tokio::time::sleep(Duration::from_secs(1));
        check(
            async {
                tokio::select! { _ = third => {}, () = timer => {} }
            },
            2,
        )
        .await;
        check(tokio::spawn(pending::<()>()), 1).await;
        check(pending::<()>(), 0).await;
    }

    #[tokio::test]
    async fn it_wakes_the_task_and_is_told_from_others() {
        let (waker, (send, mut receive)) = (FlowWaker::new(), oneshot::channel());
        let other = FlowWaker::new();
        assert_ne!(waker.identity(), other.identity());
        let waiting = async {
            poll_fn(|cx| {
                waker.poll(cx, |cx| {
                    assert_eq!(identity(cx.waker()), waker.identity());
                    receive.poll_unpin(cx)
                })
            })
            .await
        };
        let (got, ()) = tokio::join!(waiting, async {
            tokio::task::yield_now().await;
            let _ = send.send(7);
        });
        assert_eq!(got, Ok(7));
        assert!(waker.is_waited_on_by(0));
        waker.waker.wake_by_ref();
        assert!(!waker.is_waited_on_by(0), "it is about to be polled");
    }
}
