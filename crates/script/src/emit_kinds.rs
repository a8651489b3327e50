//! What a script emits. What no surface can show as it is meant becomes a log line or an artifact: nothing
//! that is emitted ends a script, and nothing of it is ever run.

use crate::{
    fields::Fields,
    yield_error::{YieldError, short},
};
use holdpoint::{Artifact, ArtifactKind, Emit, Level};
use serde_json::{Map, Value};

/// What is to be done with something that was emitted.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// It is shown.
    Shown(Emit),
    /// A piece of a text: shown as a line, and kept until the text is whole.
    Piece {
        /// The piece.
        text: String,
        /// The text is whole now.
        last: bool,
    },
    /// It says nothing here.
    Nothing,
}

impl Told {
    /// A piece of a text.
    pub(crate) fn piece(text: String) -> Self {
        Self::Piece { text, last: false }
    }
}

/// The longest message of an emit, in characters; more is cut.
const LONGEST: usize = 4_096;

/// Parses what is emitted.
pub(crate) fn read(
    mut fields: Map<String, Value>,
    warnings: &mut Vec<String>,
) -> Result<Told, YieldError> {
    let kind = match fields.shift_remove("emit") {
        Some(Value::String(kind)) => kind,
        _ => {
            return Err(YieldError(
                "`emit` must name a kind, such as 'status'".into(),
            ));
        }
    };
    let mut fields = Fields::new(format!("the emit '{}'", short(&kind)), fields);
    let told = match kind.as_str() {
        "status" => Told::Shown(Emit::Status {
            message: cut(fields.required("message")?),
            tone: fields.shown("type").unwrap_or_default(),
        }),
        "progress" => {
            let value: f64 = fields.required("value")?;
            if !(0.0..=1.0).contains(&value) {
                return Err(fields.wrong("value", "it must be from 0 to 1"));
            }
            fields.ignore(&["meta"]);
            Told::Shown(Emit::Progress {
                value,
                message: fields.shown("message").map(cut),
            })
        }
        "log" => Told::Shown(Emit::Log {
            message: cut(fields.required("message")?),
            level: fields.shown("level").unwrap_or_default(),
            data: fields.optional("data")?,
        }),
        "toast" => Told::Shown(Emit::Toast {
            message: cut(fields.required("message")?),
            tone: fields.shown("type").unwrap_or_default(),
            duration: fields.shown("duration"),
        }),
        "thinking" => Told::Shown(Emit::Thinking {
            active: fields.optional("active")?.unwrap_or(true),
            message: fields.shown("message").map(cut),
        }),
        "artifact" => made(artifact(&mut fields)?),
        "stream" => {
            let data: Value = fields.optional("data")?.unwrap_or_default();
            fields.ignore(&["contentType"]);
            Told::Piece {
                text: piece(data),
                last: fields.shown("final").unwrap_or(false),
            }
        }
        "qr" => made(qr(fields.required("value")?, fields.shown("message"))),
        "ui" => made(ui(&mut fields)),
        "render" => {
            let format = fields.shown("format").unwrap_or_default();
            let value = fields.optional("value")?.unwrap_or_default();
            made(rendered(format, value))
        }
        "render:clear" => Told::Nothing,
        _ => {
            let data = Value::Object(fields.rest());
            warnings.push(format!(
                "there is no emit '{}'; it is logged as it is",
                short(&kind)
            ));
            logged(&kind, data)
        }
    };
    fields.end_shown(warnings);
    Ok(told)
}

/// What `this.emit` is given that is none of these: a line with it.
pub(crate) fn logged(kind: &str, data: Value) -> Told {
    Told::Shown(Emit::Log {
        message: cut(short(kind)),
        level: Level::Info,
        data: Some(data),
    })
}

fn made(artifact: Artifact) -> Told {
    Told::Shown(Emit::Artifact(artifact))
}

