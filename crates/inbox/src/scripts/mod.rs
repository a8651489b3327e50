//! What the page needs of scripts, and the runs that were begun on it.
//!
//! | module | holds |
//! |---|---|
//! | [`live`] | what a run has told so far |
//! | [`runs`] | the runs of this page: how many at once, which are kept |
//! | `arguments` | from a method's input schema to a form, and back to arguments that fit |
//! | `run_result` | what a run ended with, as it is recorded |
//! | `image_type` | images that a browser may be given |
//! | `run_views` | from runs to views |
//! | `view` | scripts and runs as the page sees them |
//!
//! What a script is, and how it runs, is nothing that this room knows: see [`Scripts`].

pub(crate) mod arguments;
pub(crate) mod image_type;
pub mod live;
pub(crate) mod run_result;
mod run_views;
pub mod runs;
pub(crate) mod view;

pub use live::{Artifact, ArtifactKind, Emit, Live};
pub use runs::Runs;

use futures::{future::BoxFuture, stream::BoxStream};
use holdpoint::{CallId, Desk, FlowRun};
use serde_json::{Map, Value};
use std::fmt;

/// The method under which runs without a client are recorded.
pub const METHOD: &str = "script";

/// The scripts that can be run on the page.
pub trait Scripts: fmt::Debug + Send + Sync + 'static {
    /// The folder that they are in, for a person to read.
    fn folder(&self) -> String;

    /// Its files as they are now, sorted by name.
    fn list(&self) -> Vec<Script>;

    /// Tells each time that the files have changed.
    fn changes(&self) -> BoxStream<'static, ()>;

    /// Begins a run of a method that is in the list, with arguments that fit its schema. What it
    /// emits goes to `live`.
    ///
    /// # Errors
    /// In words for the person, when it cannot be begun.
    fn begin(&self, desk: &Desk, wanted: &Wanted, live: Live) -> Result<FlowRun, String>;

    /// Goes on with a run whose process is gone.
    ///
    /// # Errors
    /// In words for the person, when it cannot go on here.
    fn resume<'a>(
        &'a self,
        desk: &'a Desk,
        call: CallId,
        live: Live,
    ) -> BoxFuture<'a, Result<FlowRun, String>>;
}

/// What is to be run.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// The script's name.
    pub script: String,
    /// The method's.
    pub method: String,
    /// What it is given.
    pub arguments: Map<String, Value>,
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
    /// The JSON Schema of its arguments.
    pub input: Map<String, Value>,
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
