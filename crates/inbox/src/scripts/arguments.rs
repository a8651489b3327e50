//! From a method's input schema to a form, and back to arguments that fit it.

use crate::render;
use holdpoint::{FieldError, visible};
use jsonschema::error::ValidationErrorKind;
use serde::Serialize;
use serde_json::{Map, Value};

/// One argument, in the shape that the page's form knows from the fields of an ask.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ArgumentView {
    pub name: String,
    pub title: String,
    pub kind: ArgumentKind,
    pub required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_html: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Of a list: what it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionView>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ArgumentKind {
    Text,
    Number,
    Integer,
    /// On or off, with a default.
    Toggle,
    /// Yes or no, without one.
    Confirm,
    Choice,
    Choices,
    /// One value on each line.
    List,
    /// Anything, as JSON.
    Json,
}

/// One of several values. The page shows the label, and sends what `json` is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct OptionView {
    pub value: String,
    pub label: String,
    pub json: Value,
}

/// The arguments that a schema names; none where it says nothing about them.
pub(crate) fn arguments(schema: &Map<String, Value>) -> Option<Vec<ArgumentView>> {
    let properties = schema.get("properties")?.as_object()?;
    if properties.is_empty() && schema.get("additionalProperties") == Some(&Value::Bool(true)) {
        return None;
    }
    let required = schema.get("required").and_then(Value::as_array);
    let required = |name: &str| required.is_some_and(|names| names.iter().any(|it| it == name));
    let arguments = properties
        .iter()
        .map(|(name, schema)| argument(name, schema, required(name)));
    Some(arguments.collect())
}

fn argument(name: &str, schema: &Value, required: bool) -> ArgumentView {
    let (kind, items, options) = shape(schema);
    let default = schema.get("default").filter(|it| !it.is_null());
    let (kind, default) = match (kind, default) {
        (ArgumentKind::Confirm, Some(default)) => (ArgumentKind::Toggle, Some(default.clone())),
        (ArgumentKind::Json, Some(default)) => (kind, Some(pretty(default).into())),
        (ArgumentKind::Choice, Some(default)) => {
            let known = options.iter().find(|option| option.json == *default);
            (kind, known.map(|option| option.value.clone().into()))
        }
        (_, default) => (kind, default.map(seen)),
    };
    let help = schema.get("description").and_then(Value::as_str);
    ArgumentView {
        name: name.to_owned(),
        title: visible(name).into_owned(),
        kind,
        required,
        help_html: help.map(render::markdown),
        default,
        items,
        options,
    }
}

/// A default with its hidden characters visible: a person sends it on as they see it.
fn seen(value: &Value) -> Value {
    match value {
        Value::String(text) => visible(text).into(),
        Value::Array(values) => values.iter().map(seen).collect(),
        other => other.clone(),
    }
}

