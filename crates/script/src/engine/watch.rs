//! What the engine looks at while a script runs.

use super::memory::Meter;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

/// How long the call that runs may run, and what it uses.
#[derive(Debug)]
pub(super) struct Watch {
    /// In nanoseconds of the thread that runs it.
    until: AtomicU64,
    late: AtomicBool,
    pub memory: Arc<Meter>,
}

impl Watch {
    pub fn new(memory: Arc<Meter>) -> Self {
        Self {
            until: AtomicU64::new(u64::MAX),
            late: AtomicBool::new(false),
            memory,
        }
    }

    /// From now on there is so much time, or all of it.
    pub fn allow(&self, time: Option<Duration>) {
        let until = time.map(|time| computed().saturating_add(time).as_nanos());
        let until = until.and_then(|until| u64::try_from(until).ok());
        self.until.store(until.unwrap_or(u64::MAX), Relaxed);
        self.late.store(false, Relaxed);
    }

    /// Whether what runs must stop.
    pub fn stops(&self) -> bool {
        if computed().as_nanos() > u128::from(self.until.load(Relaxed)) {
            self.late.store(true, Relaxed);
        }
        self.stopped()
    }

    /// Whether it had to.
    pub fn stopped(&self) -> bool {
        self.late.load(Relaxed) || self.memory.over()
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
