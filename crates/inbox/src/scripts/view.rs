//! Scripts and runs as the page sees them. The page's script relies on these names.

use super::{
    Fault, Method, Script,
    argument_view::{ArgumentView, pretty},
    image_type,
    run_log::{Emitted, Item},
};
use crate::{
    qr_code, render,
    view::{AskView, DecisionView},
};
use holdpoint::{
    Artifact, ArtifactKind, AskId, CallId, Emit, Level, Tone,
    journal::{AskRecord, StepRecord, StepState},
    visible,
};
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
    pub fn new(script: &Script) -> Self {
        Self {
            name: seen(&script.name),
            file: seen(&script.file),
            description: script.description.as_deref().map(render::markdown),
            permissions: script.permissions.iter().map(|line| seen(line)).collect(),
            methods: script.methods.iter().map(MethodView::new).collect(),
            fault: script.fault.as_ref().map(FaultView::new),
        }
    }
}

impl MethodView {
    fn new(method: &Method) -> Self {
        let description = method.description.as_deref();
        let first = description.and_then(|text| text.trim().lines().next());
        Self {
            name: seen(&method.name),
            tool: seen(&method.tool),
            description: description.map(render::markdown),
            gist: first.map(seen),
            arguments: ArgumentView::all(&method.arguments),
        }
    }
}

impl FaultView {
    fn new(fault: &Fault) -> Self {
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

/// Where a run is.
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
    /// It can be withdrawn here.
    pub here: bool,
    /// It can be resumed here, if its process is gone.
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
    /// What it did, in the order of doing.
    pub did: Vec<StepView>,
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

/// A step in a line: what was done, and what came of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StepView {
    pub text: String,
    pub came_to: Option<String>,
    /// Its end is on record.
    pub ended: bool,
}

impl StepView {
    pub fn new(step: &StepRecord) -> Self {
        Self {
            text: seen(step.label.as_deref().unwrap_or(&step.name)),
            came_to: step.end_label.as_deref().map(seen),
            ended: matches!(step.state, StepState::Finished(_)),
        }
    }
}

/// An ask in a line.
#[derive(Debug, Serialize)]
pub(crate) struct AskBrief {
    pub id: AskId,
    pub text: String,
    pub outcome: Option<&'static str>,
    pub decision: Option<DecisionView>,
}

impl AskBrief {
    pub fn new(record: &AskRecord) -> Self {
        let decision = record.decision.as_ref();
        Self {
            id: record.id,
            text: seen(&record.ask.message),
            outcome: decision.map(|decision| decision.outcome.status()),
            decision: DecisionView::of(record),
        }
    }
}

/// A log line, a toast or an artifact.
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
        level: Level,
        text: String,
        data: Option<String>,
    },
    Toast {
        tone: Tone,
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
    /// What the text is as a QR code, drawn with blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    pub image: bool,
    pub size: usize,
}

impl ItemView {
    pub fn all(emitted: &Emitted, from: u64) -> Vec<Self> {
        let items = emitted.items(from);
        let view = |(n, item): (u64, &Item)| {
            Some(Self {
                n,
                at: Some(item.at),
                what: WhatView::new(&item.emit)?,
            })
        };
        items.filter_map(view).collect()
    }
}

impl WhatView {
    fn new(emit: &Emit) -> Option<Self> {
        Some(match emit {
            Emit::Artifact(artifact) => Self::Artifact(ArtifactView::new(artifact)),
            Emit::Toast { message, tone, .. } => Self::Toast {
                tone: *tone,
                text: seen(message),
            },
            Emit::Log {
                level,
                message,
                data,
            } => Self::Log {
                level: *level,
                text: seen(message),
                data: data.as_ref().map(pretty),
            },
            Emit::Status { .. } | Emit::Progress { .. } | Emit::Thinking { .. } => return None,
        })
    }
}

impl ArtifactView {
    pub fn new(artifact: &Artifact) -> Self {
        let content = artifact.content.as_str();
        let mut view = Self {
            kind: word(artifact.kind),
            title: Some(seen(&artifact.title)),
            html: None,
            text: None,
            code: None,
            image: false,
            size: content.len(),
        };
        match artifact.kind {
            ArtifactKind::Image => view.image = image_type::detect(artifact).is_some(),
            _ if content.len() > LARGEST_SHOWN => {}
            ArtifactKind::Markdown => view.html = Some(render::markdown(content)),
            ArtifactKind::Json => view.html = Some(render::code("json", content)),
            ArtifactKind::Code => {
                let language = artifact.language.as_deref().unwrap_or_default();
                view.html = Some(render::code(language, content));
            }
            ArtifactKind::Html => view.html = Some(render::code("html", content)),
            ArtifactKind::Text => {
                if artifact.language.as_deref() == Some("qr") {
                    view.code = qr_code::draw(content);
                }
                view.text = Some(seen(content));
            }
        }
        view
    }
}

/// What the page calls a kind: HTML is code to it.
fn word(kind: ArtifactKind) -> &'static str {
    match kind {
        ArtifactKind::Text => "text",
        ArtifactKind::Markdown => "markdown",
        ArtifactKind::Code | ArtifactKind::Html => "code",
        ArtifactKind::Json => "json",
        ArtifactKind::Image => "image",
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
