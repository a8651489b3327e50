//! Programs that are run to their end, within a bound.

use std::{
    io::Read,
    process::{Child, Command, Output, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

/// Packing a debug build on a busy machine takes long; what takes this long hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs a program to its end, and to that of everything that it started and that writes to the same places.
///
/// # Panics
/// When it cannot be started, or does not end.
#[track_caller]
pub fn finished(command: &mut Command) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = child.spawn();
    let mut running = Running(started.unwrap_or_else(|error| {
        panic!("{command:?} cannot be started; has dev/setup run? {error}")
    }));
    let stdout = running.0.stdout.take().expect("it is piped");
    let stderr = running.0.stderr.take().expect("it is piped");
    let [stdout, stderr] = [read(stdout), read(stderr)].map(|written| {
        let written = written.recv_timeout(PATIENCE);
        written.unwrap_or_else(|_| panic!("{command:?} does not end"))
    });
    Output {
        // It closed what it writes to: it has ended, or is about to.
        status: running.0.wait().expect("it can be waited for"),
        stdout,
        stderr,
    }
}

/// A process that does not outlive its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Reads on a thread of its own: what is full stops who writes.
fn read(mut from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut written = Vec::new();
        let _ = from.read_to_end(&mut written);
        let _ = sender.send(written);
    });
    receiver
}

/// Runs a program that must succeed, and gives what it printed.
///
/// # Panics
/// When it fails.
#[track_caller]
pub fn succeeded(command: &mut Command) -> String {
    let output = finished(command);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?} ended with {}\n{printed}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    printed
}
