//! Where files are not watched: only a ring or a time ends the wait.

use super::Heard;
use std::{
    io,
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    time::Instant,
};

/// Wakes the thread that waits. Clones ring the same one.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<Rung>);

#[derive(Debug, Default)]
struct Rung {
    rung: Mutex<bool>,
    changed: Condvar,
}

impl Rung {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.rung
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Bell {
    /// Ends the wait. What was queued before it is seen by who waited.
    pub fn ring(&self) {
        *self.0.lock() = true;
        self.0.changed.notify_one();
    }
}

/// See the module. It belongs to one thread.
#[derive(Debug)]
pub struct FileAlarm {
    bell: Bell,
}

impl FileAlarm {
    /// Watches nothing.
    ///
    /// # Errors
    /// Never.
    pub fn new() -> io::Result<(Self, Bell)> {
        let bell = Bell::default();
        Ok((Self { bell: bell.clone() }, bell))
    }

    /// Fails: files are not watched here.
    ///
    /// # Errors
    /// Always.
    pub fn watch_file(&self, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Fails: files are not watched here.
    ///
    /// # Errors
    /// Always.
    pub fn watch_locks(&self, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Nothing is ever heard.
    pub fn take(&mut self) -> Heard {
        Heard::default()
    }

    /// Waits until the bell rings or until a time; or not at all where `arrived` says that what is
    /// waited for is there. It may also end for no reason.
    pub fn wait(&self, until: Option<Instant>, _: bool, arrived: impl FnOnce() -> bool) {
        let mut rung = self.bell.0.lock();
        let changed = &self.bell.0.changed;
        if !*rung && !arrived() {
            rung = match until {
                None => changed
                    .wait(rung)
                    .unwrap_or_else(|poisoned| poisoned.into_inner()),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    let waited = changed.wait_timeout(rung, left);
                    waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0
                }
            };
        }
        *rung = false;
    }
}
