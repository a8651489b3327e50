//! One thread's wait: until somebody rings, until watched files change, or until a time.
//!
//! The changes come from the operating system. They are only a hint: who is told of one looks.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::{Bell, FileAlarm};
#[cfg(target_os = "linux")]
pub use linux::{Bell, FileAlarm};

/// What was heard of the files since it was last taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Heard {
    /// A watched file was written to, also by this process.
    pub written: bool,
    /// A process of a watched folder of [`crate::ProcessLock`]s has ended.
    pub released: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        thread,
        time::{Duration, Instant},
    };

    /// So long that only a fault makes a test wait for it.
    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_ring_ends_the_wait_also_one_that_came_before_it() {
        let (alarm, bell) = FileAlarm::new().unwrap();
        let began = Instant::now();
        let rings = thread::spawn({
            let bell = bell.clone();
            move || bell.ring()
        });
        // What was queued before it fell asleep is seen by `arrived`.
        alarm.wait(Some(began + LONG), true, || rings.is_finished());
        rings.join().unwrap();
        alarm.wait(Some(began + LONG), true, || true);
        assert!(began.elapsed() < LONG);
    }

    #[test]
    fn a_time_ends_it() {
        let (alarm, _bell) = FileAlarm::new().unwrap();
        let until = Instant::now() + Duration::from_millis(5);
        while Instant::now() < until {
            alarm.wait(Some(until), true, || false);
        }
    }

    #[cfg(target_os = "linux")]
    mod of_files {
        use super::*;
        use crate::ProcessLock;
        use std::{fs, io::Write};

        #[test]
        fn what_is_written_to_a_file_is_heard() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("file");
            fs::write(&path, "").unwrap();
            let (mut alarm, _bell) = FileAlarm::new().unwrap();
            alarm.watch_file(&path).unwrap();
            fs::write(folder.path().join("other"), "text").unwrap();
            assert_eq!(alarm.take(), Heard::default());
            let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
            assert_eq!(alarm.take(), Heard::default(), "it was only opened");
            for _ in 0..3 {
                file.write_all(b"text").unwrap();
            }
            alarm.wait(Some(Instant::now() + LONG), true, || false);
            let written = Heard {
                written: true,
                released: false,
            };
            assert_eq!(alarm.take(), written);
            assert_eq!(alarm.take(), Heard::default());
            // Another file of that name.
            fs::remove_file(&path).unwrap();
            fs::write(&path, "").unwrap();
            alarm.watch_file(&path).unwrap();
            alarm.take();
            fs::write(&path, "text").unwrap();
            assert_eq!(alarm.take(), written);
        }

        #[test]
        fn the_end_of_a_process_is_heard() {
            let folder = tempfile::tempdir().unwrap();
            let (mut alarm, _bell) = FileAlarm::new().unwrap();
            alarm.watch_locks(folder.path()).unwrap();
            let lock = ProcessLock::take(folder.path(), "one").unwrap();
            assert!(ProcessLock::is_held(folder.path(), "one").unwrap());
            fs::write(folder.path().join("opening"), "").unwrap();
            assert_eq!(alarm.take(), Heard::default(), "one has only begun");
            drop(lock);
            let released = Heard {
                written: false,
                released: true,
            };
            assert_eq!(alarm.take(), released);
        }
    }
}
