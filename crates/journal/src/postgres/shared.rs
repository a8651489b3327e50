//! What the committer, the listener and the journal itself know together.

use crate::commit_counters::CommitCounters;
use holdpoint_ask::CallId;
use std::{
    collections::HashSet,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};
use uuid::Uuid;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub counters: CommitCounters,
    /// The last event that this process knows of.
    reached: AtomicU64,
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
