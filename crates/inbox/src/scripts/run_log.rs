//! What a run has emitted so far: the last status, and the newest lines and artifacts.

use futures::{FutureExt, future::BoxFuture};
use holdpoint::{Artifact, Emit, Emits};
use jiff::Timestamp;
use std::{
    collections::VecDeque,
    fmt,
    future::ready,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::watch;

/// How many lines and artifacts are kept; the oldest go first.
const MOST_ITEMS: usize = 1_000;
/// How much text is kept of one run.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Takes what a run emits, and keeps it for the page.
#[derive(Clone)]
pub struct RunLog {
    emitted: Arc<Mutex<Emitted>>,
    changes: watch::Sender<u64>,
}

/// The last status, progress and thinking of a run, and its lines and artifacts in order.
#[derive(Debug, Default)]
pub(crate) struct Emitted {
    pub status: Option<String>,
    pub progress: Option<(f64, Option<String>)>,
    pub thinking: Option<Option<String>>,
    items: VecDeque<Item>,
    first: u64,
    bytes: usize,
    /// The value of the page's counter when something was emitted last; see
    /// [`Runs::changed_since`](super::Runs).
    pub version: u64,
}

/// A log line, a toast or an artifact.
#[derive(Debug)]
pub(crate) struct Item {
    pub at: Timestamp,
    pub emit: Emit,
}

impl RunLog {
    /// An empty log. `changes` counts everything that any run emits.
    pub(crate) fn new(changes: watch::Sender<u64>) -> Self {
        Self {
            emitted: Arc::default(),
            changes,
        }
    }

    /// Adds an event.
    pub fn push(&self, emit: Emit) {
        self.emitted().push(emit);
        self.touch();
    }

    /// Says that something about the run is new.
    pub(crate) fn touch(&self) {
        // The number is taken while the counter is held: whoever sees the counter sees it too.
        self.changes.send_modify(|count| {
            *count += 1;
            self.emitted().version = *count;
        });
    }

    pub(crate) fn emitted(&self) -> MutexGuard<'_, Emitted> {
        self.emitted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Emits for RunLog {
    fn emit(&self, emit: Emit) -> BoxFuture<'_, ()> {
        self.push(emit);
        ready(()).boxed()
    }
}

impl Emitted {
    fn push(&mut self, emit: Emit) {
        match emit {
            Emit::Status { message, .. } => self.status = Some(message),
            Emit::Progress { value, message } => self.progress = Some((value, message)),
            Emit::Thinking { active, message } => self.thinking = active.then_some(message),
            Emit::Log { .. } | Emit::Toast { .. } | Emit::Artifact(_) => self.keep(emit),
        }
    }

    fn keep(&mut self, emit: Emit) {
        self.bytes += size(&emit);
        let at = Timestamp::now();
        self.items.push_back(Item { at, emit });
        while self.items.len() > MOST_ITEMS || (self.bytes > MOST_BYTES && self.items.len() > 1) {
            if let Some(oldest) = self.items.pop_front() {
                self.bytes -= size(&oldest.emit);
                self.first += 1;
            }
        }
    }

    /// The kept lines and artifacts with this number or a later one.
    pub fn items(&self, from: u64) -> impl Iterator<Item = (u64, &Item)> {
        (self.first..)
            .zip(&self.items)
            .filter(move |(number, _)| *number >= from)
    }

    /// The number that the next line or artifact will have.
    pub fn next(&self) -> u64 {
        self.first + self.items.len() as u64
    }

    /// The artifact with this number.
    pub fn artifact(&self, number: u64) -> Option<&Artifact> {
        match self.items(number).next() {
            Some((found, item)) if found == number => match &item.emit {
                Emit::Artifact(artifact) => Some(artifact),
                _ => None,
            },
            _ => None,
        }
    }
}

fn size(emit: &Emit) -> usize {
    match emit {
        Emit::Artifact(artifact) => artifact.content.len(),
        Emit::Log { message, data, .. } => {
            message.len() + data.as_ref().map_or(0, |data| data.to_string().len())
        }
        Emit::Toast { message, .. } => message.len(),
        _ => 0,
    }
}

impl fmt::Debug for RunLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunLog")
            .field("items", &self.emitted().next())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint::{Level, Tone};

    fn log(message: &str) -> Emit {
        Emit::Log {
            level: Level::Info,
            message: message.into(),
            data: None,
        }
    }

    fn status(message: &str) -> Emit {
        Emit::Status {
            message: message.into(),
            tone: Tone::Info,
        }
    }

    #[test]
    fn the_last_word_counts_and_lines_are_numbered() {
        let run = RunLog::new(watch::Sender::new(0));
        run.push(status("one"));
        run.push(log("a"));
        run.push(status("two"));
        run.push(Emit::Thinking {
            active: true,
            message: None,
        });
        run.push(log("b"));
        let emitted = run.emitted();
        assert_eq!(emitted.status.as_deref(), Some("two"));
        assert_eq!(emitted.thinking, Some(None));
        let numbers: Vec<_> = emitted.items(1).map(|(number, _)| number).collect();
        assert_eq!(numbers, [1]);
        assert_eq!((emitted.next(), emitted.version), (2, 5));
    }

    #[test]
    fn the_oldest_go_first() {
        let run = RunLog::new(watch::Sender::new(0));
        for number in 0..MOST_ITEMS + 5 {
            run.push(log(&number.to_string()));
        }
        assert_eq!(run.emitted().items(0).next().unwrap().0, 5);
        let large = "x".repeat(MOST_BYTES / 3);
        for _ in 0..4 {
            run.push(log(&large));
        }
        let emitted = run.emitted();
        assert_eq!(emitted.items(0).count(), 3);
        assert!(emitted.bytes <= MOST_BYTES);
        assert_eq!(emitted.next(), MOST_ITEMS as u64 + 9);
    }
}
