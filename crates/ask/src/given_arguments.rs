//! Reading the JSON arguments that an agent or a program sent: an error names the argument and what was expected
//! of it.

use crate::{nearest::did_you_mean, visible};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// An argument that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("The argument `{name}`{what}")]
pub struct Misfit {
    /// Where it stands, like `fields[2].name`.
    pub name: String,
    /// What was expected.
    pub what: String,
}

impl Misfit {
    /// An argument that does not fit: what was expected, or what it `is`.
    pub fn new(name: impl Into<String>, what: impl Into<String>) -> Self {
        let what: String = what.into();
        let what = if what.starts_with("is ") {
            format!(" {what}")
        } else {
            format!(": {what}")
        };
        let name: String = name.into();
        Self {
            name: visible(&name).chars().take(200).collect(),
            what,
        }
    }
}

/// The arguments of a call, unchecked.
#[derive(Debug, Clone)]
pub struct GivenArguments(Map<String, Value>);

impl GivenArguments {
    /// These.
    pub fn new(mut given: Map<String, Value>) -> Self {
        given.values_mut().for_each(make_whole);
        Self(given)
    }

    /// The arguments as they are wanted. The schema says which there are.
    ///
    /// # Errors
    /// When one of them is not known, is missing or does not fit.
    pub fn parse<A: DeserializeOwned>(self, schema: &Map<String, Value>) -> Result<A, Misfit> {
        let known = schema.get("properties").and_then(Value::as_object);
        let names = || known.into_iter().flat_map(Map::keys).map(String::as_str);
        for name in self.0.keys() {
            if !names().any(|known| known == name) {
                return Err(unknown_argument(name, names()));
            }
        }
        let required = schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if self.0.get(name).is_none_or(Value::is_null) {
                let wanted = known.and_then(|known| known.get(name));
                return Err(missing(name, wanted));
            }
        }
        let wrong = self.0.iter().find(|(name, value)| {
            let wanted = known.and_then(|known| known.get(name.as_str()));
            wanted.is_some_and(|wanted| !has_type(value, wanted))
        });
        let wrong = wrong.map(|(name, _)| name.clone());
        parse_value(Value::Object(self.0), "").map_err(|mut error| {
            // serde does not say which of several flattened arguments it was.
            if error.name == "."
                && let Some(wrong) = wrong
            {
                error.name = wrong;
            }
            error
        })
    }
}

/// Parses one value; `place` is where it stands among the arguments.
///
/// # Errors
/// When it does not fit; the error names its place.
pub fn parse_value<A: DeserializeOwned>(value: Value, place: &str) -> Result<A, Misfit> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let name = match (place, path.as_str()) {
            ("", path) => path.to_owned(),
            (place, ".") => place.to_owned(),
            (place, path) if path.starts_with('[') => format!("{place}{path}"),
            (place, path) => format!("{place}.{path}"),
        };
        Misfit::new(name, error.inner().to_string())
    })
}

/// What a parser says of a value, in words that need no knowledge of the program.
pub fn plain_words(said: &str) -> String {
    let (before, said) = match said.strip_prefix(": ") {
        Some(said) => (": ", said),
        None => ("", said),
    };
    let wrong = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|start| said.strip_prefix(start)?.split_once(", expected "));
    if let Some((given, wanted)) = wrong {
        let wanted = match wanted {
            "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0 up",
            "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
            "f32" | "f64" => "a number",
            "a boolean" => "true or false",
            "a sequence" => "a list",
            "a map" => "an object",
            wanted if wanted.starts_with("struct ") => "an object",
            wanted if wanted.starts_with("enum ") || wanted.starts_with("tuple ") => {
                "another value"
            }
            wanted => wanted.strip_prefix("expected ").unwrap_or(wanted),
        };
        let given = match given {
            "sequence" => "a list".to_owned(),
            "map" => "an object".to_owned(),
            "unit value" | "null" => "null".to_owned(),
            given => {
                let kinds = ["string ", "integer ", "floating point ", "boolean "];
                let shown = kinds.iter().find_map(|kind| given.strip_prefix(kind));
                shown.unwrap_or(given).replace('`', "")
            }
        };
        return format!("{before}expected {wanted}, not {given}");
    }
    let unknown = ["unknown field ", "unknown variant "]
        .iter()
        .find_map(|start| said.strip_prefix(start)?.split_once(", expected "));
    if let Some((given, wanted)) = unknown {
        return format!(
            "{before}{given} is not known; expected {}",
            wanted.replace('`', "")
        );
    }
    match said.strip_prefix("missing field ") {
        Some(name) => format!("{before}{name} is missing"),
        None => format!("{before}{said}"),
    }
}

/// The error for an argument that there is not.
pub fn unknown_argument<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Misfit {
    let what = format!("is not known; {}", did_you_mean(name, known));
    Misfit::new(name, what)
}

/// Whether a value has the type that its schema names, as far as it names one.
fn has_type(value: &Value, schema: &Value) -> bool {
    match schema["type"].as_str() {
        Some("string") => value.is_string() || value.is_null(),
        Some("integer") => value.is_i64() || value.is_u64() || value.is_null(),
        Some("array") => value.is_array() || value.is_null(),
        _ => true,
    }
}

fn missing(name: &str, wanted: Option<&Value>) -> Misfit {
    let part = |key: &str| wanted.and_then(|wanted| wanted.get(key)?.as_str());
    let what = match (part("type"), part("description")) {
        (Some(kind), Some(words)) => format!("is missing: {kind}, {words}"),
        (Some(kind), None) => format!("is missing: {kind}"),
        (None, words) => format!("is missing: {}", words.unwrap_or("it is required")),
    };
    Misfit::new(name, what)
}

/// A whole number may be written as `3.0`: to JSON Schema, and to JavaScript, it is the same.
fn make_whole(value: &mut Value) {
    const EXACT: f64 = 9_007_199_254_740_991.0;
    match value {
        Value::Number(number) if number.is_f64() => {
            if let Some(float) = number.as_f64()
                && float.fract() == 0.0
                && float.abs() <= EXACT
            {
                *value = (float as i64).into();
            }
        }
        Value::Array(values) => values.iter_mut().for_each(make_whole),
        Value::Object(values) => values.values_mut().for_each(make_whole),
        _ => {}
    }
}
