//! What the page needs of scripts, and the runs that were started on it.
//!
//! | module | holds |
//! |---|---|
//! | [`run_log`] | what a run has emitted so far |
//! | [`runs`] | the runs of this page: how many at once, which are kept |
//! | `argument_view` | an argument of a method as a field of the page's form |
//! | `run_result` | how a run ended |
//! | `image_type` | images that a browser may be given |
//! | `run_views` | from runs to views |
//! | `view` | scripts and runs as the page sees them |
//!
//! This room does not know what a script is, nor how it runs: see [`Scripts`].

pub(crate) mod argument_view;
pub(crate) mod image_type;
pub mod run_log;
pub(crate) mod run_result;
mod run_views;
pub mod runs;
pub(crate) mod view;

pub use run_log::RunLog;
pub use runs::Runs;

use futures::{future::BoxFuture, stream::BoxStream};
use holdpoint::{CallId, Desk, FlowRun, ResumeError, arguments::Arguments, journal::JournalError};
use serde_json::{Map, Value};
use std::fmt;

/// The scripts that can be run on the page.
pub trait Scripts: fmt::Debug + Send + Sync + 'static {
    /// The name of the server whose tools they are to agents.
    fn server(&self) -> &str;

    /// The folder that they are in, for a person to read.
    fn folder(&self) -> String;

    /// Its files as they are now, sorted by name.
    fn list(&self) -> Vec<Script>;

    /// A stream with an item for each time that the files have changed.
    fn changes(&self) -> BoxStream<'static, ()>;

    /// The workspaces in which a run may act: first the one in which it does where nothing else is said,
    /// then others that are known. Nobody is let into any other.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn workspaces<'a>(&'a self, desk: &'a Desk)
    -> BoxFuture<'a, Result<Vec<String>, JournalError>>;

    /// Starts a run of a method that is in the list, with arguments that fit, in one of the workspaces. What it
    /// emits goes to `log`.
    ///
    /// # Errors
    /// When it cannot be started.
    fn start(&self, desk: &Desk, request: &RunRequest, log: RunLog) -> Result<FlowRun, RunError>;

    /// Continues a run whose process is gone.
    ///
    /// # Errors
    /// When it cannot continue here.
    fn resume<'a>(
        &'a self,
        desk: &'a Desk,
        call: CallId,
        log: RunLog,
    ) -> BoxFuture<'a, Result<FlowRun, RunError>>;
}

/// What is to be run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRequest {
    /// The script's name.
    pub script: String,
    /// The method's name.
    pub method: String,
    /// What it is given.
    pub arguments: Map<String, Value>,
    /// In which of the workspaces; in the first where there is none.
    pub workspace: Option<String>,
}

/// Why a run was not started or resumed, in words for the person.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// As many run as may.
    #[error(
        "{} runs are under way: wait until one has ended, or withdraw one",
        runs::MOST_RUNNING
    )]
    TooMany,
    /// The file or the method is no longer there.
    #[error("There is no such script or method now: reload the page")]
    UnknownMethod,
    /// The workspace is not, or no longer, one of those that are known.
    #[error(
        "This workspace is not known here, or its folder is gone: reload the page and choose another"
    )]
    UnknownWorkspace,
    /// The file of a run that is to be resumed is no longer there.
    #[error("The script of this run is gone")]
    ScriptGone,
    /// The run cannot continue here.
    #[error("It cannot continue here: {0}")]
    NotResumed(#[from] ResumeError),
    /// The record could not be read.
    #[error("{0}")]
    Journal(#[from] JournalError),
}

/// One file.
#[derive(Debug, Clone)]
pub struct Script {
    /// Its name, such as `kitchen-sink`.
    pub name: String,
    /// The name of the file.
    pub file: String,
    /// What it says of itself, as Markdown.
    pub description: Option<String>,
    /// What it may do once a person permits it, one line each.
    pub permissions: Vec<String>,
    /// What can be run.
    pub methods: Vec<Method>,
    /// Why nothing of it can.
    pub fault: Option<Fault>,
}

/// One method.
#[derive(Debug, Clone)]
pub struct Method {
    /// Its name, such as `askUserName`.
    pub name: String,
    /// The tool that it is to agents, such as `kitchen_sink_askUserName`.
    pub tool: String,
    /// What it says of itself, as Markdown.
    pub description: Option<String>,
    /// What it takes.
    pub arguments: Arguments,
}

/// Why a file cannot be run.
#[derive(Debug, Clone)]
pub struct Fault {
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1.
    pub column: Option<u32>,
    /// What is wrong.
    pub message: String,
    /// The line itself.
    pub excerpt: Option<String>,
}
