//! Telling a person that an ask waits.
//!
//! | module | holds |
//! |---|---|
//! | [`payload`] | what a hook gets |
//! | [`queue`] | the notifications that are due later |
//! | [`quiet`] | the hours in which nobody is notified |
//! | `command`, `webhook`, `desktop` | the hooks |
//!
//! It happens in the process that opened the ask, beside the ask: a hook that fails or hangs delays
//! nothing and decides nothing.

mod command;
mod desktop;
pub mod payload;
pub mod queue;
pub mod quiet;
mod webhook;

pub use payload::Payload;
pub use quiet::Quiet;

use crate::{config::Notify, observed_channel::ObservedChannel};
use holdpoint::{AskId, Channel, Origin, Showing};
use jiff::{Timestamp, Zoned};
use queue::{MayEnd, Queue};
use std::{
    io::{self, IsTerminal, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{Notify as Wake, Semaphore},
    time::Instant,
};

/// A person who sits before their client sees the form there; after this long, perhaps not.
pub const GRACE: Duration = Duration::from_secs(20);
/// A hook that takes longer is given up.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// So many hooks run at once; the others wait.
const AT_ONCE: usize = 4;

/// Where an ask can be answered.
type Address = dyn Fn(AskId) -> String + Send + Sync;

/// Tells a person that an ask waits, in every way that they set up.
#[derive(Debug)]
pub struct Notifier {
    hooks: Notify,
    grace: Duration,
    patience: Duration,
    bell: bool,
    running: Arc<Semaphore>,
    later: Mutex<Later>,
    /// The next one is another.
    sooner: Wake,
}

/// The notifications that are due later, sent by one task.
#[derive(Debug, Default)]
struct Later {
    queue: Queue<Waiting>,
    /// The task runs.
    running: bool,
}

/// An ask of which a person is to be notified.
struct Waiting {
    showing: Showing,
    address: Arc<Address>,
}

impl Notifier {
    /// One that does as the configuration says.
    pub fn new(hooks: Notify) -> Arc<Self> {
        Self::with_times(hooks, GRACE, PATIENCE)
    }

    /// One with other times than the usual ones.
    pub fn with_times(hooks: Notify, grace: Duration, patience: Duration) -> Arc<Self> {
        Arc::new(Self {
            hooks,
            grace,
            patience,
            bell: io::stderr().is_terminal(),
            running: Arc::new(Semaphore::new(AT_ONCE)),
            later: Mutex::default(),
            sooner: Wake::new(),
        })
    }

    /// This channel, with notifications of what it shows; the address is where an ask is answered.
    pub fn observe(
        self: Arc<Self>,
        channel: Arc<dyn Channel>,
        address: impl Fn(AskId) -> String + Send + Sync + 'static,
    ) -> ObservedChannel {
        let address: Arc<Address> = Arc::new(address);
        ObservedChannel::new(channel, move |showing| {
            // After an invalid reply it is delivered again: the person knows of it already.
            if showing.errors().is_empty() {
                self.notify(showing, &address);
            }
        })
    }

    /// Notifies of this ask: at once where nothing but the inbox shows it, otherwise when it still
    /// waits after a while; in quiet hours when they are over. Returns at once.
    fn notify(self: &Arc<Self>, showing: &Showing, address: &Arc<Address>) {
        if !self.is_set_up() {
            return;
        }
        // Who runs a script on the page sits before it as well.
        let on_page = showing.origin().principal.starts_with(Origin::PAGE);
        let grace = if showing.in_client() || on_page {
            self.grace
        } else {
            Duration::ZERO
        };
        let waiting = Waiting {
            showing: showing.clone(),
            address: address.clone(),
        };
        self.put(grace, waiting);
    }

    fn is_set_up(&self) -> bool {
        let Notify {
            command,
            url,
            desktop,
            ..
        } = &self.hooks;
        self.bell || command.is_some() || url.is_some() || *desktop == Some(true)
    }

    fn put(self: &Arc<Self>, wait: Duration, waiting: Waiting) {
        let mut later = self.later();
        let sooner = later.queue.push(Instant::now() + wait, waiting);
        if !std::mem::replace(&mut later.running, true) {
            tokio::spawn(self.clone().run());
        } else if sooner {
            self.sooner.notify_one();
        }
    }

    /// Sends everything at its time; ends when nothing is left.
    async fn run(self: Arc<Self>) {
        while let Some(next) = self.next() {
            let now = Instant::now();
            if next > now {
                tokio::select! {
                    () = tokio::time::sleep_until(next) => {}
                    () = self.sooner.notified() => {}
                }
                continue;
            }
            let due = self.later().queue.take(now);
            let Some(waiting) = due else {
                continue;
            };
            if let Some(left) = self.quiet() {
                self.put(left, waiting);
                continue;
            }
            if self.bell {
                bell();
            }
            let Ok(turn) = self.running.clone().acquire_owned().await else {
                return;
            };
            if !waiting.has_ended() {
                let payload = waiting.payload();
                let notifier = self.clone();
                tokio::spawn(async move {
                    notifier.ring(payload).await;
                    drop(turn);
                });
            }
        }
    }

    /// When the next one is due. Where there is none, the task has ended.
    fn next(&self) -> Option<Instant> {
        let mut later = self.later();
        let next = later.queue.due_at();
        later.running = next.is_some();
        next
    }

    fn later(&self) -> MutexGuard<'_, Later> {
        self.later.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn quiet(&self) -> Option<Duration> {
        self.hooks.quiet?.left(&Zoned::now())
    }

    async fn ring(&self, payload: Payload) {
        for (hook, done) in send(&self.hooks, payload, self.patience).await {
            report(hook, done);
        }
    }
}

/// Sends a notification that is about no ask, in every way that is set, and gives what came of each.
pub async fn try_out(hooks: &Notify) -> Vec<(&'static str, Result<(), HookError>)> {
    send(hooks, Payload::for_trial(), PATIENCE).await
}

/// Sends it in every way that is set, one after another.
async fn send(
    hooks: &Notify,
    payload: Payload,
    patience: Duration,
) -> Vec<(&'static str, Result<(), HookError>)> {
    let json = payload.json();
    let mut sent = Vec::new();
    if let Some(program) = &hooks.command {
        sent.push((
            "notify.command",
            command::run(program, &json, patience).await,
        ));
    }
    if let Some(url) = hooks.url.clone() {
        let secret = hooks.secret.clone();
        let posted = tokio::task::spawn_blocking(move || {
            webhook::post(&url, secret.as_ref(), &json, Timestamp::now(), patience)
        });
        sent.push(("notify.url", posted.await.unwrap_or(Err(HookError::Late))));
    }
    if hooks.desktop == Some(true) {
        let shown = tokio::task::spawn_blocking(move || desktop::show(&payload));
        sent.push((
            "notify.desktop",
            shown.await.unwrap_or(Err(HookError::Late)),
        ));
    }
    sent
}

impl Waiting {
    fn payload(&self) -> Payload {
        Payload::from_showing(&self.showing, Some((self.address)(self.showing.id())))
    }
}

impl MayEnd for Waiting {
    fn has_ended(&self) -> bool {
        self.showing.is_ended()
    }
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Waiting").field(&self.showing.id()).finish()
    }
}

/// Rings the bell of the terminal in which this process runs.
fn bell() {
    let _ = io::stderr().write_all(b"\x07");
}

fn report(hook: &str, done: Result<(), HookError>) {
    if let Err(error) = done {
        tracing::warn!(%error, "{hook} did not work; the ask still waits");
    }
}

/// Why a hook did not work.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    /// The list of the program and its arguments is empty.
    #[error("no program is set")]
    NoProgram,
    /// The program does not start.
    #[error("it cannot be started: {0}")]
    Start(io::Error),
    /// It says that it failed.
    #[error("it failed: {0}")]
    Failed(String),
    /// It does not end.
    #[error("it took too long and was given up")]
    Late,
}
