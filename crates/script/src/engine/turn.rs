//! What a call of a script is started and resumed with, and what comes of each turn.

use super::LogLine;
use jiff::Timestamp;
use serde_json::{Map, Value};

/// How a method is started.
#[derive(Debug, Clone)]
pub struct Start {
    /// The method's name.
    pub method: String,
    /// Its one argument.
    pub arguments: Map<String, Value>,
    /// The seed of `Math.random`.
    pub seed: u64,
    /// What the clock says until the first yield.
    pub now: Timestamp,
}

/// What a yield is answered with.
#[derive(Debug, Clone)]
pub enum Resume {
    /// The yield's value.
    Value(Value),
    /// An error that the script can catch.
    Throw(Thrown),
}

/// An error that is thrown at a yield: in the script it is an `AskError`.
#[derive(Debug, Clone, Default)]
pub struct Thrown {
    /// `e.message`.
    pub message: String,
    /// `e.outcome`.
    pub outcome: Option<String>,
    /// Its other fields.
    pub fields: Map<String, Value>,
}

/// The result of a segment.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// What was logged in it.
    pub logs: Vec<LogLine>,
    /// How it ended.
    pub end: TurnEnd,
}

/// How a segment ended.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnEnd {
    /// The script yielded this and waits.
    Yielded(Value),
    /// The script returned this and is over.
    Returned(Value),
}
