//! Editing JSON with comments and trailing commas, as editors allow them: what is not touched stays byte
//! for byte.

use anyhow::{Context, bail};
use jsonc_parser::{
    ParseOptions,
    cst::{CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode},
};
use serde_json::Value;

/// The file and its top; a file with nothing in it gets one.
pub fn parse(text: &str) -> anyhow::Result<(CstRootNode, CstObject)> {
    let root = CstRootNode::parse(text, &options()).map_err(|error| {
        let (line, column) = (error.line_display(), error.column_display());
        anyhow::anyhow!("line {line}, column {column}: {}", error.kind())
    })?;
    let top = match root.value() {
        None => root.object_value_or_set(),
        Some(value) => value
            .as_object()
            .with_context(|| format!("{}the file is not a JSON object", line(value.clone())))?,
    };
    Ok((root, top))
}

/// The object under this name, where there is one.
pub fn object(parent: &CstObject, name: &str) -> anyhow::Result<Option<CstObject>> {
    let Some(found) = property(parent, name)? else {
        return Ok(None);
    };
    let object = found.object_value();
    let object =
        object.with_context(|| format!("{}`{name}` is not an object", line(found.clone())))?;
    Ok(Some(object))
}

/// The object under this name, made where there is none.
pub fn object_or_new(parent: &CstObject, name: &str) -> anyhow::Result<CstObject> {
    let found = object(parent, name)?;
    Ok(found.unwrap_or_else(|| parent.object_value_or_set(name)))
}

/// A property of this name; two of them mean different things to different readers.
pub fn property(object: &CstObject, name: &str) -> anyhow::Result<Option<CstObjectProp>> {
    let named = |property: &CstObjectProp| property.decoded_name().as_deref() == Some(name);
    let mut found = object.properties().into_iter().filter(named);
    match (found.next(), found.next()) {
        (_, Some(second)) => bail!("{}`{name}` is there twice", line(second)),
        (first, None) => Ok(first),
    }
}

/// Sets a property, and leaves one that says it already exactly as it is written.
pub fn set(object: &CstObject, name: &str, value: CstInputValue) {
    match object.get(name) {
        None => drop(object.append(name, value)),
        Some(property) => {
            let now = property.value().and_then(|value| value.to_serde_value());
            if now != Some(json(&value)) {
                property.set_value(value);
            }
        }
    }
}

/// Takes a property out, if it says this.
pub fn unset(object: &CstObject, name: &str, value: &Value) -> anyhow::Result<bool> {
    let Some(found) = property(object, name)? else {
        return Ok(false);
    };
    let now = found.value().and_then(|value| value.to_serde_value());
    let says = now.as_ref() == Some(value);
    if says {
        found.remove();
    }
    Ok(says)
}

/// The text, checked: it must read as what was meant.
pub fn checked(root: &CstRootNode, wanted: &Value) -> anyhow::Result<String> {
    let text = root.to_string();
    let now = jsonc_parser::parse_to_serde_value::<Value>(&text, &options());
    if now.as_ref().ok() != Some(wanted) {
        bail!("it is written in a way that cannot be changed safely; change it by hand");
    }
    Ok(text)
}

/// Whether nothing but empty objects and lists is left, and no comment.
pub fn is_void(text: &str) -> bool {
    text.chars().all(|char| {
        char.is_whitespace()
            || matches!(char, '{' | '}' | '[' | ']' | ',' | ':' | '"' | '_')
            || char.is_alphanumeric()
    }) && jsonc_parser::parse_to_serde_value::<Value>(text, &options())
        .is_ok_and(|value| holds_nothing(&value))
}

fn holds_nothing(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.values().all(holds_nothing),
        Value::Array(items) => items.iter().all(holds_nothing),
        _ => false,
    }
}

/// A value as it is written.
pub fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(truth) => CstInputValue::Bool(*truth),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => {
            let members = members.iter();
            CstInputValue::Object(
                members
                    .map(|(name, value)| (name.clone(), input(value)))
                    .collect(),
            )
        }
    }
}

fn json(value: &CstInputValue) -> Value {
    match value {
        CstInputValue::Array(items) => items.iter().map(json).collect(),
        CstInputValue::Object(members) => {
            let members = members.iter();
            members
                .map(|(name, value)| (name.clone(), json(value)))
                .collect()
        }
        CstInputValue::String(text) => text.as_str().into(),
        CstInputValue::Bool(truth) => (*truth).into(),
        CstInputValue::Number(number) => number.parse().map_or(Value::Null, Value::Number),
        CstInputValue::Null => Value::Null,
    }
}

/// What editors allow, and no more: a file that a client cannot read is not made better by us.
fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// "line 3: ", the line on which a node starts.
pub fn line(node: impl Into<CstNode>) -> String {
    let node = node.into();
    let mut above = 0;
    let mut count = |node: &CstNode| {
        let before = node.previous_siblings();
        above += before
            .map(|node| node.to_string().matches('\n').count())
            .sum::<usize>();
    };
    count(&node);
    node.ancestors()
        .for_each(|ancestor| count(&ancestor.into()));
    format!("line {}: ", above + 1)
}
