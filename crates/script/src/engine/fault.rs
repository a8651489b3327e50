//! How a script fails, in words for the person who wrote it.

use super::LogLine;
use std::{fmt, time::Duration};

/// Why a call of a script ended without a result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// The script threw, and nothing in it caught.
    #[error("{}{}", .0.at, .0.message)]
    Threw(Box<Uncaught>),
    /// It computed for too long without a yield.
    #[error("{at}the script computed for more than {limit:?} without a yield, and was stopped")]
    TooLong {
        /// Where it was stopped.
        at: At,
        /// What it may take.
        limit: Duration,
    },
    /// It used too much memory.
    #[error("{at}the script used more than {} MB of memory, and was stopped", limit >> 20)]
    TooMuchMemory {
        /// Where it was stopped.
        at: At,
        /// What it may use, in bytes.
        limit: usize,
    },
    /// A value is too large.
    #[error("{at}{what} is larger than {limit} bytes as JSON")]
    TooLarge {
        /// The script.
        at: At,
        /// Which value.
        what: What,
        /// What it may have.
        limit: usize,
    },
    /// A value is nested too deep.
    #[error("{at}{what} is nested deeper than {limit} levels")]
    TooDeep {
        /// The script.
        at: At,
        /// Which value.
        what: What,
        /// What it may have.
        limit: usize,
    },
    /// A value is not data.
    #[error("{at}{what} must be data that JSON can hold, but {path} is {found}")]
    NotData {
        /// The script.
        at: At,
        /// Which value.
        what: What,
        /// Where in it: `options[2].value`.
        path: String,
        /// What is there: `a function`.
        found: String,
    },
    /// It awaits something that never comes.
    #[error(
        "{at}the script awaits a promise that nothing will ever settle; what it waits for must be yielded"
    )]
    Stuck {
        /// The script.
        at: At,
    },
    /// There is no such method.
    #[error("{at}there is no method {method}")]
    NoMethod {
        /// The script.
        at: At,
        /// What was called.
        method: String,
    },
    /// It had already ended.
    #[error("{at}the script has already ended")]
    Ended {
        /// The script.
        at: At,
    },
    /// The engine itself failed.
    #[error("{at}the script engine failed: {message}")]
    Broken {
        /// The script.
        at: At,
        /// What it said.
        message: String,
    },
}

impl ScriptError {
    /// The script's file and, where it is known, the line.
    pub fn at(&self) -> &At {
        match self {
            Self::Threw(uncaught) => &uncaught.at,
            Self::TooLong { at, .. }
            | Self::TooMuchMemory { at, .. }
            | Self::TooLarge { at, .. }
            | Self::TooDeep { at, .. }
            | Self::NotData { at, .. }
            | Self::Stuck { at }
            | Self::NoMethod { at, .. }
            | Self::Ended { at }
            | Self::Broken { at, .. } => at,
        }
    }

    /// The outcome of the ask whose error the script let out. It is never a yes.
    pub fn outcome(&self) -> Option<&str> {
        match self {
            Self::Threw(uncaught) => uncaught.outcome.as_deref(),
            _ => None,
        }
    }
}

/// What a script threw and did not catch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Uncaught {
    /// Where.
    pub at: At,
    /// The error's name, where it is an error: `TypeError`.
    pub name: Option<String>,
    /// What it says.
    pub message: String,
    /// The outcome of the ask whose error the script let out.
    pub outcome: Option<String>,
    /// The script's own frames, one in a line.
    pub stack: String,
}

/// A place in a script.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct At {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1.
    pub column: Option<u32>,
}

impl At {
    pub(crate) fn file(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            ..Self::default()
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: ", self.file),
            None => write!(f, "{}: ", self.file),
        }
    }
}

/// Which value a fault is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// What was yielded.
    Yielded,
    /// What was returned.
    Returned,
    /// What the method was called with.
    Arguments,
    /// What a yield was answered with.
    Given,
    /// What the module exports as `permissions`.
    Permissions,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yielded => "a yielded value",
            Self::Returned => "the returned value",
            Self::Arguments => "the object of arguments",
            Self::Given => "what the yield was answered with",
            Self::Permissions => "permissions",
        })
    }
}

/// A failed turn, with what the script logged before.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct Failed {
    /// What happened.
    pub error: ScriptError,
    /// What was logged since the last yield.
    pub logs: Vec<LogLine>,
}

impl From<ScriptError> for Failed {
    fn from(error: ScriptError) -> Self {
        let logs = Vec::new();
        Self { error, logs }
    }
}
