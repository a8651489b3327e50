//! When the engine must interrupt the script that runs: after its time, or past its memory.

use super::memory::Meter;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

/// The time and the memory that are left to the call that runs.
#[derive(Debug)]
pub(super) struct Interrupt {
    /// In nanoseconds of the thread that runs it.
    until: AtomicU64,
    late: AtomicBool,
    pub memory: Arc<Meter>,
}

impl Interrupt {
    pub fn new(memory: Arc<Meter>) -> Self {
        Self {
            until: AtomicU64::new(u64::MAX),
            late: AtomicBool::new(false),
            memory,
        }
    }

    /// Sets how long the thread may compute from now on; `None` is no limit.
    pub fn set_limit(&self, time: Option<Duration>) {
        let until = time.map(|time| computed().saturating_add(time).as_nanos());
        let until = until.and_then(|until| u64::try_from(until).ok());
        self.until.store(until.unwrap_or(u64::MAX), Relaxed);
        self.late.store(false, Relaxed);
    }

    /// Whether what runs must stop.
    pub fn should_stop(&self) -> bool {
        if computed().as_nanos() > u128::from(self.until.load(Relaxed)) {
            self.late.store(true, Relaxed);
        }
        self.has_stopped()
    }

    /// Whether it had to.
    pub fn has_stopped(&self) -> bool {
        self.late.load(Relaxed) || self.memory.is_over()
    }
}

/// How long this thread has computed: a machine that is busy with other things does not count.
#[cfg(unix)]
fn computed() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn computed() -> Duration {
    static BORN: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    BORN.elapsed()
}
