//! The whole screen of the terminal, for as long as a program wants it.

use crossterm::{cursor, event, execute, terminal};
use ratatui::{Terminal, backend::CrosstermBackend};
use std::{
    env,
    io::{self, BufWriter, Stderr},
    panic,
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
};

/// The other screen of the terminal: entered when it is made, left when it is dropped, and left before a
/// panic is told.
pub struct FullScreen {
    /// What is drawn on.
    pub terminal: Terminal<CrosstermBackend<BufWriter<Stderr>>>,
}

/// Whether the other screen is shown.
static SHOWN: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

impl FullScreen {
    /// Enters it. With the mouse, its wheel and clicks come here, and a terminal selects text only with Shift.
    ///
    /// # Errors
    /// When the terminal fails.
    pub fn enter(mouse: bool) -> io::Result<Self> {
        HOOK.call_once(|| {
            let told = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                restore();
                told(info);
            }));
        });
        terminal::enable_raw_mode()?;
        SHOWN.store(true, Ordering::SeqCst);
        // From here on a failure leaves it as it was, too.
        let entered = execute!(
            io::stderr(),
            terminal::EnterAlternateScreen,
            event::EnableBracketedPaste,
            cursor::Hide
        );
        let made = entered.and_then(|()| {
            let out = BufWriter::with_capacity(32 * 1024, io::stderr());
            Terminal::new(CrosstermBackend::new(out))
        });
        let terminal = made.inspect_err(|_| restore())?;
        let screen = Self { terminal };
        screen.capture_mouse(mouse)?;
        Ok(screen)
    }

    /// Takes the mouse, or leaves it to the terminal.
    ///
    /// # Errors
    /// When the terminal fails.
    pub fn capture_mouse(&self, on: bool) -> io::Result<()> {
        if on {
            execute!(io::stderr(), event::EnableMouseCapture)
        } else {
            execute!(io::stderr(), event::DisableMouseCapture)
        }
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        restore();
    }
}

/// Whether the other screen is shown.
pub fn is_shown() -> bool {
    SHOWN.load(Ordering::SeqCst)
}

/// Gives the terminal back as it was, where it is not yet.
pub fn restore() {
    if SHOWN.swap(false, Ordering::SeqCst) {
        let _ = execute!(
            io::stderr(),
            event::DisableMouseCapture,
            event::DisableBracketedPaste,
            cursor::Show,
            terminal::LeaveAlternateScreen
        );
        let _ = terminal::disable_raw_mode();
    }
}

/// Whether this terminal has a screen to draw on.
pub fn is_possible() -> bool {
    let term = env::var("TERM").unwrap_or_default();
    !matches!(term.as_str(), "" | "dumb")
        && terminal::size().is_ok_and(|(columns, rows)| columns >= 20 && rows >= 6)
}
