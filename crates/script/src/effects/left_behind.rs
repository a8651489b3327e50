//! Ends what a program has started and left behind, even where it has left the program's session.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The variable by which what an effect started is known: a process that starts another one hands its
/// environment on.
const VARIABLE: &str = "SCRIPT_EFFECT";

/// What distinguishes the processes of one effect from all others.
#[derive(Debug)]
pub(super) struct EffectMark(String);

impl EffectMark {
    /// A mark that no other effect of this machine has now.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Relaxed);
        Self(format!("{}-{number}", std::process::id()))
    }

    /// The variable that carries it.
    pub fn variable(&self) -> (&'static str, &str) {
        (VARIABLE, &self.0)
    }

    /// Ends every process that has this mark, and what those have started. One that has left its
    /// session, lost its parent and cleared its environment cannot be told from a stranger's.
    #[cfg(target_os = "linux")]
    pub fn end_all(&self, program: Option<u32>) {
        /// What is started while others are ended is found in the next round.
        const ROUNDS: usize = 20;
        let entry = format!("{VARIABLE}={}", self.0);
        for _ in 0..ROUNDS {
            let found = linux::find(entry.as_bytes(), program);
            if found.is_empty() {
                return;
            }
            linux::end(&found);
        }
        tracing::warn!("a program of a script starts processes faster than they can be ended");
    }

    /// Only Linux shows the environment of other processes.
    #[cfg(not(target_os = "linux"))]
    pub fn end_all(&self, _program: Option<u32>) {}
}

#[cfg(target_os = "linux")]
mod linux {
    use rustix::{
        event::{PollFd, PollFlags, Timespec, poll},
        process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal},
    };
    use std::{fs, os::fd::OwnedFd};

    /// A process, held so that its number cannot come to mean another one.
    pub struct Process {
        pid: u32,
        parent: u32,
        is_marked: bool,
        held: OwnedFd,
    }

    /// Ends processes, and waits for a moment until they have ended.
    pub fn end(processes: &[Process]) {
        for process in processes {
            // It may have ended by itself.
            let _ = pidfd_send_signal(&process.held, Signal::KILL);
        }
        let moment = Timespec {
            tv_sec: 0,
            tv_nsec: 100_000_000,
        };
        for process in processes {
            let _ = poll(
                &mut [PollFd::new(&process.held, PollFlags::IN)],
                Some(&moment),
            );
        }
    }

    /// The processes with this entry in their environment, and all that were started by those or by
    /// the program. What has ended already is not among them.
    pub fn find(entry: &[u8], program: Option<u32>) -> Vec<Process> {
        let all = fs::read_dir("/proc").into_iter().flatten().flatten();
        let all = all.filter_map(|process| open(process.file_name().to_str()?, entry));
        let mut others: Vec<_> = all.collect();
        let mut found: Vec<Process> = Vec::new();
        loop {
            let belongs = |process: &mut Process| {
                process.is_marked
                    || program == Some(process.parent)
                    || found.iter().any(|known| known.pid == process.parent)
            };
            let more: Vec<_> = others.extract_if(.., belongs).collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    fn open(name: &str, entry: &[u8]) -> Option<Process> {
        let pid: u32 = name.parse().ok()?;
        let held = pidfd_open(
            Pid::from_raw(i32::try_from(pid).ok()?)?,
            PidfdFlags::empty(),
        )
        .ok()?;
        // Read after it is held: so it is about the process that is held.
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // Its name, in parentheses, may contain anything.
        let mut fields = stat[stat.rfind(')')? + 1..].split_ascii_whitespace();
        let (state, parent) = (fields.next()?, fields.next()?.parse().ok()?);
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let is_marked = environment.split(|byte| *byte == 0).any(|one| one == entry);
        (state != "Z" && state != "X").then_some(Process {
            pid,
            parent,
            is_marked,
            held,
        })
    }
}
