//! How many commits a process has seen, for whoever waits for one.

use tokio::sync::watch;

/// Counters that change with commits.
#[derive(Debug, Clone, Default)]
pub(crate) struct CommitCounters {
    /// Commits of other processes.
    pub foreign: watch::Sender<u64>,
    /// Commits of any process.
    pub all: watch::Sender<u64>,
}

impl CommitCounters {
    /// Says that this process has committed.
    pub fn count_own(&self) {
        self.all.send_modify(|count| *count += 1);
    }

    /// Says that another process has committed.
    pub fn count_foreign(&self) {
        self.foreign.send_modify(|count| *count += 1);
        self.count_own();
    }
}
