//! Telling a person that an ask waits.
//!
//! | module | holds |
//! |---|---|
//! | [`channel`] | a channel that tells its person of what it shows |
//! | [`news`] | what is told |
//! | [`quiet`] | the hours in which nobody is told |
//! | `command`, `webhook`, `desktop` | the hooks |
//!
//! It happens in the process that opened the ask, beside the ask: a hook that fails or hangs delays
//! nothing and decides nothing.

pub mod channel;
mod command;
mod desktop;
pub mod news;
pub mod quiet;
mod webhook;

pub use channel::Notified;
pub use news::News;
pub use quiet::Quiet;

use crate::config::Notify;
use holdpoint::Showing;
use jiff::{Timestamp, Zoned};
use std::{
    io::{self, IsTerminal, Write},
    sync::Arc,
    time::Duration,
};
use tokio::sync::Semaphore;

/// A person who sits before their client sees the form there; after this long, perhaps not.
pub const GRACE: Duration = Duration::from_secs(20);
/// A hook that takes longer is given up.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// So many hooks run at once; the others wait.
const AT_ONCE: usize = 4;

/// Tells a person that an ask waits, in every way that they set up.
#[derive(Debug)]
pub struct Notifier {
    hooks: Notify,
    grace: Duration,
    patience: Duration,
    running: Arc<Semaphore>,
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
            running: Arc::new(Semaphore::new(AT_ONCE)),
        })
    }

    /// Tells of this ask: at once where nothing but the inbox shows it, otherwise when it still
    /// waits after a while; in quiet hours when they are over. Returns at once.
    pub fn tell(self: &Arc<Self>, showing: &Showing, url: Option<String>) {
        let news = News::of(showing, url);
        let grace = match showing.in_client() {
            true => self.grace,
            false => Duration::ZERO,
        };
        let (notifier, ended) = (self.clone(), showing.ended.clone());
        tokio::spawn(async move {
            let due = async {
                tokio::time::sleep(grace).await;
                while let Some(left) = notifier.quiet() {
                    tokio::time::sleep(left).await;
                }
            };
            tokio::select! {
                biased;
                () = ended.cancelled() => {}
                () = due => notifier.ring(news).await,
            }
        });
    }

    fn quiet(&self) -> Option<Duration> {
        self.hooks.quiet?.left(&Zoned::now())
    }

    async fn ring(&self, news: News) {
        bell();
        let Ok(_turn) = self.running.acquire().await else {
            return;
        };
        let json = news.json();
        if let Some(program) = &self.hooks.command {
            report(
                "notify.command",
                command::run(program, &json, self.patience).await,
            );
        }
        if let Some(url) = self.hooks.url.clone() {
            let (secret, patience) = (self.hooks.secret.clone(), self.patience);
            let posted = tokio::task::spawn_blocking(move || {
                webhook::post(&url, secret.as_ref(), &json, Timestamp::now(), patience)
            });
            report("notify.url", posted.await.unwrap_or(Err(HookError::Late)));
        }
        if self.hooks.desktop == Some(true) {
            let shown = tokio::task::spawn_blocking(move || desktop::show(&news));
            report(
                "notify.desktop",
                shown.await.unwrap_or(Err(HookError::Late)),
            );
        }
    }
}

/// Rings the bell of the terminal in which this process runs, if it runs in one.
fn bell() {
    let mut terminal = io::stderr();
    if terminal.is_terminal() {
        let _ = terminal.write_all(b"\x07");
    }
}

fn report(hook: &str, done: Result<(), HookError>) {
    if let Err(error) = done {
        tracing::warn!(%error, "{hook} did not work; the ask waits all the same");
    }
}

/// Why a hook did not work.
#[derive(Debug, thiserror::Error)]
enum HookError {
    #[error("it names no program")]
    NoProgram,
    #[error("it cannot be started: {0}")]
    Start(io::Error),
    #[error("it failed: {0}")]
    Failed(String),
    #[error("it took too long and was given up")]
    Late,
}
