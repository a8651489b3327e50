//! Scripts and runs as the page sees them. The page's script relies on these names.

use super::{
    Artifact, ArtifactKind, Fault, Method, Script,
    arguments::{ArgumentView, arguments, pretty},
    image_type,
    live::{Item, Kept, Told},
};
use crate::{render, view::AskView};
use holdpoint::{AskId, CallId, journal::AskRecord, visible};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// A larger artifact is not put on the page: it can be saved.
const LARGEST_SHOWN: usize = 256 * 1024;

/// One file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScriptView {
    pub name: String,
    pub file: String,
    pub description: Option<String>,
    pub permissions: Vec<String>,
    pub methods: Vec<MethodView>,
    pub fault: Option<FaultView>,
}

/// One method, with its form.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MethodView {
    pub name: String,
    pub tool: String,
    pub description: Option<String>,
    /// The first line of it, as text.
    pub gist: Option<String>,
    /// None where the method takes whatever it is given.
    pub arguments: Option<Vec<ArgumentView>>,
}

/// What is wrong with a file, and where.
#[derive(Debug, Serialize)]
pub(crate) struct FaultView {
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub message: String,
    /// The line, and under it the caret.
    pub excerpt: Option<String>,
}

impl ScriptView {
    pub fn of(script: &Script) -> Self {
        Self {
            name: seen(&script.name),
            file: seen(&script.file),
            description: script.description.as_deref().map(render::markdown),
            permissions: script.permissions.iter().map(|it| seen(it)).collect(),
            methods: script.methods.iter().map(MethodView::of).collect(),
            fault: script.fault.as_ref().map(FaultView::of),
        }
    }
}

impl MethodView {
    fn of(method: &Method) -> Self {
        let description = method.description.as_deref();
        let first = description.and_then(|text| text.trim().lines().next());
        Self {
            name: seen(&method.name),
            tool: seen(&method.tool),
            description: description.map(render::markdown),
            gist: first.map(seen),
            arguments: arguments(&method.input),
        }
    }
}

impl FaultView {
    fn of(fault: &Fault) -> Self {
        let excerpt = fault.excerpt.as_ref().map(|line| {
            let shown = seen(line);
            // A character that was written out takes more room than it did.
            let column = fault.column.unwrap_or(1).saturating_sub(1) as usize;
            let before: String = line.chars().take(column).collect();
            let room = seen(&before).chars().count();
            match fault.column {
                Some(_) => format!("{shown}\n{}^", " ".repeat(room)),
                None => shown,
            }
        });
        Self {
            line: fault.line,
            column: fault.column,
            message: seen(&fault.message),
            excerpt,
        }
    }
}

/// A run in a list.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunBrief {
    pub id: CallId,
    pub tool: String,
    /// What can be run again, where it is still there.
    pub script: Option<String>,
    pub method: Option<String>,
    /// Who runs it.
    pub client: Option<String>,
    pub begun_at: Timestamp,
    pub state: State,
    /// How it ended, in a word: `done`, `failed`, `declined`, …
    pub outcome: Option<String>,
}

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// It runs, in the process that serves the page.
    Running,
    /// It has ended.
    Ended,
    /// It has not ended, and does not run here: another process has it, or its process is gone.
    Elsewhere,
}

/// A run, whole, but for lines that the page has already.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunView {
    #[serde(flatten)]
    pub brief: RunBrief,
    /// It can be taken back here.
    pub here: bool,
    /// It can go on here, if its process is gone.
    pub resumable: bool,
    pub workspace: Option<String>,
    /// What it was given, as HTML; none where it was given nothing.
    pub arguments: Option<String>,
    pub status: Option<String>,
    pub progress: Option<ProgressView>,
    pub thinking: Option<ThinkingView>,
    pub items: Vec<ItemView>,
    /// The number of the next line.
    pub next: u64,
    /// All its asks, in the order of asking.
    pub asks: Vec<AskBrief>,
    /// Those that are open.
    pub open: Vec<AskView>,
    pub result: Option<ResultView>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ProgressView {
    pub value: f64,
    pub message: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ThinkingView {
    pub message: Option<String>,
}

/// An ask in a line.
#[derive(Debug, Serialize)]
pub(crate) struct AskBrief {
    pub id: AskId,
    pub text: String,
    pub outcome: Option<&'static str>,
}

impl AskBrief {
    pub fn of(record: &AskRecord) -> Self {
        let decision = record.decision.as_ref();
        Self {
            id: record.id,
            text: seen(&record.ask.message),
            outcome: decision.map(|decision| decision.outcome.status()),
        }
    }
}

/// A line, a word in passing, or something made.
#[derive(Debug, Serialize)]
pub(crate) struct ItemView {
    pub n: u64,
    pub at: Option<Timestamp>,
    #[serde(flatten)]
    pub what: WhatView,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub(crate) enum WhatView {
    Log {
        level: String,
        text: String,
        data: Option<String>,
    },
    Toast {
        tone: String,
        text: String,
    },
    Artifact(ArtifactView),
}

/// Something made: as HTML, as text, or as a picture at an address of the page's own.
#[derive(Debug, Serialize)]
pub(crate) struct ArtifactView {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub title: Option<String>,
    pub html: Option<String>,
    pub text: Option<String>,
    pub image: bool,
    pub size: usize,
}

impl ItemView {
    pub fn all(told: &Told, from: u64) -> Vec<Self> {
        let items = told.items(from);
        items.map(|(n, item)| Self::of(n, item)).collect()
    }

    fn of(n: u64, item: &Item) -> Self {
        let what = match &item.what {
            Kept::Artifact(artifact) => WhatView::Artifact(ArtifactView::of(artifact)),
            Kept::Toast { message, tone } => WhatView::Toast {
                tone: tone.clone(),
                text: seen(message),
            },
            Kept::Log {
                level,
                message,
                data,
            } => WhatView::Log {
                level: level.clone(),
                text: seen(message),
                data: data.as_ref().map(pretty),
            },
        };
        Self {
            n,
            at: Some(item.at),
            what,
        }
    }
}

impl ArtifactView {
    pub fn of(artifact: &Artifact) -> Self {
        let content = artifact.content.as_str();
        let mut view = Self {
            kind: artifact.kind.word(),
            title: artifact.title.as_deref().map(seen),
            html: None,
            text: None,
            image: false,
            size: content.len(),
        };
        match artifact.kind {
            ArtifactKind::Image => view.image = image_type::of(artifact).is_some(),
            _ if content.len() > LARGEST_SHOWN => {}
            ArtifactKind::Markdown => view.html = Some(render::markdown(content)),
            ArtifactKind::Json => view.html = Some(render::code("json", content)),
            ArtifactKind::Code => {
                let language = artifact.language.as_deref().unwrap_or_default();
                view.html = Some(render::code(language, content));
            }
            ArtifactKind::Text => view.text = Some(seen(content)),
        }
        view
    }
}

impl ArtifactKind {
    fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Code => "code",
            Self::Json => "json",
            Self::Image => "image",
        }
    }
}

/// What a run ended with.
#[derive(Debug, Serialize)]
pub(crate) struct ResultView {
    pub text: String,
    /// The value, as HTML, where it is more than that text.
    pub value: Option<String>,
}

/// JSON as HTML.
pub(crate) fn json_html(value: &Value) -> String {
    render::code("json", &pretty(value))
}

pub(crate) fn seen(text: &str) -> String {
    visible(text).into_owned()
}
