//! The processes of a server: the one that was started, and its children.

use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs, thread,
    time::{Duration, Instant},
};

/// What takes longer than this fails.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Looks again until it is there, and gives it.
#[track_caller]
pub fn until<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "{what}: not yet");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal to a process, which may have ended.
pub fn signal(process: u32, signal: Signal) {
    let process = Pid::from_raw(process.try_into().unwrap()).unwrap();
    let _ = kill_process(process, signal);
}

/// The processes that this one started and that run.
pub fn children(process: u32) -> Vec<u32> {
    let path = format!("/proc/{process}/task/{process}/children");
    let text = fs::read_to_string(path).unwrap_or_default();
    let numbers = text.split_whitespace().map(str::parse);
    numbers.collect::<Result<_, _>>().unwrap()
}

/// Whether a process runs. One that has ended may still be there, as long as nobody has looked how it ended.
pub fn is_running(process: u32) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = state.rsplit_once(") ").map(|(_, rest)| rest);
    state.is_some_and(|state| !state.starts_with(['Z', 'X']))
}
