//! What a run has told so far.

use jiff::Timestamp;
use serde_json::Value;
use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::watch;

/// So many lines and artifacts are kept; the oldest go first.
const MOST_ITEMS: usize = 1_000;
/// So much text is kept of one run.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Something that a script tells while it runs.
#[derive(Debug, Clone, PartialEq)]
pub enum Emit {
    /// What it is doing.
    Status(String),
    /// How far it is, from 0 to 1.
    Progress {
        /// From 0 to 1.
        value: f64,
        /// What is being done.
        message: Option<String>,
    },
    /// A line for whoever wants to know more.
    Log {
        /// How much it matters: `debug`, `info`, `warn` or `error`.
        level: String,
        /// The line.
        message: String,
        /// What belongs to it.
        data: Option<Value>,
    },
    /// A word in passing.
    Toast {
        /// The word.
        message: String,
        /// What it means: `success`, `info`, `warning` or `error`.
        tone: String,
    },
    /// It computes, or no longer does.
    Thinking {
        /// Whether it does.
        active: bool,
        /// What about.
        message: Option<String>,
    },
    /// Something that it made.
    Artifact(Artifact),
}

/// Something that a script made.
#[derive(Debug, Clone, PartialEq)]
pub struct Artifact {
    /// What it is.
    pub kind: ArtifactKind,
    /// What it is called.
    pub title: Option<String>,
    /// The text; base64 for an image.
    pub content: String,
    /// The language of code.
    pub language: Option<String>,
    /// The type of an image, such as `image/png`.
    pub mime: Option<String>,
}

/// What an artifact is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArtifactKind {
    /// Text as it is.
    Text,
    /// Markdown, shown rendered.
    Markdown,
    /// Code.
    Code,
    /// JSON.
    Json,
    /// A picture.
    Image,
}

/// Where a run tells what it does.
#[derive(Clone)]
pub struct Live {
    told: Arc<Mutex<Told>>,
    changes: watch::Sender<u64>,
}

/// What was told last, and what was told in order.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub status: Option<String>,
    pub progress: Option<(f64, Option<String>)>,
    pub thinking: Option<Option<String>>,
    items: VecDeque<Item>,
    first: u64,
    bytes: usize,
    /// Counts what was told; see [`Runs::changed_since`](super::Runs).
    pub version: u64,
}

/// One line or artifact.
#[derive(Debug)]
pub(crate) struct Item {
    pub at: Timestamp,
    pub what: Kept,
}

/// What is kept in its order; of the rest the last word counts.
#[derive(Debug)]
pub(crate) enum Kept {
    Log {
        level: String,
        message: String,
        data: Option<Value>,
    },
    Toast {
        message: String,
        tone: String,
    },
    Artifact(Artifact),
}

impl Live {
    /// Tells whoever looks. `changes` counts everything that any run tells.
    pub(crate) fn new(changes: watch::Sender<u64>) -> Self {
        Self {
            told: Arc::default(),
            changes,
        }
    }

    /// Takes what the script emits.
    pub fn tell(&self, emit: Emit) {
        self.told().take(emit);
        self.touch();
    }

    /// Something about the run is new.
    pub(crate) fn touch(&self) {
        // The number is taken while the counter is held: whoever sees the counter sees it too.
        self.changes.send_modify(|count| {
            *count += 1;
            self.told().version = *count;
        });
    }

    pub(crate) fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Told {
    fn take(&mut self, emit: Emit) {
        match emit {
            Emit::Status(message) => self.status = Some(message),
            Emit::Progress { value, message } => self.progress = Some((value, message)),
            Emit::Thinking { active, message } => self.thinking = active.then_some(message),
            Emit::Log {
                level,
                message,
                data,
            } => self.keep(Kept::Log {
                level,
                message,
                data,
            }),
            Emit::Toast { message, tone } => self.keep(Kept::Toast { message, tone }),
            Emit::Artifact(artifact) => self.keep(Kept::Artifact(artifact)),
        }
    }

    fn keep(&mut self, what: Kept) {
        self.bytes += what.size();
        self.items.push_back(Item {
            at: Timestamp::now(),
            what,
        });
        while self.items.len() > MOST_ITEMS || (self.bytes > MOST_BYTES && self.items.len() > 1) {
            if let Some(oldest) = self.items.pop_front() {
                self.bytes -= oldest.what.size();
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
        let mut items = self.items(number);
        match items.next() {
            Some((found, item)) if found == number => match &item.what {
                Kept::Artifact(artifact) => Some(artifact),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Kept {
    fn size(&self) -> usize {
        match self {
            Self::Artifact(artifact) => artifact.content.len(),
            Self::Log { message, data, .. } => {
                message.len() + data.as_ref().map_or(0, |data| data.to_string().len())
            }
            Self::Toast { message, .. } => message.len(),
        }
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live")
            .field("told", &self.told().next())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(message: &str) -> Emit {
        Emit::Log {
            level: "info".into(),
            message: message.into(),
            data: None,
        }
    }

    #[test]
    fn the_last_word_counts_and_lines_are_numbered() {
        let live = Live::new(watch::Sender::new(0));
        live.tell(Emit::Status("one".into()));
        live.tell(log("a"));
        live.tell(Emit::Status("two".into()));
        live.tell(Emit::Thinking {
            active: true,
            message: None,
        });
        live.tell(log("b"));
        let told = live.told();
        assert_eq!(told.status.as_deref(), Some("two"));
        assert_eq!(told.thinking, Some(None));
        let numbers: Vec<_> = told.items(1).map(|(number, _)| number).collect();
        assert_eq!(numbers, [1]);
        assert_eq!((told.next(), told.version), (2, 5));
    }

    #[test]
    fn the_oldest_go_first() {
        let live = Live::new(watch::Sender::new(0));
        for number in 0..MOST_ITEMS + 5 {
            live.tell(log(&number.to_string()));
        }
        assert_eq!(live.told().items(0).next().unwrap().0, 5);
        let large = "x".repeat(MOST_BYTES / 3);
        for _ in 0..4 {
            live.tell(log(&large));
        }
        let told = live.told();
        assert_eq!(told.items(0).count(), 3);
        assert!(told.bytes <= MOST_BYTES);
        assert_eq!(told.next(), MOST_ITEMS as u64 + 9);
    }
}