fn artifact(fields: &mut Fields) -> Result<Artifact, YieldError> {
    // A document or something embedded is shown by what is in it.
    let named: Option<String> = fields.shown("type");
    let kind = match named.as_deref() {
        None => None,
        Some("document") => Some(ArtifactKind::Markdown),
        Some("embed") => Some(ArtifactKind::Text),
        Some(named) => match serde_json::from_value(named.into()) {
            Ok(kind) => Some(kind),
            Err(error) => return Err(fields.wrong("type", &error.to_string())),
        },
    };
    // Nothing is loaded from elsewhere: an address is shown as one.
    let url: Option<String> = fields.shown("url");
    let content: Option<Value> = fields.optional("content")?;
    let (kind, content) = match (kind, content, url) {
        (_, None, Some(url)) => {
            fields.ignore(&["mimeType"]);
            (ArtifactKind::Text, url)
        }
        (kind, Some(Value::String(content)), _) => (kind.unwrap_or_default(), content),
        (None | Some(ArtifactKind::Json), Some(other), _) => (ArtifactKind::Json, pretty(&other)),
        (Some(_), Some(_), _) => return Err(fields.wrong("content", "it must be text")),
        (_, None, None) => return fields.required::<Value>("content").map(|_| text("", "")),
    };
    let mime_type: Option<String> = fields.optional("mimeType")?;
    let image = |mime: &String| mime.starts_with("image/");
    if kind == ArtifactKind::Image && !mime_type.as_ref().is_none_or(image) {
        return Err(fields.wrong("mimeType", "an image needs a type such as image/png"));
    }
    Ok(Artifact {
        title: cut(fields.shown("title").unwrap_or_else(|| "Artifact".into())),
        kind,
        language: fields.shown("language"),
        mime_type,
        content,
    })
}

/// What a code holds; the page draws it.
fn qr(value: Value, message: Option<String>) -> Artifact {
    let title = message.unwrap_or_else(|| "QR code".into());
    Artifact {
        language: Some("qr".into()),
        ..text(&title, &piece(value))
    }
}

/// A page of the script's own is shown as its source, or as the data that it would have shown.
fn ui(fields: &mut Fields) -> Artifact {
    let id: Option<String> = fields.shown("id");
    let title = fields.shown("title").or(id);
    let title = title.unwrap_or_else(|| "Interface".to_owned());
    let inline: Option<String> = fields.shown("inline");
    let data: Option<Value> = fields.shown("data");
    fields.ignore(&["mimeType", "mode", "width", "height", "url", "params"]);
    match inline {
        Some(source) => Artifact {
            kind: ArtifactKind::Html,
            ..text(&title, &source)
        },
        None => rendered(title, data.unwrap_or_default()),
    }
}

/// A value in some format, as far as there is one for it here.
fn rendered(format: String, value: Value) -> Artifact {
    let inner = value.get("value").cloned();
    match (format.as_str(), value) {
        ("qr", value) => {
            let message = value["message"].as_str().or(value["label"].as_str());
            let message = message.map(str::to_owned);
            qr(inner.unwrap_or(value), message)
        }
        ("markdown", Value::String(source)) => Artifact {
            kind: ArtifactKind::Markdown,
            ..text("Markdown", &source)
        },
        ("html", Value::String(source)) => Artifact {
            kind: ArtifactKind::Html,
            ..text("HTML", &source)
        },
        (_, Value::String(source)) => text(&format, &source),
        (_, other) => Artifact {
            kind: ArtifactKind::Json,
            ..text(&format, &pretty(&other))
        },
    }
}

fn text(title: &str, content: &str) -> Artifact {
    Artifact {
        title: cut(title.to_owned()),
        kind: ArtifactKind::Text,
        language: None,
        mime_type: None,
        content: content.to_owned(),
    }
}

/// Text as it is, anything else as JSON.
fn piece(data: Value) -> String {
    match data {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Text that fits a line or two.
fn cut(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
