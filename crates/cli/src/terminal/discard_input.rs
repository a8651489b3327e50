//! Throws away what was typed before a question was on the screen.
//!
//! A key that was on its way when a question came is no answer to it, whoever typed it and why: the
//! start of a command for the shell, an answer to the question before, a paste.

use super::stop::Stop;
use crossterm::{
    event::{self, Event, KeyCode, KeyModifiers},
    terminal,
};
use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

/// What comes without such a pause belongs together, like the parts of a paste.
const PAUSE: Duration = Duration::from_millis(40);
/// Keys that come for longer than this do not come from a person.
const LONGEST: Duration = Duration::from_secs(10);

/// Throws away what was typed until now, and what still comes with it.
///
/// # Errors
/// When the person pressed Ctrl-C, or the terminal fails.
pub fn discard() -> Result<(), Stop> {
    discard_for(Duration::ZERO)
}

/// Throws away what was typed until now, and what is typed within this time.
///
/// # Errors
/// When the person pressed Ctrl-C, or the terminal fails.
pub fn discard_for(time: Duration) -> Result<(), Stop> {
    let start = Instant::now();
    loop {
        // Each change of the mode makes the reader look again: it is woken by what is new only, and
        // takes a kilobyte at a time.
        let raw = RawMode::enter()?;
        loop {
            let left = time.saturating_sub(start.elapsed());
            if !event::poll(left.max(PAUSE)).map_err(fault)? {
                break;
            }
            if is_interrupt(&event::read().map_err(fault)?) {
                return Err(Stop::Interrupted);
            }
            if start.elapsed() > time + LONGEST {
                return Err(fault(io::Error::other(
                    "keys keep coming from the terminal, so nothing was taken",
                )));
            }
        }
        drop(raw);
        if start.elapsed() >= time && !is_pending() {
            break;
        }
    }
    flush();
    Ok(())
}

/// Throws away what was typed until now, while keys come one by one already.
///
/// # Errors
/// When the terminal fails.
pub fn discard_now() -> io::Result<()> {
    flush();
    while event::poll(Duration::ZERO)? {
        event::read()?;
    }
    Ok(())
}

/// Throws away what the terminal holds for whoever reads it next.
#[cfg(unix)]
pub fn flush() {
    use rustix::termios::{QueueSelector, tcflush};
    let _ = on_terminal(|terminal| tcflush(terminal, QueueSelector::IFlush));
}

#[cfg(not(unix))]
pub fn flush() {}

/// Whether the terminal holds something that was not read.
#[cfg(unix)]
fn is_pending() -> bool {
    on_terminal(|terminal| rustix::io::ioctl_fionread(terminal)).is_some_and(|bytes| bytes > 0)
}

#[cfg(not(unix))]
fn is_pending() -> bool {
    false
}

/// Does something with the terminal that prompts are read from.
#[cfg(unix)]
fn on_terminal<T>(
    action: impl FnOnce(std::os::fd::BorrowedFd<'_>) -> rustix::io::Result<T>,
) -> Option<T> {
    use std::os::fd::AsFd as _;
    let input = io::stdin();
    if input.is_terminal() {
        return action(input.as_fd()).ok();
    }
    let terminal = std::fs::File::open("/dev/tty").ok()?;
    action(terminal.as_fd()).ok()
}

/// The mode in which keys come one by one and are not echoed, for as long as this lives.
pub(super) struct RawMode;

impl RawMode {
    /// Enters it.
    pub fn enter() -> Result<Self, Stop> {
        terminal::enable_raw_mode().map_err(fault)?;
        Ok(Self)
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        let _ = terminal::disable_raw_mode();
    }
}

/// The next event that comes within this time; what interrupts is an end.
pub(super) fn next_event(within: Duration) -> Result<Option<Event>, Stop> {
    if !event::poll(within).map_err(fault)? {
        return Ok(None);
    }
    let event = event::read().map_err(fault)?;
    if is_interrupt(&event) {
        return Err(Stop::Interrupted);
    }
    Ok(Some(event))
}

/// Whether this is Ctrl-C, which is no signal while keys come one by one.
fn is_interrupt(event: &Event) -> bool {
    matches!(event, Event::Key(key)
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL))
}

pub(super) fn fault(error: io::Error) -> Stop {
    Stop::Fault(error.into())
}
