//! What a script yields, without the secrets that it was given.

use holdpoint::ToolContext;
use serde_json::Value;

/// Words of our own under these names stay, whatever they are: somebody's password may be "text".
const KEYWORDS: [&str; 6] = ["ask", "emit", "type", "level", "format", "method"];

/// Masks the secrets in what a script yields.
pub(crate) fn mask(cx: &ToolContext, yielded: Value) -> Value {
    if !cx.has_secrets() {
        return yielded;
    }
    let mut whole = yielded.clone();
    cx.mask(&mut whole);
    if whole == yielded {
        return whole;
    }
    mask_but_keywords(cx, yielded)
}

/// Masks the secrets in a text.
pub(crate) fn mask_text(cx: &ToolContext, text: &str) -> String {
    let mut value = Value::from(text);
    cx.mask(&mut value);
    value.as_str().unwrap_or_default().to_owned()
}

/// Whether a value holds a secret anywhere: in a text, as the name of a field, or as a number.
pub(crate) fn holds_secret(cx: &ToolContext, value: &Value) -> bool {
    let says = |text: &str| mask_text(cx, text) != text;
    match value {
        Value::Null => false,
        Value::String(text) => says(text),
        Value::Bool(_) | Value::Number(_) => says(&value.to_string()),
        Value::Array(values) => values.iter().any(|value| holds_secret(cx, value)),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, value)| says(name) || holds_secret(cx, value)),
    }
}

fn mask_but_keywords(cx: &ToolContext, mut value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let each = fields.into_iter().map(|(name, value)| {
                let keyword = value.is_string() && KEYWORDS.contains(&name.as_str());
                let value = if keyword {
                    value
                } else {
                    mask_but_keywords(cx, value)
                };
                (name, value)
            });
            Value::Object(each.collect())
        }
        Value::Array(values) => values
            .into_iter()
            .map(|value| mask_but_keywords(cx, value))
            .collect(),
        _ => {
            cx.mask(&mut value);
            value
        }
    }
}
