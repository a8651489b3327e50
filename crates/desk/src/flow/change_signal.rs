//! A signal that something has changed, for any number of watchers.

use std::{
    pin::pin,
    sync::atomic::{AtomicU64, Ordering},
};
use tokio::sync::Notify;

/// Counts changes, and wakes whoever waits for the next one. Every call has one, so it is small: a
/// `tokio::sync::watch` takes several times the memory.
#[derive(Default)]
pub(crate) struct ChangeSignal {
    count: AtomicU64,
    waiters: Notify,
}

/// Waits for changes.
pub(crate) struct Watch<'a> {
    signal: &'a ChangeSignal,
    seen: u64,
}

impl ChangeSignal {
    /// Something has changed.
    pub fn notify(&self) {
        self.count.fetch_add(1, Ordering::AcqRel);
        self.waiters.notify_waiters();
    }

    /// Waits for changes from now on.
    pub fn watch(&self) -> Watch<'_> {
        Watch {
            signal: self,
            seen: self.count(),
        }
    }

    fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }
}

impl Watch<'_> {
    /// What has changed until now is known.
    pub fn catch_up(&mut self) {
        self.seen = self.signal.count();
    }

    /// Waits for a change that is not known yet.
    pub async fn changed(&mut self) {
        let mut notified = pin!(self.signal.waiters.notified());
        // From here on none is missed.
        notified.as_mut().enable();
        if self.signal.count() == self.seen {
            notified.await;
        }
        self.catch_up();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[test]
    fn no_change_is_missed_and_none_is_reported_twice() {
        let changes = ChangeSignal::default();
        let (mut one, mut two) = (changes.watch(), changes.watch());
        assert!(one.changed().now_or_never().is_none());
        changes.notify();
        changes.notify();
        assert!(one.changed().now_or_never().is_some());
        assert!(one.changed().now_or_never().is_none());
        two.catch_up();
        let mut waiting = Box::pin(two.changed());
        assert!(waiting.as_mut().now_or_never().is_none());
        changes.notify();
        assert!(waiting.now_or_never().is_some());
    }
}
