//! Knowing that something has changed.

use std::{
    pin::pin,
    sync::atomic::{AtomicU64, Ordering},
};
use tokio::sync::Notify;

/// Counts changes, for any number that wait for the next one. There is one in every call, so it takes
/// little room.
#[derive(Default)]
pub(crate) struct ChangeSignal {
    count: AtomicU64,
    told: Notify,
}

/// Who waits for the next change.
pub(crate) struct Watch<'a> {
    changes: &'a ChangeSignal,
    seen: u64,
}

impl ChangeSignal {
    /// Something has changed.
    pub fn notify(&self) {
        self.count.fetch_add(1, Ordering::AcqRel);
        self.told.notify_waiters();
    }

    /// Waits for changes from now on.
    pub fn watch(&self) -> Watch<'_> {
        Watch {
            changes: self,
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
        self.seen = self.changes.count();
    }

    /// Waits for a change that is not known yet.
    pub async fn changed(&mut self) {
        let mut told = pin!(self.changes.told.notified());
        // From here on none is missed.
        told.as_mut().enable();
        if self.changes.count() == self.seen {
            told.await;
        }
        self.catch_up();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[test]
    fn no_change_is_missed_and_none_is_told_twice() {
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
