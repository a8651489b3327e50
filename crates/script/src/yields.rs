//! What a script yields, as types.

use crate::{
    asks::ScriptAsk,
    effects::Effect,
    emit_kinds::{self, Told},
    fields::Fields,
    memory::Memory,
    yield_error::{YieldError, short},
};
use holdpoint_ask::nearest::did_you_mean;
use serde_json::{Map, Value};
use std::time::Duration;

/// Something that a script yields.
#[derive(Debug, Clone, PartialEq)]
pub enum Yield {
    /// A question to a person.
    Ask(Box<ScriptAsk>),
    /// Questions that are asked together.
    Together(Vec<ScriptAsk>),
    /// Something that it tells while it runs.
    Emit(Told),
    /// A time to wait.
    Sleep(Duration),
    /// Something of its memory to read or to write.
    Memory(Memory),
    /// A state to keep; a later run of the same call gets it back.
    Checkpoint(Value),
    /// Something that it does to the world, or reads of it.
    Effect(Effect),
}

/// What says which kind of thing is yielded.
const KINDS: [&str; 9] = [
    "ask",
    "emit",
    "checkpoint",
    "sleep",
    "memory",
    "run",
    "read",
    "write",
    "fetch",
];

/// Those of them that people see.
const SHOWN: [&str; 2] = ["ask", "emit"];

/// The longest time to wait, in milliseconds: a day.
const LONGEST_SLEEP: f64 = 86_400_000.0;

impl Yield {
    /// Parses what a script yielded.
    ///
    /// # Errors
    /// When it is nothing that a script can yield.
    pub fn read(value: Value) -> Result<Self, YieldError> {
        Self::read_warning(value, &mut Vec::new())
    }

    /// Parses what a script yielded, and says what of it was ignored.
    ///
    /// # Errors
    /// When it is nothing that a script can yield.
    pub(crate) fn read_warning(
        value: Value,
        warnings: &mut Vec<String>,
    ) -> Result<Self, YieldError> {
        match value {
            Value::Object(fields) => Self::from_fields(fields, warnings),
            Value::Array(asks) => together(asks, warnings),
            Value::String(text) => Ok(Self::Emit(Told::piece(text))),
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

    fn from_fields(
        mut fields: Map<String, Value>,
        warnings: &mut Vec<String>,
    ) -> Result<Self, YieldError> {
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
            "ask" => Ok(Self::Ask(Box::new(ScriptAsk::read(fields, warnings)?))),
            "emit" => emit_kinds::read(fields, warnings).map(Self::Emit),
            "checkpoint" => {
                let mut fields = Fields::new("a checkpoint", fields);
                let on: bool = fields.required("checkpoint")?;
                if !on {
                    return Err(fields.wrong("checkpoint", "it must be `true`, or left out"));
                }
                let state = fields.optional("state")?;
                // Told apart by their order.
                fields.ignore(&["id"]);
                fields.end()?;
                Ok(Self::Checkpoint(state.unwrap_or_default()))
            }
            "sleep" => {
                let mut fields = Fields::new("a sleep", fields);
                let time: f64 = fields.required("sleep")?;
                if !(0.0..=LONGEST_SLEEP).contains(&time) {
                    let what = "it must be a number of milliseconds, a day (86400000) at most";
                    return Err(fields.wrong("sleep", what));
                }
                fields.end()?;
                Ok(Self::Sleep(Duration::from_secs_f64(time / 1000.0)))
            }
            "memory" => Memory::read(fields).map(Self::Memory),
            _ => {
                let named = fields.shift_remove(kind).unwrap_or_default();
                Effect::read(kind, named, fields).map(Self::Effect)
            }
        }
    }
}

fn together(asks: Vec<Value>, warnings: &mut Vec<String>) -> Result<Yield, YieldError> {
    if asks.is_empty() {
        return Err(YieldError(
            "an empty array was yielded: there is nothing to ask".into(),
        ));
    }
    let each = asks.into_iter().enumerate();
    let read = each.map(|(place, ask)| match ask {
        Value::Object(fields) if fields.contains_key("ask") => ScriptAsk::read(fields, warnings)
            .map_err(|YieldError(what)| YieldError(format!("[{place}]: {what}"))),
        _ => Err(YieldError(format!(
            "[{place}]: a yielded array may hold only asks; yield emits and effects one by one"
        ))),
    });
    read.collect::<Result<_, _>>().map(Yield::Together)
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
