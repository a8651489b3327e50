//! What values an argument takes: as JSON Schema, checked, and read from a word of a command line.

use super::{Argument, Problem};
use serde_json::{Map, Number, Value, json};

/// What values an argument takes.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub enum ArgumentKind {
    /// Anything.
    #[default]
    Any,
    /// `null`.
    Null,
    /// A text.
    Text,
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
    /// One of these values.
    OneOf(Vec<Value>),
    /// A list of such values.
    List(Box<ArgumentKind>),
    /// An object of any kind.
    Object,
    /// An object with these entries, and perhaps others.
    Record(Vec<Argument>),
    /// A value of one of these kinds.
    Union(Vec<ArgumentKind>),
}

/// Why a word is not a value of a kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is not {wanted}")]
pub struct ParseError {
    word: String,
    wanted: String,
}

impl ArgumentKind {
    /// A list of such values.
    pub fn list(item: Self) -> Self {
        Self::List(Box::new(item))
    }

    /// One of these values.
    pub fn one_of(values: Vec<Value>) -> Self {
        if values.iter().all(Value::is_null) {
            Self::Null
        } else if values.len() == 2 && values.iter().all(Value::is_boolean) {
            Self::Boolean
        } else {
            Self::OneOf(values)
        }
    }

    /// The JSON Schema's name for it, where that has one.
    pub fn type_name(&self) -> Option<&'static str> {
        match self {
            Self::Any | Self::Union(_) => None,
            Self::Null => Some("null"),
            Self::Text => Some("string"),
            Self::Number => Some("number"),
            Self::Integer => Some("integer"),
            Self::Boolean => Some("boolean"),
            Self::OneOf(values) if values.iter().all(Value::is_string) => Some("string"),
            Self::OneOf(values) if values.iter().all(Value::is_number) => Some("number"),
            Self::OneOf(_) => None,
            Self::List(_) => Some("array"),
            Self::Object | Self::Record(_) => Some("object"),
        }
    }

    /// The JSON Schema of such a value; empty where anything goes.
    pub fn to_schema(&self) -> Map<String, Value> {
        let mut schema = Map::new();
        if let Some(name) = self.type_name() {
            schema.insert("type".into(), name.into());
        }
        match self {
            Self::OneOf(values) => drop(schema.insert("enum".into(), values.clone().into())),
            Self::List(item) if **item != Self::Any => {
                schema.insert("items".into(), item.to_schema().into());
            }
            Self::Record(entries) => return record_schema(entries),
            Self::Union(kinds) => {
                let schemas: Vec<_> = kinds.iter().map(Self::to_schema).collect();
                let bare = |schema: &Map<String, Value>| schema.len() == 1;
                if schemas.iter().all(bare) && kinds.iter().all(|kind| kind.type_name().is_some()) {
                    let names = kinds.iter().map(Self::type_name);
                    schema.insert("type".into(), names.collect::<Option<Vec<_>>>().into());
                } else {
                    schema.insert("anyOf".into(), schemas.into());
                }
            }
            _ => {}
        }
        schema
    }

    /// Whether a value fits.
    pub fn accepts(&self, value: &Value) -> bool {
        self.check(value).is_ok()
    }

    /// Whether a value fits; otherwise where it does not, and what is wrong there.
    pub(super) fn check(&self, value: &Value) -> Result<(), (String, Problem)> {
        let fits = match self {
            Self::Any => true,
            Self::Null => value.is_null(),
            Self::Text => value.is_string(),
            Self::Number => value.is_number(),
            Self::Integer => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            Self::Boolean => value.is_boolean(),
            Self::OneOf(values) => values.iter().any(|one| is_same(one, value)),
            Self::Union(kinds) => kinds.iter().any(|kind| kind.accepts(value)),
            Self::Object => value.is_object(),
            Self::List(item) => match value {
                Value::Array(values) => {
                    let mut checks = values.iter().map(|value| item.check(value)).enumerate();
                    return checks.try_for_each(|(index, checked)| {
                        checked.map_err(|(place, problem)| (format!("[{index}]{place}"), problem))
                    });
                }
                _ => false,
            },
            Self::Record(entries) => match value {
                Value::Object(given) => return check_record(entries, given),
                _ => false,
            },
        };
        if fits {
            Ok(())
        } else {
            Err((String::new(), Problem::Misfit(self.describe())))
        }
    }

    /// Such a value in words: "a whole number".
    pub fn describe(&self) -> String {
        match self {
            Self::Any => "anything".into(),
            Self::Null => "null".into(),
            Self::Text => "a text".into(),
            Self::Number => "a number".into(),
            Self::Integer => "a whole number".into(),
            Self::Boolean => "true or false".into(),
            Self::OneOf(values) => {
                let texts: Vec<_> = values.iter().map(option_text).collect();
                format!("one of: {}", texts.join(", "))
            }
            Self::List(_) => "a list".into(),
            Self::Object | Self::Record(_) => "an object".into(),
            Self::Union(kinds) => {
                let kinds: Vec<_> = kinds.iter().map(Self::describe).collect();
                kinds.join(" or ")
            }
        }
    }

    /// The value that a word of a command line stands for; a list is separated by commas. What has no
    /// plain text form is JSON, or else the text itself.
    ///
    /// # Errors
    /// When it is not such a value.
    pub fn parse(&self, word: &str) -> Result<Value, ParseError> {
        let value = match self {
            Self::Text => Some(word.into()),
            Self::OneOf(values) => values
                .iter()
                .find(|value| option_text(value) == word)
                .cloned(),
            Self::Integer => word.parse::<i64>().ok().map(Value::from),
            Self::Number => word
                .parse()
                .ok()
                .and_then(Number::from_f64)
                .map(Value::Number),
            Self::Boolean => match word {
                "true" | "yes" => Some(true.into()),
                "false" | "no" => Some(false.into()),
                _ => None,
            },
            Self::List(item) => {
                let words = word.split(',').map(str::trim);
                let words = words.filter(|word| !word.is_empty());
                return words.map(|word| item.parse(word)).collect();
            }
            _ => Some(serde_json::from_str(word).unwrap_or_else(|_| word.into())),
        };
        value.ok_or_else(|| ParseError {
            word: word.to_owned(),
            wanted: self.describe(),
        })
    }
}

fn check_record(entries: &[Argument], given: &Map<String, Value>) -> Result<(), (String, Problem)> {
    for entry in entries {
        let checked = match given.get(&entry.name) {
            Some(value) => entry.kind.check(value),
            None if entry.required => Err((String::new(), Problem::Missing(None))),
            None => Ok(()),
        };
        checked.map_err(|(place, problem)| (format!(".{}{place}", entry.name), problem))?;
    }
    Ok(())
}

/// The JSON Schema of an object with these entries.
pub(super) fn record_schema(entries: &[Argument]) -> Map<String, Value> {
    let properties = entries
        .iter()
        .map(|entry| (entry.name.clone(), Value::Object(entry.to_schema())));
    let properties: Map<_, _> = properties.collect();
    let mut schema = Map::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), properties.into()),
    ]);
    let required = entries.iter().filter(|entry| entry.required);
    let required: Vec<_> = required.map(|entry| entry.name.clone()).collect();
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    schema
}

/// An option as people write it.
pub(super) fn option_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether two values are the same in JavaScript: `1` and `1.0` are.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}
