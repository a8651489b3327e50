//! The runs that were begun on this page: how many at once, and which are kept.

use super::{Live, Scripts, Wanted};
use holdpoint::{CallId, Desk, FlowRun};
use jiff::Timestamp;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// So many run at once.
const MOST_RUNNING: usize = 16;
/// So many that have ended are kept with all that they told.
const MOST_ENDED: usize = 32;

/// The runs of this page.
#[derive(Debug)]
pub struct Runs {
    kept: Mutex<Vec<Arc<Begun>>>,
    changes: watch::Sender<u64>,
}

/// A run that was begun here.
#[derive(Debug)]
pub(crate) struct Begun {
    pub id: CallId,
    pub tool: String,
    pub arguments: Value,
    pub begun_at: Timestamp,
    pub live: Live,
    pub run: FlowRun,
    ended: Mutex<Option<(Timestamp, Value)>>,
}

/// Why a run was not begun.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotBegun {
    #[error("{MOST_RUNNING} runs are under way: wait until one has ended, or take one back")]
    TooMany,
    #[error("{0}")]
    Refused(String),
}

impl Default for Runs {
    fn default() -> Self {
        Self {
            kept: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }
}

impl Runs {
    /// Begins a run.
    pub(crate) fn begin(
        self: &Arc<Self>,
        scripts: &dyn Scripts,
        desk: &Desk,
        wanted: &Wanted,
        tool: &str,
    ) -> Result<Arc<Begun>, NotBegun> {
        let live = self.room()?;
        let run = scripts.begin(desk, wanted, live.clone());
        let run = run.map_err(NotBegun::Refused)?;
        let arguments = Value::Object(wanted.arguments.clone());
        let begun = Begun::new(run, tool, arguments, live);
        self.keep(begun.clone());
        Ok(begun)
    }

    /// Takes in a run that goes on here.
    pub(crate) fn resumed(
        self: &Arc<Self>,
        run: FlowRun,
        tool: &str,
        arguments: Value,
        live: Live,
    ) {
        let begun = Begun::new(run, tool, arguments, live);
        self.keep(begun);
    }

    /// Where one more run may tell what it does, if one more may run.
    pub(crate) fn room(&self) -> Result<Live, NotBegun> {
        let kept = self.kept();
        let running = kept.iter().filter(|run| run.ended().is_none());
        if running.count() < MOST_RUNNING {
            Ok(Live::new(self.changes.clone()))
        } else {
            Err(NotBegun::TooMany)
        }
    }

    fn keep(self: &Arc<Self>, begun: Arc<Begun>) {
        let mut kept = self.kept();
        kept.retain(|run| run.id != begun.id);
        kept.push(begun.clone());
        drop(kept);
        begun.live.touch();
        let runs = self.clone();
        tokio::spawn(async move {
            let result = match begun.run.ended().await {
                Ok(result) => serde_json::json!({ "tool": result }),
                Err(error) => serde_json::json!({ "error": error }),
            };
            *begun.ended.lock().unwrap_or_else(PoisonError::into_inner) =
                Some((Timestamp::now(), result));
            runs.forget();
            begun.live.touch();
        });
    }

    /// Lets go of what ended long ago.
    fn forget(&self) {
        let mut kept = self.kept();
        let ended = kept.iter().filter(|run| run.ended().is_some()).count();
        let mut beyond = ended.saturating_sub(MOST_ENDED);
        kept.retain(|run| {
            let goes = beyond > 0 && run.ended().is_some();
            beyond -= usize::from(goes);
            !goes
        });
    }

    /// All that are kept, oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<Begun>> {
        self.kept().clone()
    }

    /// The run of this id, if it was begun here.
    pub(crate) fn get(&self, id: CallId) -> Option<Arc<Begun>> {
        self.kept().iter().find(|run| run.id == id).cloned()
    }

    /// A counter of all that the runs tell.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The runs that have told something since the counter stood so.
    pub(crate) fn changed_since(&self, count: u64) -> Vec<Arc<Begun>> {
        let kept = self.kept();
        let changed = kept.iter().filter(|run| run.live.told().version > count);
        changed.cloned().collect()
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Arc<Begun>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Begun {
    fn new(run: FlowRun, tool: &str, arguments: Value, live: Live) -> Arc<Self> {
        Arc::new(Self {
            id: run.id(),
            tool: tool.to_owned(),
            arguments,
            begun_at: Timestamp::now(),
            live,
            run,
            ended: Mutex::default(),
        })
    }

    /// When it ended, and with what.
    pub fn ended(&self) -> Option<(Timestamp, Value)> {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.clone()
    }
}
