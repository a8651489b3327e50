//! What a script yields, without the secrets that it was given.

use holdpoint::ToolContext;
use serde_json::Value;

/// What a script yields without the secrets that it was given. The words that say what is yielded
/// stay: somebody's password may be "text".
pub(crate) fn masked(cx: &ToolContext, yielded: &Value) -> Value {
    let mut whole = yielded.clone();
    cx.mask(&mut whole);
    if whole == *yielded {
        return whole;
    }
    part_masked(cx, yielded.clone())
}

fn part_masked(cx: &ToolContext, mut value: Value) -> Value {
    const SAYS_WHAT: [&str; 6] = ["ask", "emit", "type", "level", "format", "method"];
    match value {
        Value::Object(fields) => {
            let each = fields.into_iter().map(|(name, value)| {
                let word = value.is_string() && SAYS_WHAT.contains(&name.as_str());
                let value = if word { value } else { part_masked(cx, value) };
                (name, value)
            });
            Value::Object(each.collect())
        }
        Value::Array(values) => values.into_iter().map(|it| part_masked(cx, it)).collect(),
        _ => {
            cx.mask(&mut value);
            value
        }
    }
}
