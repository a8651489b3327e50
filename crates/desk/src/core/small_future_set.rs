//! A few futures at once.

use futures::{FutureExt, future::BoxFuture};
use std::{future::poll_fn, task::Poll};

/// A few futures that are waited for together. Each is polled whenever one wakes up: for so few that
/// takes less time and room than keeping count of who did.
pub(crate) struct SmallFutureSet<'a, T>(Vec<BoxFuture<'a, T>>);

impl<'a, T> SmallFutureSet<'a, T> {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    pub fn push(&mut self, future: impl Future<Output = T> + Send + 'a) {
        self.0.push(future.boxed());
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the next of them gives; none where none is left.
    pub async fn next(&mut self) -> Option<T> {
        poll_fn(|cx| {
            if self.0.is_empty() {
                return Poll::Ready(None);
            }
            for place in 0..self.0.len() {
                if let Poll::Ready(given) = self.0[place].poll_unpin(cx) {
                    drop(self.0.swap_remove(place));
                    return Poll::Ready(Some(given));
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
        let mut few = SmallFutureSet::new();
        few.push(async { waiting.await.unwrap() });
        few.push(async { 2 });
        assert_eq!(few.next().await, Some(2));
        assert!(futures::poll!(std::pin::pin!(few.next())).is_pending());
        first.send(1).unwrap();
        assert_eq!(few.next().await, Some(1));
        assert_eq!(few.next().await, None);
        assert!(few.is_empty());
    }
}
