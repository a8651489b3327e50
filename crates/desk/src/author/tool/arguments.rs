//! Parsing what an agent sent: an error names the argument and what was expected of it.

use super::error::ToolError;
use holdpoint_ask::given_arguments::{self, GivenArguments};
use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The arguments of a call, unchecked.
pub(crate) struct Arguments(GivenArguments);

impl Arguments {
    pub fn new(given: Option<JsonObject>) -> Self {
        Self(GivenArguments::new(given.unwrap_or_default()))
    }

    /// The arguments as the flow wants them. The schema says which there are.
    pub fn parse<A: DeserializeOwned>(self, schema: &JsonObject) -> Result<A, ToolError> {
        Ok(self.0.parse(schema)?)
    }
}

/// Parses one value; `place` is where it stands among the arguments.
///
/// # Errors
/// When it does not fit; the error names its place.
pub fn parse_value<A: DeserializeOwned>(value: Value, place: &str) -> Result<A, ToolError> {
    Ok(given_arguments::parse_value(value, place)?)
}

/// The error for an argument that the tool does not have.
pub fn unknown_argument<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> ToolError {
    given_arguments::unknown_argument(name, known).into()
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
