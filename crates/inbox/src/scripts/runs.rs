//! The runs that were started on this page: how many at once, and which are kept.

use super::{RunError, RunLog, RunRequest, Scripts};
use holdpoint::{CallId, Desk, FlowResult, FlowRun};
use jiff::Timestamp;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::watch;

/// How many run at once.
pub(super) const MOST_RUNNING: usize = 16;
/// How many that have ended are kept with all that they emitted.
const MOST_ENDED: usize = 32;

/// The runs of this page.
#[derive(Debug)]
pub struct Runs {
    kept: Mutex<Vec<Arc<PageRun>>>,
    changes: watch::Sender<u64>,
}

/// A run that was started or resumed here.
#[derive(Debug)]
pub(crate) struct PageRun {
    pub id: CallId,
    pub tool: String,
    pub arguments: Value,
    pub workspace: Option<String>,
    pub begun_at: Timestamp,
    pub log: RunLog,
    pub run: FlowRun,
    result: OnceLock<FlowResult>,
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
    /// Starts a run.
    pub(crate) fn start(
        self: &Arc<Self>,
        scripts: &dyn Scripts,
        desk: &Desk,
        request: &RunRequest,
        tool: &str,
    ) -> Result<Arc<PageRun>, RunError> {
        let log = self.new_log()?;
        let run = scripts.start(desk, request, log.clone())?;
        let arguments = Value::Object(request.arguments.clone());
        let workspace = request.workspace.clone();
        Ok(self.add(run, tool, arguments, workspace, log))
    }

    /// Adds a run that was started or resumed.
    pub(crate) fn add(
        self: &Arc<Self>,
        run: FlowRun,
        tool: &str,
        arguments: Value,
        workspace: Option<String>,
        log: RunLog,
    ) -> Arc<PageRun> {
        let run = Arc::new(PageRun {
            id: run.id(),
            tool: tool.to_owned(),
            arguments,
            workspace,
            begun_at: Timestamp::now(),
            log,
            run,
            result: OnceLock::new(),
        });
        let mut kept = self.kept();
        kept.retain(|other| other.id != run.id);
        kept.push(run.clone());
        drop(kept);
        run.log.touch();
        let (runs, running) = (self.clone(), run.clone());
        tokio::spawn(async move {
            let result = FlowResult::from(running.run.ended().await);
            let _ = running.result.set(result);
            runs.drop_oldest();
            running.log.touch();
        });
        run
    }

    /// The log for one more run, if one more may run.
    pub(crate) fn new_log(&self) -> Result<RunLog, RunError> {
        let kept = self.kept();
        let running = kept.iter().filter(|run| run.result().is_none());
        if running.count() < MOST_RUNNING {
            Ok(RunLog::new(self.changes.clone()))
        } else {
            Err(RunError::TooMany)
        }
    }

    /// Drops the runs that ended longest ago, beyond those that are kept.
    fn drop_oldest(&self) {
        let mut kept = self.kept();
        let ended = kept.iter().filter(|run| run.result().is_some()).count();
        let mut beyond = ended.saturating_sub(MOST_ENDED);
        kept.retain(|run| {
            let goes = beyond > 0 && run.result().is_some();
            beyond -= usize::from(goes);
            !goes
        });
    }

    /// All that are kept, oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<PageRun>> {
        self.kept().clone()
    }

    /// The run of this id, if it was started here.
    pub(crate) fn get(&self, id: CallId) -> Option<Arc<PageRun>> {
        self.kept().iter().find(|run| run.id == id).cloned()
    }

    /// A counter of all that the runs emit.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The runs that have emitted something since the counter had this value.
    pub(crate) fn changed_since(&self, count: u64) -> Vec<Arc<PageRun>> {
        let kept = self.kept();
        let changed = kept.iter().filter(|run| run.log.emitted().version > count);
        changed.cloned().collect()
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Arc<PageRun>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PageRun {
    /// What it ended with; nothing while it runs.
    pub fn result(&self) -> Option<&FlowResult> {
        self.result.get()
    }
}
