//! How long a script may compute, in time of the thread that runs it.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// When the call that runs must stop.
#[derive(Debug)]
pub(super) struct TimeLimit {
    /// In nanoseconds of the thread that runs it.
    until: AtomicU64,
    passed: AtomicBool,
}

impl Default for TimeLimit {
    fn default() -> Self {
        Self {
            until: AtomicU64::new(u64::MAX),
            passed: AtomicBool::new(false),
        }
    }
}

impl TimeLimit {
    /// Sets how long the thread may compute from now on; `None` is no limit.
    pub fn set(&self, time: Option<Duration>) {
        let until = time.map(|time| computed().saturating_add(time).as_nanos());
        let until = until.and_then(|until| u64::try_from(until).ok());
        self.until.store(until.unwrap_or(u64::MAX), Relaxed);
        self.passed.store(false, Relaxed);
    }

    /// Reads the clock, and says whether the time has passed.
    pub fn check(&self) -> bool {
        self.check_by(Duration::ZERO)
    }

    /// The same, for a time that is so much longer.
    pub fn check_by(&self, longer: Duration) -> bool {
        let until = Duration::from_nanos(self.until.load(Relaxed)).saturating_add(longer);
        if computed() > until {
            self.passed.store(true, Relaxed);
        }
        self.has_passed()
    }

    /// Whether it had passed when the clock was read last.
    pub fn has_passed(&self) -> bool {
        self.passed.load(Relaxed)
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
