//! What a script yields, as types.

use crate::{
    asks::ScriptAsk,
    effects::Effect,
    fields::Fields,
    yield_error::{YieldError, short},
};
use holdpoint::{Artifact, ArtifactKind, Emit};
use holdpoint_ask::nearest::did_you_mean;
use serde_json::{Map, Value};

/// Something that a script yields.
#[derive(Debug, Clone, PartialEq)]
pub enum Yield {
    /// A question to a person.
    Ask(Box<ScriptAsk>),
    /// Questions that are asked together.
    Together(Vec<ScriptAsk>),
    /// Something that it tells while it runs.
    Emit(Emit),
    /// A state to keep; a later run of the same call gets it back.
    Checkpoint(Value),
    /// Something that it does to the world, or reads of it.
    Effect(Effect),
}

/// What says which kind of thing is yielded.
const KINDS: [&str; 7] = ["ask", "emit", "checkpoint", "run", "read", "write", "fetch"];

/// Those of them that people see.
const SHOWN: [&str; 2] = ["ask", "emit"];

/// The longest message of an emit, in characters; more is cut.
const LONGEST: usize = 4_096;

impl Yield {
    /// Parses what a script yielded.
    ///
    /// # Errors
    /// When it is nothing that a script can yield.
    pub fn read(value: Value) -> Result<Self, YieldError> {
        match value {
            Value::Object(fields) => Self::from_fields(fields),
            Value::Array(asks) => together(asks),
            other => Err(YieldError(format!(
                "a script must yield an object or an array of asks, not {}",
                kind_of(&other)
            ))),
        }
    }

    /// Whether what is yielded is shown to somebody, rather than done or kept.
    pub(crate) fn is_shown(value: &Value) -> bool {
        let hidden = KINDS.iter().filter(|kind| !SHOWN.contains(kind));
        hidden.into_iter().all(|kind| value.get(kind).is_none())
    }

    fn from_fields(mut fields: Map<String, Value>) -> Result<Self, YieldError> {
        let mut kinds = KINDS.into_iter().filter(|kind| fields.contains_key(*kind));
        let Some(kind) = kinds.next() else {
            return Err(YieldError(match fields.keys().next() {
                None => "an empty object was yielded: yield { ask: … }, { emit: … } or an effect"
                    .to_owned(),
                Some(first) => format!(
                    "the yielded object is not an ask, an emit, a checkpoint or an effect: it has `{}`; {}",
                    short(first),
                    did_you_mean(first, KINDS)
                ),
            }));
        };
        if let Some(other) = kinds.next() {
            return Err(YieldError(format!(
                "one yield has both `{kind}` and `{other}`: yield one after the other"
            )));
        }
        match kind {
            "ask" => Ok(Self::Ask(Box::new(ScriptAsk::read(fields)?))),
            "emit" => emit(fields).map(Self::Emit),
            "checkpoint" => {
                let mut fields = Fields::new("a checkpoint", fields);
                let on: bool = fields.required("checkpoint")?;
                if !on {
                    return Err(fields.wrong("checkpoint", "it must be `true`, or left out"));
                }
                let state = fields.optional("state")?;
                fields.end()?;
                Ok(Self::Checkpoint(state.unwrap_or_default()))
            }
            _ => {
                let named = fields.shift_remove(kind).unwrap_or_default();
                Effect::read(kind, named, fields).map(Self::Effect)
            }
        }
    }
}

fn together(asks: Vec<Value>) -> Result<Yield, YieldError> {
    if asks.is_empty() {
        return Err(YieldError(
            "an empty array was yielded: there is nothing to ask".into(),
        ));
    }
    let read = asks.into_iter().enumerate().map(|(place, ask)| match ask {
        Value::Object(fields) if fields.contains_key("ask") => ScriptAsk::read(fields)
            .map_err(|YieldError(what)| YieldError(format!("[{place}]: {what}"))),
        _ => Err(YieldError(format!(
            "[{place}]: a yielded array may hold only asks; yield emits and effects one by one"
        ))),
    });
    read.collect::<Result<_, _>>().map(Yield::Together)
}

const EMITS: [&str; 6] = ["status", "progress", "log", "toast", "thinking", "artifact"];

fn emit(mut fields: Map<String, Value>) -> Result<Emit, YieldError> {
    let kind = match fields.shift_remove("emit") {
        Some(Value::String(kind)) => kind,
        _ => {
            return Err(YieldError(
                "`emit` must name a kind, such as 'status'".into(),
            ));
        }
    };
    let mut fields = Fields::new(format!("the emit '{}'", short(&kind)), fields);
    let emit = match kind.as_str() {
        "status" => Emit::Status {
            message: cut(fields.required("message")?),
            tone: fields.optional("type")?.unwrap_or_default(),
        },
        "progress" => {
            let value: f64 = fields.required("value")?;
            if !(0.0..=1.0).contains(&value) {
                return Err(fields.wrong("value", "it must be from 0 to 1"));
            }
            Emit::Progress {
                value,
                message: fields.optional("message")?.map(cut),
            }
        }
        "log" => Emit::Log {
            message: cut(fields.required("message")?),
            level: fields.optional("level")?.unwrap_or_default(),
            data: fields.optional("data")?,
        },
        "toast" => Emit::Toast {
            message: cut(fields.required("message")?),
            tone: fields.optional("type")?.unwrap_or_default(),
            duration: fields.optional("duration")?,
        },
        "thinking" => Emit::Thinking {
            active: fields.optional("active")?.unwrap_or(true),
            message: fields.optional("message")?.map(cut),
        },
        "artifact" => Emit::Artifact(artifact(&mut fields)?),
        other => {
            return Err(YieldError(format!(
                "there is no emit '{}'; {}",
                short(other),
                did_you_mean(other, EMITS)
            )));
        }
    };
    fields.end()?;
    Ok(emit)
}

fn artifact(fields: &mut Fields) -> Result<Artifact, YieldError> {
    let kind: Option<ArtifactKind> = fields.optional("type")?;
    let content: Value = fields.required("content")?;
    let (kind, content) = match (kind, content) {
        (kind, Value::String(content)) => (kind.unwrap_or_default(), content),
        (None | Some(ArtifactKind::Json), other) => (
            ArtifactKind::Json,
            serde_json::to_string_pretty(&other).unwrap_or_default(),
        ),
        (Some(_), _) => return Err(fields.wrong("content", "it must be text")),
    };
    let mime_type: Option<String> = fields.optional("mimeType")?;
    let image = |mime: &String| mime.starts_with("image/");
    if kind == ArtifactKind::Image && !mime_type.as_ref().is_none_or(image) {
        return Err(fields.wrong("mimeType", "an image needs a type such as image/png"));
    }
    Ok(Artifact {
        title: cut(fields
            .optional("title")?
            .unwrap_or_else(|| "Artifact".into())),
        kind,
        language: fields.optional("language")?,
        mime_type,
        content,
    })
}

/// Text that fits a line or two.
fn cut(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
