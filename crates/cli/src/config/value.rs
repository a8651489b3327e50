//! A value as it was written, and what can be read from it.

use serde_json::{Map, Value as Json};
use std::ops::RangeInclusive;
use toml_edit::{Item, Value};

/// A value as it was written. What a variable or a flag says is text, whatever it stands for.
#[derive(Debug, Clone)]
pub enum Written {
    /// From a file.
    Typed(Json),
    /// From a variable or a flag.
    Text(String),
}

impl Written {
    pub fn from_toml(item: &Item) -> Self {
        Self::Typed(toml_as_json(item))
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Typed(Json::String(text)) | Self::Text(text) => Some(text),
            Self::Typed(_) => None,
        }
    }

    pub fn number(&self, range: RangeInclusive<u64>) -> Option<u64> {
        let number = match self {
            Self::Typed(value) => value.as_u64()?,
            Self::Text(text) => text.trim().parse().ok()?,
        };
        range.contains(&number).then_some(number)
    }

    pub fn truth(&self) -> Option<bool> {
        match self {
            Self::Typed(value) => value.as_bool(),
            Self::Text(text) => text.trim().parse().ok(),
        }
    }

    /// Words: a list in a file, and separated by commas elsewhere.
    pub fn words(&self) -> Option<Vec<String>> {
        match self {
            Self::Typed(value) => strings(value),
            Self::Text(text) => Some(
                text.split(',')
                    .map(|word| word.trim().to_owned())
                    .filter(|word| !word.is_empty())
                    .collect(),
            ),
        }
    }

    /// A program and its arguments: a list, or the program alone. A variable may hold the list as
    /// JSON; it is never taken apart at spaces.
    pub fn program(&self) -> Option<Vec<String>> {
        let list = match self {
            Self::Text(text) if text.starts_with('[') => {
                serde_json::from_str(text).ok().as_ref().and_then(strings)?
            }
            Self::Typed(value @ Json::Array(_)) => strings(value)?,
            single => vec![single.text()?.to_owned()],
        };
        (!list.first()?.is_empty()).then_some(list)
    }

    /// A section's keys.
    pub fn keys(&self) -> Option<&Map<String, Json>> {
        match self {
            Self::Typed(value) => value.as_object(),
            Self::Text(_) => None,
        }
    }
}

fn strings(value: &Json) -> Option<Vec<String>> {
    let text = |value: &Json| value.as_str().map(str::to_owned);
    value.as_array()?.iter().map(text).collect()
}

/// A piece of TOML as JSON.
pub fn toml_as_json(item: &Item) -> Json {
    match item {
        Item::Value(value) => json_of_value(value),
        Item::Table(table) => table
            .iter()
            .map(|(key, item)| (key.to_owned(), toml_as_json(item)))
            .collect(),
        Item::ArrayOfTables(_) | Item::None => Json::Null,
    }
}

fn json_of_value(value: &Value) -> Json {
    match value {
        Value::String(text) => text.value().as_str().into(),
        Value::Integer(number) => (*number.value()).into(),
        Value::Float(number) => (*number.value()).into(),
        Value::Boolean(truth) => (*truth.value()).into(),
        Value::Datetime(time) => time.value().to_string().into(),
        Value::Array(list) => list.iter().map(json_of_value).collect(),
        Value::InlineTable(table) => table
            .iter()
            .map(|(key, value)| (key.to_owned(), json_of_value(value)))
            .collect(),
    }
}
