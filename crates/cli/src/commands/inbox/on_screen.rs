//! The state on the screen: drawn, given keys and what is new from outside; and the signal to stop.

use super::{
    app::{App, Effect, view},
    list::Open,
};
use crate::{
    commands::serve::shutdown,
    terminal::full_screen::{self, FullScreen},
};
use crossterm::event;
use jiff::Timestamp;
use std::{
    io::{self, Write as _},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How soon something new is shown.
const POLL: Duration = Duration::from_millis(100);
/// How often ages and deadlines are.
const TICK: Duration = Duration::from_secs(1);

/// The state on the screen, with what is new from outside.
pub struct OnScreen {
    /// The state.
    pub app: App,
    /// Where it is drawn.
    pub screen: FullScreen,
    /// The open asks.
    pub open: watch::Receiver<Open>,
    /// The end of the ask that is open.
    pub ended: Option<watch::Receiver<Option<holdpoint::Decision>>>,
    /// Fires at the signal to stop.
    pub stop: CancellationToken,
}

impl OnScreen {
    /// Draws and takes keys until something is to be done outside.
    ///
    /// # Errors
    /// When the terminal fails.
    pub fn run(&mut self) -> anyhow::Result<Effect> {
        let mut drawn: Option<Instant> = None;
        let mut first = true;
        loop {
            let clock = Instant::now();
            if first || self.open.has_changed().unwrap_or(false) {
                let open = self.open.borrow_and_update().clone();
                let known = !first || self.app.knows_any();
                if self.app.list(open, Timestamp::now(), clock) && known {
                    io::stderr().write_all(b"\x07")?;
                }
                drawn = None;
                first = false;
            }
            let ended = self.ended.as_ref().and_then(|ended| ended.borrow().clone());
            if let Some(decision) = ended {
                self.app.ended_elsewhere(&decision);
                self.ended = None;
                drawn = None;
            }
            // A change of size that comes together with a key is not always told.
            if let Ok(size) = crossterm::terminal::size()
                && size != self.app.size
            {
                self.app.resize(size.0, size.1);
                drawn = None;
            }
            let deaf = !self.app.hears(clock);
            if deaf || drawn.is_none_or(|at| at.elapsed() >= TICK) {
                self.app.tick(Timestamp::now());
                self.screen
                    .terminal
                    .draw(|frame| view::draw(&self.app, frame, clock))?;
                let shown = self.app.drawn(Timestamp::now());
                drawn = (!deaf && !shown).then_some(clock);
            }
            if self.stop.is_cancelled() {
                return Ok(Effect::Quit);
            }
            if !event::poll(POLL)? {
                continue;
            }
            let came = event::read()?;
            drawn = None;
            if let Some(effect) = self.app.update(came, Instant::now()) {
                return Ok(effect);
            }
        }
    }
}

/// The signal to stop.
pub struct Stop {
    /// Fires then.
    pub token: CancellationToken,
    /// A program of the person's has the terminal: signals of its keys are for that.
    pub paused: Arc<AtomicBool>,
}

impl Stop {
    /// Waits for it from now on.
    ///
    /// # Errors
    /// When signals cannot be waited for.
    pub fn on_signal() -> io::Result<Self> {
        let token = CancellationToken::new();
        let paused = Arc::new(AtomicBool::new(false));
        let (fired, waits) = (token.clone(), paused.clone());
        let mut told = Box::pin(shutdown::requested()?);
        tokio::spawn(async move {
            loop {
                told.await;
                if !waits.load(Ordering::SeqCst) {
                    break;
                }
                match shutdown::requested() {
                    Ok(again) => told = Box::pin(again),
                    Err(_) => break,
                }
            }
            fired.cancel();
            full_screen::restore();
        });
        Ok(Self { token, paused })
    }
}
