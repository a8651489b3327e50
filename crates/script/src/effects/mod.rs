//! What a script does to the world, and reads of it. Only what its file declares, only inside the
//! workspace, each as a recorded step.
//!
//! | module | holds |
//! |---|---|
//! | `run` | programs |
//! | `left_behind` | what programs leave running |
//! | `files` | reading and writing |
//! | `sandbox` | paths that stay inside |
//! | `fetch` | servers |
//! | `label` | what the record says of them |

mod address;
mod fetch;
mod files;
mod label;
mod left_behind;
mod run;
mod sandbox;

use address::AddressError;
pub use fetch::{Body, Fetch};
pub use files::{Read, Write};
pub use run::Run;
pub(crate) use sandbox::Sandbox;

use crate::{Permissions, fields::Fields, masking::mask_text, yield_error::YieldError};
use holdpoint::ToolContext;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// Something that a script wants to do to the world, or to read of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "effect", rename_all = "lowercase")]
pub enum Effect {
    /// Runs a program.
    Run(Run),
    /// Reads a file.
    Read(Read),
    /// Writes a file.
    Write(Write),
    /// Asks a server.
    Fetch(Fetch),
}

/// What an effect ended with, as it is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Ended {
    /// What the script gets.
    Done(Value),
    /// What is thrown.
    Failed(Failure),
}

/// Why an effect is not tried.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error(
        "this file does not declare that it may {verb} {name}: add `export const permissions = {{ {key}: ['{entry}'] }}`"
    )]
    Undeclared {
        verb: &'static str,
        name: String,
        key: &'static str,
        entry: String,
    },
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error("{}", .0.message)]
    Path(Failure),
}

/// Why an effect failed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Failure {
    pub message: String,
    /// A word for it, such as `ENOENT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl Effect {
    pub(crate) fn read(
        kind: &str,
        named: Value,
        fields: Map<String, Value>,
    ) -> Result<Self, YieldError> {
        let mut fields = Fields::new(format!("the effect '{kind}'"), fields);
        let effect = match kind {
            "run" => Self::Run(Run::read(named, &mut fields)?),
            "read" => Self::Read(Read {
                path: path(kind, named)?,
            }),
            "write" => Self::Write(Write {
                path: path(kind, named)?,
                text: fields.required("text")?,
            }),
            _ => Self::Fetch(Fetch::read(named, &mut fields)?),
        };
        fields.end()?;
        Ok(effect)
    }

    /// The word that scripts have for it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Run(_) => "run",
            Self::Read(_) => "read",
            Self::Write(_) => "write",
            Self::Fetch(_) => "fetch",
        }
    }

    /// The same without secrets, to be shown and recorded.
    pub(crate) fn masked(&self, cx: &ToolContext) -> Self {
        let text = |text: &String| mask_text(cx, text);
        match self {
            Self::Run(run) => Self::Run(Run {
                command: run.command.iter().map(text).collect(),
                cwd: run.cwd.as_ref().map(text),
                input: run.input.as_ref().map(text),
                timeout: run.timeout,
            }),
            Self::Read(read) => Self::Read(Read {
                path: text(&read.path),
            }),
            Self::Write(write) => Self::Write(Write {
                path: text(&write.path),
                text: text(&write.text),
            }),
            Self::Fetch(fetch) => Self::Fetch(fetch.masked(cx)),
        }
    }

    /// Checks that the file declares it.
    pub(crate) fn check_declared(
        &self,
        declared: &Permissions,
        sandbox: &Sandbox,
    ) -> Result<(), Refused> {
        match self {
            Self::Run(run) => run.check_declared(declared),
            Self::Read(read) => sandbox.check_declared(&read.path, "read", &declared.read),
            Self::Write(write) => sandbox.check_declared(&write.path, "write", &declared.write),
            Self::Fetch(fetch) => fetch.check_declared(declared),
        }
    }

    /// Performs it.
    pub(crate) async fn perform(self, sandbox: &Sandbox, declared: &Permissions) -> Ended {
        let ended = match self {
            Self::Run(run) => run.perform(sandbox).await,
            Self::Read(read) => read.perform(sandbox.clone()).await,
            Self::Write(write) => write.perform(sandbox.clone()).await,
            Self::Fetch(fetch) => fetch.perform(declared.clone()).await,
        };
        match ended {
            Ok(value) => Ended::Done(value),
            Err(failure) => Ended::Failed(failure),
        }
    }
}

/// In one line, for the person who is asked to allow it.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(run) => write!(f, "run {}", label::command_line(&run.command)),
            Self::Read(read) => write!(f, "read {}", read.path),
            Self::Write(write) => write!(f, "write {}", write.path),
            Self::Fetch(fetch) => write!(f, "{} {}", fetch.method, fetch.url),
        }
    }
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            code: None,
        }
    }

    /// A file or a program that cannot be used.
    pub fn io(what: impl fmt::Display, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        let (why, code) = match error.kind() {
            ErrorKind::NotFound => ("is not there".to_owned(), Some("ENOENT")),
            ErrorKind::PermissionDenied => ("may not be used".to_owned(), Some("EACCES")),
            ErrorKind::IsADirectory => ("is a folder".to_owned(), Some("EISDIR")),
            ErrorKind::NotADirectory => ("leads through a file".to_owned(), Some("ENOTDIR")),
            _ => (format!("cannot be used: {error}"), None),
        };
        Self {
            message: format!("{what} {why}"),
            code: code.map(str::to_owned),
        }
    }
}

fn path(kind: &str, named: Value) -> Result<String, YieldError> {
    match named {
        Value::String(path) if !path.trim().is_empty() => Ok(path),
        _ => Err(YieldError(format!(
            "the effect '{kind}' needs a path, such as {{ {kind}: 'notes.txt' }}"
        ))),
    }
}

/// Runs what blocks on a thread of its own.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|_| Err(Failure::new("it failed unexpectedly")))
}
