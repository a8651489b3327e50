//! By inotify and an eventfd.

use super::Heard;
use rustix::{
    event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll},
    fd::OwnedFd,
    fs::inotify::{self, ReadFlags, WatchFlags},
    io::{read, write},
};
use std::{
    io,
    mem::MaybeUninit,
    path::Path,
    slice,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering, fence},
    },
    time::Instant,
};

/// Wakes the thread that waits. Clones ring the same one.
#[derive(Debug, Clone)]
pub struct Bell(Arc<Rung>);

#[derive(Debug)]
struct Rung {
    event: OwnedFd,
    /// Somebody waits, and has not been woken yet: who is awake need not be rung.
    asleep: AtomicBool,
}

impl Bell {
    /// Ends the wait. What was queued before it is seen by who waited.
    pub fn ring(&self) {
        fence(Ordering::SeqCst);
        if self.0.asleep.swap(false, Ordering::SeqCst) {
            let _ = write(&self.0.event, &1u64.to_ne_bytes());
        }
    }
}

/// See the module. It belongs to one thread.
#[derive(Debug)]
pub struct FileAlarm {
    bell: Bell,
    /// None where the system has no more of them for this user.
    changes: Option<OwnedFd>,
}

impl FileAlarm {
    /// Watches nothing yet.
    ///
    /// # Errors
    /// When the process has too many files open.
    pub fn new() -> io::Result<(Self, Bell)> {
        let event = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let bell = Bell(Arc::new(Rung {
            event,
            asleep: AtomicBool::new(false),
        }));
        let flags = inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK;
        let alarm = Self {
            bell: bell.clone(),
            changes: inotify::init(flags).ok(),
        };
        Ok((alarm, bell))
    }

    /// Hears from now on when this file is written to; again, where another file has the path now.
    ///
    /// # Errors
    /// When there is no such file, or the system's watches have run out.
    pub fn watch_file(&self, path: &Path) -> io::Result<()> {
        self.watch(path, WatchFlags::MODIFY)
    }

    /// Hears from now on when the process of a lock in this folder ends, however it does.
    ///
    /// # Errors
    /// As [`FileAlarm::watch_file`].
    pub fn watch_locks(&self, folder: &Path) -> io::Result<()> {
        self.watch(folder, WatchFlags::CLOSE_WRITE | WatchFlags::ONLYDIR)
    }

    fn watch(&self, path: &Path, flags: WatchFlags) -> io::Result<()> {
        let changes = self.changes.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        inotify::add_watch(changes, path, flags)?;
        Ok(())
    }

    /// What was heard since it was last taken.
    pub fn take(&mut self) -> Heard {
        let mut heard = Heard::default();
        let Some(changes) = &self.changes else {
            return heard;
        };
        let mut room = [MaybeUninit::uninit(); 1024];
        let mut events = inotify::Reader::new(changes, &mut room);
        while let Ok(event) = events.next() {
            let lost = event.events().contains(ReadFlags::QUEUE_OVERFLOW);
            let closed = event.events().contains(ReadFlags::CLOSE_WRITE);
            heard.written |= lost || event.events().contains(ReadFlags::MODIFY);
            let is_lock = |name: &std::ffi::CStr| name.to_bytes().ends_with(b".lock");
            heard.released |= lost || closed && event.file_name().is_some_and(is_lock);
        }
        heard
    }

    /// Waits until the bell rings, until something was heard of the files if `files` says so, or until
    /// a time; or not at all where `arrived` says that what is waited for is there. It may also end for
    /// no reason.
    pub fn wait(&self, until: Option<Instant>, files: bool, arrived: impl FnOnce() -> bool) {
        let Rung { event, asleep } = &*self.bell.0;
        let mut rung = PollFd::new(event, PollFlags::IN);
        asleep.store(true, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if !arrived() {
            let timeout = until.map(|until| {
                let left = until.saturating_duration_since(Instant::now());
                Timespec {
                    tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
                    tv_nsec: left.subsec_nanos().into(),
                }
            });
            match self.changes.as_ref().filter(|_| files) {
                Some(changes) => {
                    let changed = PollFd::new(changes, PollFlags::IN);
                    let mut both = [rung, changed];
                    let _ = poll(&mut both, timeout.as_ref());
                    [rung, _] = both;
                }
                None => {
                    let _ = poll(slice::from_mut(&mut rung), timeout.as_ref());
                }
            }
        }
        // A ring may have come although nobody slept any more, and even after this look: it ends one wait for no
        // reason, and never a second one.
        let has_rung = !asleep.swap(false, Ordering::SeqCst);
        if has_rung || rung.revents().contains(PollFlags::IN) {
            let _ = read(event, &mut [0; 8]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_ring_that_comes_when_the_sleeper_is_up_already_ends_one_wait_and_no_more() {
        let (alarm, bell) = FileAlarm::new().unwrap();
        // Whoever rings has seen it asleep, and writes when it no longer is.
        write(&bell.0.event, &1u64.to_ne_bytes()).unwrap();
        for files in [false, true] {
            alarm.wait(
                Some(Instant::now() + Duration::from_secs(60)),
                files,
                || files,
            );
        }
        let until = Instant::now() + Duration::from_millis(5);
        alarm.wait(Some(until), true, || false);
        assert!(Instant::now() >= until);
    }
}
