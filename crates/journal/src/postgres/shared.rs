//! What the committer, the listener and the journal itself know together.

use crate::commit_counters::CommitCounters;
use holdpoint_ask::CallId;
use jiff::{SignedDuration, Timestamp};
use std::{
    collections::HashSet,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI32, AtomicI64, AtomicU64, Ordering},
    },
};
use uuid::Uuid;

/// A difference between two clocks that does not matter, in milliseconds.
const JITTER: i64 = 50;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub counters: CommitCounters,
    /// The last event that this process knows of.
    reached: AtomicU64,
    /// By how many milliseconds the database's clock is ahead of this machine's.
    clock_offset: AtomicI64,
    /// The server's number of the connection that listens.
    listening_as: AtomicI32,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The calls that this process came to own; some may be lost by now.
    owned: HashSet<CallId>,
    /// The inboxes of this process that watch.
    watchers: HashSet<Uuid>,
    /// Those that watch no more and are not yet out of the table.
    released: HashSet<Uuid>,
}

impl Shared {
    /// The chain came as far as this event.
    pub fn reach(&self, seq: u64) {
        self.reached.fetch_max(seq, Ordering::SeqCst);
    }

    /// Notes how far the chain came; whether that is news, so that another process has committed.
    pub fn is_news(&self, seq: u64) -> bool {
        self.reached.fetch_max(seq, Ordering::SeqCst) < seq
    }

    /// By how much the database's clock is ahead of this machine's.
    pub fn clock_offset(&self) -> SignedDuration {
        SignedDuration::from_millis(self.clock_offset.load(Ordering::SeqCst))
    }

    /// The server's number of the connection that listens; 0 while there is none.
    pub fn listening_as(&self) -> i32 {
        self.listening_as.load(Ordering::SeqCst)
    }

    /// Notes the server's number of the connection that listens.
    pub fn listen_as(&self, pid: i32) {
        self.listening_as.store(pid, Ordering::SeqCst);
    }

    /// Notes what the database's clock showed, in milliseconds, between these two moments. What the way to
    /// it explains is no difference: the time must not go back and forth.
    pub fn set_clock(&self, shown: i64, asked: Timestamp, answered: Timestamp) {
        let (asked, answered) = (asked.as_millisecond(), answered.as_millisecond());
        let found = shown - (asked + answered) / 2;
        let known = self.clock_offset.load(Ordering::SeqCst);
        if (found - known).abs() > JITTER + (answered - asked).abs() {
            self.clock_offset.store(found, Ordering::SeqCst);
        }
    }

    /// Notes the calls that this process came to own, and those that it has finished.
    pub fn own(&self, won: Vec<CallId>, finished: impl Iterator<Item = CallId>) {
        let mut state = self.state();
        state.owned.extend(won);
        for call in finished {
            state.owned.remove(&call);
        }
    }

    /// The calls that this process came to own.
    pub fn owned(&self) -> Vec<CallId> {
        self.state().owned.iter().copied().collect()
    }

    /// Forgets calls that were lost to another process.
    pub fn disown(&self, lost: &[CallId]) {
        let mut state = self.state();
        for call in lost {
            state.owned.remove(call);
        }
    }

    /// Whether this process owns calls.
    pub fn owns_calls(&self) -> bool {
        !self.state().owned.is_empty()
    }

    /// Whether others rely on knowing that this process lives.
    pub fn is_busy(&self) -> bool {
        let state = self.state();
        !state.owned.is_empty() || !state.watchers.is_empty()
    }

    /// Notes that an inbox watches.
    pub fn watch(&self, id: Uuid) {
        self.state().watchers.insert(id);
    }

    /// Notes that an inbox watches no more.
    pub fn unwatch(&self, id: Uuid) {
        let mut state = self.state();
        if state.watchers.remove(&id) {
            state.released.insert(id);
        }
    }

    /// The inboxes that have to be taken out of the table.
    pub fn released(&self) -> Vec<Uuid> {
        self.state().released.iter().copied().collect()
    }

    /// Those are out of the table.
    pub fn forget(&self, released: &[Uuid]) {
        let mut state = self.state();
        for id in released {
            state.released.remove(id);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_differs_is_followed_and_jitter_is_not() {
        let shared = Shared::default();
        let at = |millis| Timestamp::from_millisecond(millis).unwrap();
        let offset = || shared.clock_offset().as_millis();
        shared.set_clock(1_040, at(1_000), at(1_010));
        assert_eq!(offset(), 0, "jitter");
        shared.set_clock(1_600, at(1_000), at(2_000));
        assert_eq!(offset(), 0, "the way took longer than the difference");
        shared.set_clock(61_005, at(1_000), at(1_010));
        assert_eq!(offset(), 60_000);
        shared.set_clock(61_035, at(1_000), at(1_010));
        assert_eq!(offset(), 60_000, "jitter");
        shared.set_clock(1_005, at(1_000), at(1_010));
        assert_eq!(offset(), 0, "the clock was set right");
    }
}
