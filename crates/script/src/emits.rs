//! What a script tells while it runs, and where that goes.

use futures::{FutureExt, future::BoxFuture};
use holdpoint::ToolContext;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Where a script's emits go: an MCP client, a terminal, a page.
pub trait Emits: Send + Sync {
    /// Takes one. What it takes long for holds the script up.
    fn emit(&self, emit: Emit) -> BoxFuture<'_, ()>;
}

/// Something that a script tells while it runs. Secrets are masked in it.
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
    /// A line for whoever looks closely; `console.log` gives these too.
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
    /// Something to be seen in passing.
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

/// Something that a script has made, to be looked at and kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    /// What it is called.
    pub title: String,
    /// How it is shown.
    #[serde(rename = "type", default)]
    pub kind: ArtifactKind,
    /// The language of code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Its type, where that is not plain from how it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its text; of an image, its bytes in base64.
    pub content: String,
}

/// How an artifact is shown. HTML is shown as its source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArtifactKind {
    /// As it is.
    #[default]
    Text,
    /// Rendered.
    Markdown,
    /// As code.
    Code,
    /// As JSON.
    Json,
    /// As its source.
    Html,
    /// As a picture.
    Image,
}

/// How much a log line matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For whoever looks closely.
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

/// Emits to the MCP client of a call: progress on its token, the rest in its log.
pub struct ToClient(
    /// The call.
    pub ToolContext,
);

impl Emits for ToClient {
    fn emit(&self, emit: Emit) -> BoxFuture<'_, ()> {
        async move {
            let cx = &self.0;
            match &emit {
                Emit::Progress { value, message } => {
                    cx.progress(*value, Some(1.0), message.as_deref()).await;
                    return;
                }
                Emit::Status { message, .. } => {
                    // Where progress is shown, its words are; how far it has come stays as it is.
                    cx.progress(0.0, Some(1.0), Some(message)).await;
                }
                Emit::Thinking { active, message } => {
                    if let Some(message) = message.as_deref().filter(|_| *active) {
                        cx.progress(0.0, Some(1.0), Some(message)).await;
                    }
                    return;
                }
                _ => {}
            }
            let log = cx.logger();
            match (emit.level(), emit.line()) {
                (Level::Debug, line) => log.debug(line).await,
                (Level::Info, line) => log.info(line).await,
                (Level::Warning, line) => log.warning(line).await,
                (Level::Error, line) => log.error(line).await,
            }
        }
        .boxed()
    }
}

/// Emits to nobody.
pub struct ToNobody;

impl Emits for ToNobody {
    fn emit(&self, _: Emit) -> BoxFuture<'_, ()> {
        std::future::ready(()).boxed()
    }
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

    /// As a line of a client's log; an artifact's content is in the result.
    fn line(&self) -> Value {
        match self {
            Self::Artifact(artifact) => json!({
                "emit": "artifact", "title": artifact.title, "type": artifact.kind,
            }),
            other => serde_json::to_value(other).unwrap_or_default(),
        }
    }
}

impl Artifact {
    /// Its MIME type.
    pub fn mime(&self) -> &str {
        self.mime_type.as_deref().unwrap_or(match self.kind {
            ArtifactKind::Text | ArtifactKind::Code => "text/plain",
            ArtifactKind::Markdown => "text/markdown",
            ArtifactKind::Json => "application/json",
            ArtifactKind::Html => "text/html",
            ArtifactKind::Image => "image/png",
        })
    }
}