type Shape = (ArgumentKind, Option<&'static str>, Vec<OptionView>);

fn shape(schema: &Value) -> Shape {
    let plain = |kind| (kind, None, Vec::new());
    if let Some(options) = schema.get("enum").and_then(Value::as_array) {
        return if options.is_empty() {
            plain(ArgumentKind::Json)
        } else {
            (
                ArgumentKind::Choice,
                None,
                options.iter().map(option).collect(),
            )
        };
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => plain(ArgumentKind::Text),
        Some("number") => plain(ArgumentKind::Number),
        Some("integer") => plain(ArgumentKind::Integer),
        Some("boolean") => plain(ArgumentKind::Confirm),
        Some("array") => list(schema.get("items").unwrap_or(&Value::Null)),
        _ => plain(ArgumentKind::Json),
    }
}

fn list(items: &Value) -> Shape {
    let of = match shape(items) {
        (ArgumentKind::Choice, _, options) if options.iter().all(|it| it.json.is_string()) => {
            return (ArgumentKind::Choices, None, options);
        }
        (ArgumentKind::Text, ..) => "string",
        (ArgumentKind::Number, ..) => "number",
        (ArgumentKind::Integer, ..) => "integer",
        (ArgumentKind::Confirm, ..) => "boolean",
        _ => return (ArgumentKind::Json, None, Vec::new()),
    };
    (ArgumentKind::List, Some(of), Vec::new())
}

fn option(value: &Value) -> OptionView {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    OptionView {
        label: visible(&text).into_owned(),
        value: text,
        json: value.clone(),
    }
}

/// JSON as people read it, hidden characters made visible.
pub(crate) fn pretty(value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    visible(&text).into_owned()
}

/// What is wrong with these arguments; nothing where they fit the schema.
pub(crate) fn check(
    schema: &Map<String, Value>,
    arguments: &Map<String, Value>,
) -> Vec<FieldError> {
    let schema = Value::Object(schema.clone());
    let Ok(validator) = jsonschema::validator_for(&schema) else {
        // The script's own words decide then: it is told what does not fit when it runs.
        return Vec::new();
    };
    let given = Value::Object(arguments.clone());
    let errors = validator.iter_errors(&given);
    errors.map(|error| fault(&error)).collect()
}

fn fault(error: &jsonschema::ValidationError<'_>) -> FieldError {
    let place = error.instance_path().to_string();
    let mut path = place.split('/').skip(1);
    let field = path.next().unwrap_or_default();
    let field = field.replace("~1", "/").replace("~0", "~");
    let item = path.next().and_then(|item| item.parse::<usize>().ok());
    let (field, what) = match error.kind() {
        ValidationErrorKind::Required { property } if field.is_empty() => (
            property.as_str().unwrap_or_default().to_owned(),
            "must be filled in".to_owned(),
        ),
        ValidationErrorKind::AdditionalProperties { unexpected } => (
            unexpected.first().cloned().unwrap_or_default(),
            "is not an argument of this method".to_owned(),
        ),
        ValidationErrorKind::Enum { .. } => (field, "must be one of the options".to_owned()),
        ValidationErrorKind::Type { kind } => {
            use jsonschema::error::TypeKind;
            let wanted = match kind {
                TypeKind::Single(kind) => kind.to_string(),
                TypeKind::Multiple(_) => "another type".to_owned(),
            };
            (field, format!("must be {}", article(&wanted)))
        }
        _ => (field, error.masked().to_string()),
    };
    let message = match item {
        Some(item) => format!("Value {} {what}.", item + 1),
        None => format!("{} {what}.", visible(&field)),
    };
    FieldError { field, message }
}

fn article(kind: &str) -> String {
    match kind {
        "string" => "a text".to_owned(),
        "integer" => "a whole number".to_owned(),
        "boolean" => "yes or no".to_owned(),
        "array" => "a list".to_owned(),
        other => format!("a {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn every_type_has_an_input() {
        let check = |schema: Value, required: bool, wanted: Value| {
            let schema = json!({ "properties": { "a": schema }, "required": if required { vec!["a"] } else { vec![] } });
            let shown = serde_json::to_value(arguments(&object(schema))).unwrap();
            let mut expected = json!({ "name": "a", "title": "a", "required": required });
            expected
                .as_object_mut()
                .unwrap()
                .extend(object(wanted.clone()));
            assert_eq!(shown[0], expected);
        };
        check(json!({ "type": "string" }), true, json!({ "kind": "text" }));
        check(
            json!({ "type": "string", "default": "Hello", "description": "the *word*" }),
            false,
            json!({ "kind": "text", "default": "Hello", "helpHtml": "<p>the <em>word</em></p>\n" }),
        );
        check(
            json!({ "type": "number" }),
            true,
            json!({ "kind": "number" }),
        );
        check(
            json!({ "type": "integer", "default": 4 }),
            false,
            json!({ "kind": "integer", "default": 4 }),
        );
        check(
            json!({ "type": "boolean" }),
            true,
            json!({ "kind": "confirm" }),
        );
        check(
            json!({ "type": "boolean", "default": false }),
            false,
            json!({ "kind": "toggle", "default": false }),
        );
        check(
            json!({ "enum": ["b\u{202e}", 2], "default": 2 }),
            true,
            json!({ "kind": "choice", "default": "2", "options": [
                { "value": "b\u{202e}", "label": "b⟨U+202E⟩", "json": "b\u{202e}" },
                { "value": "2", "label": "2", "json": 2 },
            ] }),
        );
        check(
            json!({ "type": "array", "items": { "type": "integer" } }),
            false,
            json!({ "kind": "list", "items": "integer" }),
        );
        check(
            json!({ "type": "array", "items": { "enum": ["x"] } }),
            true,
            json!({ "kind": "choices", "options": [{ "value": "x", "label": "x", "json": "x" }] }),
        );
        check(
            json!({ "type": "array", "items": { "enum": [1] } }),
            true,
            json!({ "kind": "json" }),
        );
        check(
            json!({ "default": { "deep": 1 } }),
            false,
            json!({ "kind": "json", "default": "{\n  \"deep\": 1\n}" }),
        );
        assert_eq!(arguments(&object(json!({ "type": "object" }))), None);
        let open = json!({ "properties": {}, "additionalProperties": true });
        assert_eq!(arguments(&object(open)), None);
        let none = json!({ "properties": {}, "additionalProperties": false });
        assert_eq!(arguments(&object(none)), Some(Vec::new()));
    }

    #[test]
    fn what_does_not_fit_is_named_at_its_field() {
        let schema = object(json!({
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "steps": { "type": "integer" },
                "mood": { "enum": ["good", "bad"] },
                "numbers": { "type": "array", "items": { "type": "number" } },
            },
            "required": ["name"],
            "additionalProperties": false,
        }));
        let check = |given: Value, wanted: &[(&str, &str)]| {
            let errors = check(&schema, &object(given));
            let errors: Vec<_> = errors
                .iter()
                .map(|it| (it.field.as_str(), it.message.as_str()))
                .collect();
            assert_eq!(errors, wanted);
        };
        check(
            json!({ "name": "ann", "steps": 3, "mood": "bad", "numbers": [1, 2.5] }),
            &[],
        );
        check(json!({}), &[("name", "name must be filled in.")]);
        check(
            json!({ "name": "a", "steps": 1.5 }),
            &[("steps", "steps must be a whole number.")],
        );
        check(
            json!({ "name": "a", "mood": "so" }),
            &[("mood", "mood must be one of the options.")],
        );
        check(
            json!({ "name": "a", "numbers": [1, "two"] }),
            &[("numbers", "Value 2 must be a number.")],
        );
        check(
            json!({ "name": "a", "other": 1 }),
            &[("other", "other is not an argument of this method.")],
        );
    }
}
