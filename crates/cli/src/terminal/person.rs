//! Whether a person is at a terminal here, and who they are.

use super::{detect_agent, parents};
use crate::config::Environment;
use std::io::{self, IsTerminal};

/// Whether a person sees what is written to standard error, and what is read comes from the
/// terminal that controls this process: never from a pipe, whatever standard input is.
pub fn is_here() -> bool {
    io::stderr().is_terminal() && controls()
}

/// Whether a person is at this terminal, and no agent runs us in it.
pub fn is_here_alone() -> bool {
    let environment = Environment::from_process();
    is_here() && why_no_terminal().is_none() && detect_agent::find(&environment).is_none()
}

/// Why this command is not at a terminal of a person's, if it is not: there is no controlling
/// terminal, or what runs the command has nothing to do with the terminal's session.
pub fn why_no_terminal() -> Option<&'static str> {
    if !controls() {
        return Some("no controlling terminal");
    }
    (!parents::walk().complete).then_some("no parents up to the leader of the terminal's session")
}

/// The operating-system user.
pub fn user() -> String {
    whoami::username().unwrap_or_else(|_| "somebody".into())
}

/// Whether prompts are read from the terminal that controls this process.
///
/// Prompts read standard input where that is a terminal, and `/dev/tty` otherwise. A terminal that
/// does not control us is one that another program holds the other end of.
#[cfg(unix)]
fn controls() -> bool {
    let there = std::fs::File::options()
        .read(true)
        .write(true)
        .open("/dev/tty");
    there.is_ok() && (!io::stdin().is_terminal() || rustix::termios::tcgetpgrp(io::stdin()).is_ok())
}

#[cfg(not(unix))]
fn controls() -> bool {
    io::stdin().is_terminal()
}
