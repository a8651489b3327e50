//! Why a tool asked nobody or did nothing. An outcome is not an error.

use crate::{
    AskError, StepError,
    author::tool_result::{fields_of, result},
};
use holdpoint_ask::{
    describe::{error_chain, sentence},
    given_arguments::Misfit,
};
use holdpoint_journal::JournalError;
use rmcp::{ErrorData, model::CallToolResult};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::borrow::Cow;

/// Why a tool asked nobody or did nothing: with a code for programs, and what the agent does next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// An argument does not fit.
    #[error("The argument `{name}`{what}")]
    Argument {
        /// Where it stands, like `fields[2].name`.
        name: String,
        /// What was expected.
        what: String,
    },
    /// What was to be asked cannot be asked.
    #[error("{0}")]
    Unaskable(String),
    /// There is no such ask for this caller.
    #[error("{0}")]
    UnknownAsk(String),
    /// A file or a folder stands in the way.
    #[error("{0}")]
    File(String),
    /// The tool refuses, for a reason that has a code of its own.
    #[error("{what}")]
    Refused {
        /// The code, in capitals.
        code: Cow<'static, str>,
        /// Why.
        what: String,
        /// What the agent does next.
        next: String,
    },
    /// The flow cannot go on: the call ends with an error of the protocol.
    #[error("{}", .0.message)]
    Broken(ErrorData),
}

impl ToolError {
    /// An argument does not fit: what was expected, or what it `is`.
    pub fn argument(name: impl Into<String>, what: impl Into<String>) -> Self {
        Misfit::new(name, what).into()
    }

    /// The result of the call: a tool's error where the agent can do better.
    ///
    /// # Errors
    /// With an error of the protocol where it cannot.
    pub fn into_result(self) -> Result<CallToolResult, ErrorData> {
        let this = match self {
            Self::Broken(error) => return Err(error),
            other => other,
        };
        let (code, next) = this.code();
        let fields = json!({
            "error": code, "message": sentence(&this.to_string()), "proceed": false, "nextStep": next,
        });
        Ok(result(fields_of(&fields), true))
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
            Self::Refused { code, next, .. } => (code, next),
            Self::File(_) => (
                "FILE",
                "Nothing was written: tell the person what is in the way.",
            ),
            Self::Broken(_) => ("BROKEN", "Stop, and tell the person."),
        }
    }
}

impl From<AskError> for ToolError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Type(_)
            | AskError::NoSecrets
            | AskError::Flawed(_)
            | AskError::TooMany { .. } => Self::Unaskable(error_chain(&error)),
            other => Self::Broken(other.into()),
        }
    }
}

impl From<Misfit> for ToolError {
    fn from(Misfit { name, what }: Misfit) -> Self {
        Self::Argument { name, what }
    }
}

impl From<StepError> for ToolError {
    fn from(error: StepError) -> Self {
        Self::Broken(error.into())
    }
}

impl From<JournalError> for ToolError {
    fn from(error: JournalError) -> Self {
        AskError::from(error).into()
    }
}

/// An error that a step of a call can record: what the agent is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedError {
    error: String,
    what: String,
    next: String,
}

impl From<&ToolError> for RecordedError {
    fn from(error: &ToolError) -> Self {
        let (code, next) = error.code();
        Self {
            error: code.to_owned(),
            what: error.to_string(),
            next: next.to_owned(),
        }
    }
}

impl From<RecordedError> for ToolError {
    fn from(recorded: RecordedError) -> Self {
        Self::Refused {
            code: recorded.error.into(),
            what: recorded.what,
            next: recorded.next,
        }
    }
}
