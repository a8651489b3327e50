//! When the engine must interrupt the script that runs: after its time, or past its memory.

use super::memory::Meter;
use std::{sync::Arc, time::Duration};

/// The time and the memory that are left to the call that runs.
#[derive(Debug)]
pub(super) struct Interrupt {
    pub memory: Arc<Meter>,
}

impl Interrupt {
    pub fn new(memory: Arc<Meter>) -> Self {
        Self { memory }
    }

    /// Sets how long the thread may compute from now on; `None` is no limit.
    pub fn set_limit(&self, time: Option<Duration>) {
        self.memory.time.set(time);
    }

    /// Whether what runs must stop.
    pub fn should_stop(&self) -> bool {
        self.memory.time.check() || self.memory.is_over()
    }

    /// Whether it had to.
    pub fn has_stopped(&self) -> bool {
        self.memory.time.has_passed() || self.memory.is_over()
    }
}
