//! An argument of a method as a field of the page's form.

use crate::render;
use holdpoint::{
    arguments::{Argument, ArgumentKind, Arguments},
    visible,
};
use serde::Serialize;
use serde_json::Value;

/// One argument, in the shape that the page's form knows from the fields of an ask.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ArgumentView {
    pub name: String,
    pub title: String,
    pub kind: &'static str,
    pub required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_html: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// What a list holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionView>,
}

/// One of several values. The page shows the label, and sends what `json` is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct OptionView {
    pub value: String,
    pub label: String,
    pub json: Value,
}

impl ArgumentView {
    /// The arguments that a method lists; none where it takes anything.
    pub fn all(arguments: &Arguments) -> Option<Vec<Self>> {
        match arguments {
            Arguments::Any => None,
            Arguments::Listed(listed) => Some(listed.iter().map(Self::new).collect()),
        }
    }

    fn new(argument: &Argument) -> Self {
        let (mut kind, items, options) = input(&argument.kind);
        let default = argument.default.as_ref().filter(|value| !value.is_null());
        let default = default.and_then(|default| match kind {
            "confirm" => {
                // A boolean with a default is a setting.
                kind = "toggle";
                Some(default.clone())
            }
            "json" => Some(pretty(default).into()),
            "choice" => {
                let known = options.iter().find(|option| option.json == *default);
                known.map(|option| option.value.clone().into())
            }
            _ => Some(seen(default)),
        });
        Self {
            name: argument.name.clone(),
            title: visible(&argument.name).into_owned(),
            kind,
            required: argument.required,
            help_html: argument.description.as_deref().map(render::markdown),
            default,
            items,
            options,
        }
    }
}

type Input = (&'static str, Option<&'static str>, Vec<OptionView>);

/// The page's input for a kind, what its list holds, and its options. What has no input of its own is
/// typed as JSON.
fn input(kind: &ArgumentKind) -> Input {
    let plain = |name| (name, None, Vec::new());
    match kind {
        ArgumentKind::Text => plain("text"),
        ArgumentKind::Number => plain("number"),
        ArgumentKind::Integer => plain("integer"),
        ArgumentKind::Boolean => plain("confirm"),
        ArgumentKind::OneOf(values) => ("choice", None, options(values)),
        ArgumentKind::List(item) => match &**item {
            ArgumentKind::OneOf(values) if values.iter().all(Value::is_string) => {
                ("choices", None, options(values))
            }
            ArgumentKind::Text
            | ArgumentKind::Number
            | ArgumentKind::Integer
            | ArgumentKind::Boolean => ("list", item.type_name(), Vec::new()),
            _ => plain("json"),
        },
        _ => plain("json"),
    }
}

fn options(values: &[Value]) -> Vec<OptionView> {
    let option = |value: &Value| {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        OptionView {
            label: visible(&text).into_owned(),
            value: text,
            json: value.clone(),
        }
    };
    values.iter().map(option).collect()
}

/// A default with its hidden characters visible: a person sends it on as they see it.
fn seen(value: &Value) -> Value {
    match value {
        Value::String(text) => visible(text).into(),
        Value::Array(values) => values.iter().map(seen).collect(),
        other => other.clone(),
    }
}

/// JSON as people read it, hidden characters made visible.
pub(crate) fn pretty(value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    visible(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_kind_has_an_input() {
        let check = |argument: Argument, wanted: Value| {
            let arguments = Arguments::Listed(vec![argument.clone()]);
            let shown = serde_json::to_value(ArgumentView::all(&arguments)).unwrap();
            let mut expected = json!({ "name": "a", "title": "a", "required": argument.required });
            let wanted = wanted.as_object().unwrap().clone();
            expected.as_object_mut().unwrap().extend(wanted);
            assert_eq!(shown[0], expected);
        };
        let a = |kind| Argument::new("a", kind);
        let one_of = |values: Value| ArgumentKind::OneOf(values.as_array().unwrap().clone());
        check(a(ArgumentKind::Text), json!({ "kind": "text" }));
        check(
            a(ArgumentKind::Text)
                .default("Hello")
                .description("the *word*"),
            json!({ "kind": "text", "default": "Hello", "helpHtml": "<p>the <em>word</em></p>\n" }),
        );
        check(a(ArgumentKind::Number), json!({ "kind": "number" }));
        check(
            a(ArgumentKind::Integer).default(4),
            json!({ "kind": "integer", "default": 4 }),
        );
        check(a(ArgumentKind::Boolean), json!({ "kind": "confirm" }));
        check(
            a(ArgumentKind::Boolean).default(false),
            json!({ "kind": "toggle", "default": false }),
        );
        check(
            a(one_of(json!(["b\u{202e}", 2]))).default(2),
            json!({ "kind": "choice", "default": "2", "options": [
                { "value": "b\u{202e}", "label": "b⟨U+202E⟩", "json": "b\u{202e}" },
                { "value": "2", "label": "2", "json": 2 },
            ] }),
        );
        check(
            a(ArgumentKind::list(ArgumentKind::Integer)).optional(),
            json!({ "kind": "list", "items": "integer" }),
        );
        check(
            a(ArgumentKind::list(one_of(json!(["x"])))),
            json!({ "kind": "choices", "options": [{ "value": "x", "label": "x", "json": "x" }] }),
        );
        check(
            a(ArgumentKind::list(one_of(json!([1])))),
            json!({ "kind": "json" }),
        );
        check(
            a(ArgumentKind::Any).default(json!({ "deep": 1 })),
            json!({ "kind": "json", "default": "{\n  \"deep\": 1\n}" }),
        );
        assert_eq!(ArgumentView::all(&Arguments::Any), None);
        let none = Arguments::Listed(Vec::new());
        assert_eq!(ArgumentView::all(&none), Some(Vec::new()));
    }
}
