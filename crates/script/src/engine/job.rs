//! One segment of a script: from its start or a yield to the next yield or its end.

use super::bytecode::Code;
use jiff::Timestamp;
use serde::Deserialize;

/// Where a method is found in its module.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct MethodLocation {
    /// The name of the export.
    pub exported: String,
    pub name: String,
    /// The class that has it, where it is a method.
    pub owner: Option<String>,
    /// The function's own name, where it is one.
    pub declared: Option<String>,
    pub body: Body,
    /// How it takes its arguments.
    #[serde(skip)]
    pub passing: Passing,
    /// What its class's constructor wants and does not get.
    #[serde(skip)]
    pub unset: Vec<String>,
}

/// What a method's body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Body {
    Generator,
    AsyncGenerator,
    /// It yields nothing: what it returns, or promises, is the result.
    Plain,
}

impl Body {
    /// Its name in the prelude.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generator => "generator",
            Self::AsyncGenerator => "asyncGenerator",
            Self::Plain => "plain",
        }
    }
}

/// How a method takes its arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Passing {
    /// As one object.
    #[default]
    Object,
    /// One after the other, by these names; `...name` takes all that are left.
    Positional(Vec<String>),
}

/// What a realm is to run.
pub(super) struct Job<'a> {
    pub call: u32,
    /// How much memory the call used after its last segment.
    pub memory: usize,
    pub now: Timestamp,
    pub arguments: &'a str,
    pub step: Step<'a>,
}

pub(super) enum Step<'a> {
    Start {
        code: &'a Code,
        method: &'a MethodLocation,
        seed: u64,
    },
    /// JSON.
    Give(&'a str),
    Fail(&'a Fail),
}

/// An error that a yield ends with, its other fields as JSON.
#[derive(Debug, Clone)]
pub(super) struct Fail {
    pub message: String,
    pub outcome: Option<String>,
    pub fields: String,
}

impl Job<'_> {
    /// The time as scripts count it.
    pub fn now(&self) -> f64 {
        self.now.as_millisecond() as f64
    }
}
