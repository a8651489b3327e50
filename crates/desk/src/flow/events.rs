//! What a flow tells while it runs: its status, how far it is, log lines, and what it makes. Scripts
//! emit these, and every surface (an MCP client, a terminal, the page) shows the same types.

use super::artifact::Artifact;
use futures::FutureExt;
use holdpoint_journal::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The method under which a script that no client called is recorded.
pub const SCRIPT_METHOD: &str = "script";

/// Takes what a flow emits, to an MCP client, a terminal or a page.
pub trait Emits: Send + Sync {
    /// Takes one event. The flow waits for it.
    fn emit(&self, emit: Emit) -> BoxFuture<'_, ()>;
}

/// Drops what a flow emits.
#[derive(Debug, Clone, Copy, Default)]
pub struct ToNobody;

impl Emits for ToNobody {
    fn emit(&self, _: Emit) -> BoxFuture<'_, ()> {
        std::future::ready(()).boxed()
    }
}

/// Something that a flow tells while it runs. Secrets are masked in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "emit", rename_all = "lowercase")]
pub enum Emit {
    /// What it does now.
    Status {
        /// In a few words.
        message: String,
        /// How it is meant.
        #[serde(rename = "type", default)]
        tone: Tone,
    },
    /// How far it has come.
    Progress {
        /// From 0 to 1.
        value: f64,
        /// In a few words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// A line for those who want details; `console.log` gives these too.
    Log {
        /// The line.
        message: String,
        /// How much it matters.
        #[serde(default)]
        level: Level,
        /// What goes with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        data: Option<Value>,
    },
    /// A short notice.
    Toast {
        /// In a few words.
        message: String,
        /// How it is meant.
        #[serde(rename = "type", default)]
        tone: Tone,
        /// For how many milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        duration: Option<u64>,
    },
    /// It computes or waits, or no longer does.
    Thinking {
        /// Whether it does.
        active: bool,
        /// In a few words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// Something that it has made.
    Artifact(Artifact),
}

/// How much a log line matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For those who want every detail.
    Debug,
    /// What happens.
    #[default]
    Info,
    /// What may be wrong.
    #[serde(alias = "warn")]
    Warning,
    /// What is wrong.
    Error,
}

/// How a status or a toast is meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// As news.
    #[default]
    Info,
    /// Something went well.
    Success,
    /// Something may be wrong.
    Warning,
    /// Something is wrong.
    Error,
}

impl Emit {
    /// How much it matters in a log.
    pub fn level(&self) -> Level {
        match self {
            Self::Log { level, .. } => *level,
            Self::Status { tone, .. } | Self::Toast { tone, .. } => match tone {
                Tone::Info | Tone::Success => Level::Info,
                Tone::Warning => Level::Warning,
                Tone::Error => Level::Error,
            },
            _ => Level::Info,
        }
    }
}
