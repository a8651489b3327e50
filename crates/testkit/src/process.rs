//! Real processes, which do not outlive their test.

use crate::PATIENCE;
use std::{
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

/// A process that is killed when it is dropped, or when it takes too long.
pub struct Process {
    child: Child,
    /// Held while it may run; the watch over it ends with this.
    watched: Option<mpsc::Sender<()>>,
}

impl Process {
    /// Starts a command; its standard output can be read.
    pub fn start(command: &mut Command) -> Self {
        Self::logging(command, Stdio::null())
    }

    /// Starts a command whose log goes there.
    pub fn logging(command: &mut Command, log: Stdio) -> Self {
        Self::lasting(command, log, PATIENCE)
    }

    /// Starts a command that may take so long, and whose log goes there.
    pub fn lasting(command: &mut Command, log: Stdio, patience: Duration) -> Self {
        let command = command.stdout(Stdio::piped()).stderr(log);
        let child = command.spawn().unwrap();
        let pid = child.id();
        let (watched, ended) = mpsc::channel();
        thread::spawn(move || {
            if ended.recv_timeout(patience) == Err(mpsc::RecvTimeoutError::Timeout) {
                signal("-KILL", pid);
            }
        });
        Self {
            child,
            watched: Some(watched),
        }
    }

    /// The child that it is.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Asks it to stop.
    pub fn terminate(&self) {
        self.signal("-TERM");
    }

    /// Sends it a signal, such as `-STOP`.
    pub fn signal(&self, name: &str) {
        signal(name, self.child.id());
    }

    /// Waits for its end, and says how it ended.
    pub fn ended(&mut self) -> ExitStatus {
        let status = self.child.wait().unwrap();
        self.watched = None;
        status
    }
}

/// Sends a signal to a process.
pub(crate) fn signal(signal: &str, pid: u32) {
    let sent = Command::new("kill")
        .args([signal, &pid.to_string()])
        .status();
    assert!(sent.unwrap().success());
}

impl Drop for Process {
    fn drop(&mut self) {
        self.watched = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
