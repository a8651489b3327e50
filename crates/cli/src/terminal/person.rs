//! Whether a person is at a terminal here, and who they are.

use super::detect_agent;
use crate::config::Environment;
use std::io::{self, IsTerminal};

/// Whether a person sees what is written to standard error, and what is read comes from the
/// terminal that controls this process: never from a pipe, whatever standard input is.
pub fn is_here() -> bool {
    io::stderr().is_terminal() && controls()
}

/// Whether a person is at this terminal, and no agent runs us in it.
pub fn is_here_alone() -> bool {
    is_here() && detect_agent::mark(&Environment::from_process()).is_none()
}

/// Why an answer from here may be an agent's: the marks of one, or no controlling terminal.
pub fn inside_agent(environment: &Environment) -> Option<String> {
    detect_agent::mark(environment)
        .or_else(|| (!controls()).then(|| "no controlling terminal".into()))
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
