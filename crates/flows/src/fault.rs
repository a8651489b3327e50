//! Why a call asked nobody or did nothing. An outcome is no fault.

use holdpoint::{AskError, StepError, journal::JournalError};
use holdpoint_ask::describe::{error_chain, sentence};
use rmcp::{
    ErrorData,
    model::{CallToolResult, ContentBlock},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::borrow::Cow;

/// Why a call asked nobody or did nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// An argument does not fit.
    #[error("The argument `{name}`{what}")]
    Argument { name: String, what: String },
    /// What was to be asked cannot be asked.
    #[error("{0}")]
    Unaskable(String),
    /// There is no such ask for this caller.
    #[error("{0}")]
    UnknownAsk(String),
    /// A file or a folder stands in the way.
    #[error("{0}")]
    File(String),
    /// A plan is not in a state for this, or says things that contradict each other.
    #[error("{what}")]
    Plan {
        error: Cow<'static, str>,
        what: String,
        next: String,
    },
    /// The flow cannot go on; the client is told as of any fault.
    #[error("{}", .0.message)]
    Broken(ErrorData),
}

impl Fault {
    pub fn argument(name: impl Into<String>, what: impl Into<String>) -> Self {
        let what: String = what.into();
        let what = if what.starts_with("is ") {
            format!(" {what}")
        } else {
            format!(": {what}")
        };
        let name: String = name.into();
        Self::Argument {
            name: holdpoint_ask::visible(&name).chars().take(200).collect(),
            what,
        }
    }

    /// As the agent is told: a tool's error where it can do better, a protocol's where it cannot.
    pub fn told(self) -> Result<CallToolResult, ErrorData> {
        let this = match self {
            Self::Broken(error) => return Err(error),
            other => other,
        };
        let (code, next) = this.code();
        let text = format!("{} {next}", sentence(&this.to_string()));
        let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
        result.structured_content =
            Some(json!({ "error": code, "proceed": false, "nextStep": next }));
        Ok(result)
    }

    /// What it is called, and what to do about it.
    fn code(&self) -> (&str, &str) {
        match self {
            Self::Argument { .. } => (
                "INVALID_ARGUMENTS",
                "Nobody was asked: correct the argument and call again.",
            ),
            Self::Unaskable(_) => (
                "CANNOT_BE_ASKED",
                "Nobody was asked: ask for less, or in another way.",
            ),
            Self::UnknownAsk(_) => (
                "UNKNOWN_ASK",
                "Check the askId; it is in the result that said pending.",
            ),
            Self::Plan { error, next, .. } => (error, next),
            Self::File(_) => (
                "FILE",
                "Nothing was written: tell the person what is in the way.",
            ),
            Self::Broken(_) => ("BROKEN", "Stop, and tell the person."),
        }
    }
}

impl From<AskError> for Fault {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Flawed(_) | AskError::TooMany { .. } => Self::Unaskable(error_chain(&error)),
            other => Self::Broken(other.into()),
        }
    }
}

impl From<StepError> for Fault {
    fn from(error: StepError) -> Self {
        Self::Broken(error.into())
    }
}

impl From<JournalError> for Fault {
    fn from(error: JournalError) -> Self {
        AskError::from(error).into()
    }
}

/// A fault that a step of a call can record: what the agent is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trouble {
    error: String,
    what: String,
    next: String,
}

impl From<&Fault> for Trouble {
    fn from(fault: &Fault) -> Self {
        let (error, next) = fault.code();
        Self {
            error: error.to_owned(),
            what: fault.to_string(),
            next: next.to_owned(),
        }
    }
}

impl From<Trouble> for Fault {
    fn from(trouble: Trouble) -> Self {
        Self::Plan {
            error: trouble.error.into(),
            what: trouble.what,
            next: trouble.next,
        }
    }
}
