//! JSON Schemas as tables that people read: a row for each field, also of what is nested.

use serde_json::Value;
use std::fmt::Write;

/// A table of the fields of an object, but for these; nothing where there are none.
pub fn table(schema: &Value, without: &[&str]) -> String {
    let mut rows = String::new();
    add_fields(&mut rows, "", schema, without);
    if rows.is_empty() {
        return rows;
    }
    format!("| field | is | |\n|---|---|---|\n{rows}")
}

fn add_fields(rows: &mut String, inside: &str, schema: &Value, without: &[&str]) {
    let required = schema["required"].as_array().into_iter().flatten();
    let required: Vec<_> = required.filter_map(Value::as_str).collect();
    let fields = schema["properties"].as_object().into_iter().flatten();
    for (name, field) in fields.filter(|(name, _)| !without.contains(&name.as_str())) {
        let path = format!("{inside}{name}");
        let must = if required.contains(&name.as_str()) {
            ", required"
        } else {
            ""
        };
        let about = field["description"].as_str().unwrap_or_default();
        let _ = writeln!(
            rows,
            "| `{path}` | {}{must} | {} |",
            type_of(field),
            cell(about)
        );
        add_nested(rows, &path, field);
    }
}

/// The fields of the objects that a value is, or may be, or has in a list.
fn add_nested(rows: &mut String, path: &str, schema: &Value) {
    add_fields(rows, &format!("{path}."), schema, &[]);
    for variant in variants(schema) {
        add_nested(rows, path, variant);
    }
    if schema["items"].is_object() {
        add_nested(rows, &format!("{path}[]"), &schema["items"]);
    }
}

fn variants(schema: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf"]
        .into_iter()
        .filter_map(|key| schema[key].as_array())
        .flatten()
}

/// What a value is, in words.
pub fn type_of(schema: &Value) -> String {
    if let Some(named) = schema["$ref"].as_str() {
        let name = named.rsplit('/').next().unwrap_or(named);
        return format!("[{name}](#{})", name.to_lowercase());
    }
    let kind = kind_of(schema);
    match limits(schema) {
        limits if limits.is_empty() => kind,
        limits => format!("{kind} ({limits})"),
    }
}

fn kind_of(schema: &Value) -> String {
    if let Some(values) = schema["enum"].as_array() {
        return either(values.iter().map(in_code).collect());
    }
    if !schema["const"].is_null() {
        return in_code(&schema["const"]);
    }
    let mut kinds: Vec<_> = variants(schema).map(type_of).collect();
    match &schema["type"] {
        Value::String(kind) if kind == "array" && schema["items"].is_object() => {
            kinds.push(format!("list of: {}", type_of(&schema["items"])));
        }
        Value::String(kind) => kinds.push(word(kind)),
        Value::Array(several) => kinds.extend(several.iter().filter_map(Value::as_str).map(word)),
        _ => {}
    }
    if kinds.is_empty() {
        return "any value".to_owned();
    }
    kinds.dedup();
    either(kinds)
}

fn word(kind: &str) -> String {
    match kind {
        "array" => "list",
        "boolean" => "true or false",
        "null" => "nothing",
        "string" => "text",
        other => other,
    }
    .to_owned()
}

fn limits(schema: &Value) -> String {
    let mut limits = Vec::new();
    if let Some(format) = schema["format"].as_str() {
        limits.push(format.to_owned());
    }
    for (least, most, what) in [
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " of them"),
    ] {
        match (&schema[least], &schema[most]) {
            (Value::Null, Value::Null) => {}
            (least, Value::Null) => limits.push(format!("at least {least}{what}")),
            (Value::Null, most) => limits.push(format!("at most {most}{what}")),
            (least, most) => limits.push(format!("{least} to {most}{what}")),
        }
    }
    if !schema["default"].is_null() {
        limits.push(format!("default {}", in_code(&schema["default"])));
    }
    limits.join("; ")
}

fn in_code(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    }
}

fn either(mut words: Vec<String>) -> String {
    match words.pop() {
        Some(last) if !words.is_empty() => format!("{} or {last}", words.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// A text as it can stand in a cell, or in a sentence: on one line, and nothing in it reads as HTML.
pub fn cell(text: &str) -> String {
    text.replace('|', "\\|")
        .replace('<', "\\<")
        .replace('\n', " ")
}
