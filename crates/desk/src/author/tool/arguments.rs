//! Parsing what an agent sent: an error names the argument and what was expected of it.

use super::error::ToolError;
use holdpoint_ask::nearest::did_you_mean;
use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The arguments of a call, unchecked.
pub(crate) struct Arguments(JsonObject);

impl Arguments {
    pub fn new(given: Option<JsonObject>) -> Self {
        let mut given = given.unwrap_or_default();
        given.values_mut().for_each(make_whole);
        Self(given)
    }

    /// The arguments as the flow wants them. The schema says which there are.
    pub fn parse<A: DeserializeOwned>(self, schema: &JsonObject) -> Result<A, ToolError> {
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
        parse_value(Value::Object(self.0), "").map_err(|error| match error {
            // serde does not say which of several flattened arguments it was.
            ToolError::Argument { name, what } if name == "." => ToolError::Argument {
                name: wrong.unwrap_or(name),
                what,
            },
            error => error,
        })
    }
}

/// Parses one value; `place` is where it stands among the arguments.
///
/// # Errors
/// When it does not fit; the error names its place.
pub fn parse_value<A: DeserializeOwned>(value: Value, place: &str) -> Result<A, ToolError> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let name = match (place, path.as_str()) {
            ("", path) => path.to_owned(),
            (place, ".") => place.to_owned(),
            (place, path) if path.starts_with('[') => format!("{place}{path}"),
            (place, path) => format!("{place}.{path}"),
        };
        ToolError::argument(name, error.inner().to_string())
    })
}

/// The error for an argument that the tool does not have.
pub fn unknown_argument<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> ToolError {
    let what = format!("is not known; {}", did_you_mean(name, known));
    ToolError::argument(name, what)
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

fn missing(name: &str, wanted: Option<&Value>) -> ToolError {
    let part = |key: &str| wanted.and_then(|wanted| wanted.get(key)?.as_str());
    let what = match (part("type"), part("description")) {
        (Some(kind), Some(words)) => format!("is missing: {kind}, {words}"),
        (Some(kind), None) => format!("is missing: {kind}"),
        (None, words) => format!("is missing: {}", words.unwrap_or("it is required")),
    };
    ToolError::argument(name, what)
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

#[cfg(test)]
mod tests {
    use super::super::schema::input_schema;
    use super::*;
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct Wanted {
        /// the question
        message: String,
        #[serde(default)]
        max_length: Option<u32>,
        #[serde(default)]
        parts: Vec<Part>,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Flat {
        #[serde(flatten)]
        part: Part,
    }

    #[test]
    fn an_error_names_a_flattened_argument() {
        let given = json!({ "size": "x" }).as_object().cloned();
        let parsed = Arguments::new(given).parse::<Flat>(&input_schema::<Flat>());
        let error = parsed.unwrap_err().to_string();
        assert!(
            error.starts_with("The argument `size`: invalid type"),
            "{error}"
        );
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Part {
        size: u32,
    }

    fn check(given: Value, wanted: &str) {
        let read =
            Arguments::new(given.as_object().cloned()).parse::<Wanted>(&input_schema::<Wanted>());
        let said = match read {
            Ok(read) => format!("{read:?}"),
            Err(error) => error.to_string(),
        };
        assert!(said.contains(wanted), "{given}: {said}");
    }

    #[test]
    fn an_error_names_its_argument() {
        check(json!({ "message": "a", "maxLength": 3.0 }), "Some(3)");
        check(json!({ "message": "a", "maxLength": null }), "None");
        check(json!({}), "`message` is missing: string, the question");
        check(json!({ "message": null }), "`message` is missing");
        check(
            json!({ "message": 1 }),
            "`message`: invalid type: integer `1`, expected a string",
        );
        check(
            json!({ "message": "a", "maxLength": 1.5 }),
            "`maxLength`: invalid type",
        );
        check(
            json!({ "message": "a", "max_length": 3 }),
            "`max_length` is not known; did you mean `maxLength`?",
        );
        check(
            json!({ "message": "a", "zzz": 3 }),
            "`zzz` is not known; expected one of message, maxLength, parts",
        );
        check(
            json!({ "message": "a", "parts": [{ "size": 1 }, { "size": "x" }] }),
            "`parts[1].size`: invalid type: string \"x\", expected u32",
        );
    }
}
