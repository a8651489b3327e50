//! A set of a few futures that are polled together.

use futures::{FutureExt, future::BoxFuture};
use std::{future::poll_fn, task::Poll};

/// A few futures that are waited for together. Each is polled whenever one wakes up: for so few that
/// takes less time and memory than `FuturesUnordered`, which keeps track of who woke up.
pub(crate) struct SmallFutureSet<'a, T>(Vec<BoxFuture<'a, T>>);

impl<'a, T> SmallFutureSet<'a, T> {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn push(&mut self, future: impl Future<Output = T> + Send + 'a) {
        self.0.push(future.boxed());
    }

    /// What the next one to finish gives; none where the set is empty.
    pub async fn next(&mut self) -> Option<T> {
        poll_fn(|cx| {
            if self.0.is_empty() {
                return Poll::Ready(None);
            }
            for index in 0..self.0.len() {
                if let Poll::Ready(output) = self.0[index].poll_unpin(cx) {
                    drop(self.0.swap_remove(index));
                    return Poll::Ready(Some(output));
                }
            }
            Poll::Pending
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn each_gives_what_it_has_once() {
        let (first, waiting) = oneshot::channel();
        let mut set = SmallFutureSet::new();
        set.push(async { waiting.await.unwrap() });
        set.push(async { 2 });
        assert_eq!(set.next().await, Some(2));
        assert!(futures::poll!(std::pin::pin!(set.next())).is_pending());
        first.send(1).unwrap();
        assert_eq!(set.next().await, Some(1));
        assert_eq!(set.next().await, None);
    }
}
