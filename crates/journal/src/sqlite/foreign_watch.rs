//! Noticing what other processes commit to the same file.

use super::{committer::Committer, file::beside, look_times::LookTimes};
use crate::{JournalError, commit_counters::CommitCounters};
use holdpoint_workspace::{Bell, FileAlarm, Heard};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

/// What the writer's thread waits with.
#[derive(Debug)]
pub(super) struct ForeignWatch {
    alarm: FileAlarm,
    times: LookTimes,
    counters: CommitCounters,
    /// Every commit is written to the log first. None where files are not watched.
    log: Option<PathBuf>,
}

impl ForeignWatch {
    /// Watches the log of this journal, and the folder with the lock of each process that has it open.
    pub fn start(
        path: &Path,
        locks: &Path,
        counters: CommitCounters,
    ) -> Result<(Self, Bell), JournalError> {
        let (mut watch, bell) = Self::without_files(counters)?;
        let log = beside(path, "wal");
        let watched = watch.alarm.watch_file(&log);
        let watched = watched.and_then(|()| watch.alarm.watch_locks(locks));
        if let Err(error) = watched {
            tracing::debug!(%error, "the journal's file cannot be watched; it is looked at instead");
        } else {
            watch.times = LookTimes::new(true, Instant::now());
        }
        watch.log = Some(log);
        Ok((watch, bell))
    }

    /// Watches no files: the journal is looked at from time to time.
    pub fn without_files(counters: CommitCounters) -> Result<(Self, Bell), JournalError> {
        let (alarm, bell) = FileAlarm::new().map_err(|error| {
            JournalError::write("too many files are open in this process").with_source(error)
        })?;
        let watch = Self {
            alarm,
            times: LookTimes::new(false, Instant::now()),
            counters,
            log: None,
        };
        Ok((watch, bell))
    }

    /// Waits for what is queued, or until `next`; nobody wants to know of other processes.
    pub fn sleep(&mut self, next: Option<Instant>, queued: impl FnOnce() -> bool) {
        self.alarm.wait(next, false, queued);
    }

    /// Waits for what is queued, or until `next`, and looks for other processes' commits when it is time to.
    pub fn wait(
        &mut self,
        committer: &mut Committer,
        next: Option<Instant>,
        queued: impl FnOnce() -> bool,
    ) {
        let look_at = self.times.next();
        let until = next.map_or(look_at, |next| next.min(look_at));
        let minds_writes = self.times.minds_writes();
        self.alarm.wait(Some(until), minds_writes, queued);
        if Instant::now() >= look_at {
            self.look(committer);
        } else if minds_writes {
            let written = self.hear();
            self.times.hear(written, Instant::now());
        }
    }

    /// Looks whether another process has committed something.
    pub fn look(&mut self, committer: &mut Committer) {
        if let (Some(log), true) = (&self.log, self.times.minds_writes()) {
            // Another file may have its name now.
            let _ = self.alarm.watch_file(log);
        }
        // Before the look, so that what is written after it is heard of next time.
        let written = self.hear();
        let new = committer.check_foreign();
        self.times.looked(written, new, Instant::now());
    }

    /// This process has committed something just now.
    pub fn committed(&mut self, now: Instant) {
        let written = self.hear();
        self.times.committed(written, now);
    }

    /// Whether the log was written to since it was last asked.
    fn hear(&mut self) -> bool {
        let Heard { written, released } = self.alarm.take();
        if released {
            // What it kept open is free, which nobody writes down: who follows others looks again.
            self.counters.count_foreign();
        }
        written
    }
}
