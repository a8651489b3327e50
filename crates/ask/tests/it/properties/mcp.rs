//! What MCP allows in a `requestedSchema`, written from its schemas and not from our code.

use holdpoint_ask::Revision;
use serde_json::Value;
use std::collections::BTreeSet;

/// Whether a client of this version could read the schema.
pub fn conforms(schema: &Value, revision: Revision) -> Result<(), String> {
    let first = revision == Revision::V2025_06_18;
    only(schema, &["type", "properties", "required"])?;
    same(&schema["type"], "object")?;
    let properties = schema["properties"].as_object().ok_or("no properties")?;
    for name in schema["required"].as_array().into_iter().flatten() {
        let known = name
            .as_str()
            .is_some_and(|name| properties.contains_key(name));
        known.then_some(()).ok_or(format!("{name} is unknown"))?;
    }
    for property in properties.values() {
        let default = |of: fn(&Value) -> bool| match property.get("default") {
            Some(_) if first && property["type"] != "boolean" => Err("too early a default"),
            Some(default) if !of(default) => Err("a default of another type"),
            _ => Ok(()),
        };
        match property["type"].as_str() {
            Some("boolean") => {
                only(property, &[])?;
                default(Value::is_boolean)?;
            }
            Some("number" | "integer") => {
                only(property, &["minimum", "maximum"])?;
                default(Value::is_number)?;
            }
            Some("string") => {
                string(property, first)?;
                default(Value::is_string)?;
            }
            Some("array") if !first => {
                only(property, &["items", "minItems", "maxItems"])?;
                items(&property["items"])?;
                default(Value::is_array)?;
            }
            _ => return Err(format!("the type {}", property["type"])),
        }
    }
    Ok(())
}

fn string(property: &Value, first: bool) -> Result<(), String> {
    if property.get("oneOf").is_some() && !first {
        only(property, &["oneOf"])?;
        return constants(&property["oneOf"]);
    }
    if property.get("enum").is_some() {
        only(property, &["enum", "enumNames"])?;
        let values = texts_of(&property["enum"])?;
        return match property.get("enumNames") {
            Some(names) if texts_of(names)? != values => Err("names without values".into()),
            _ => Ok(()),
        };
    }
    only(property, &["minLength", "maxLength", "format"])?;
    match property.get("format").map(|format| format.as_str()) {
        None | Some(Some("email" | "uri" | "date" | "date-time")) => Ok(()),
        Some(other) => Err(format!("the format {other:?}")),
    }
}

fn items(items: &Value) -> Result<(), String> {
    if items.get("anyOf").is_some() {
        only(items, &["anyOf"])?;
        return constants(&items["anyOf"]);
    }
    only(items, &["enum"])?;
    same(&items["type"], "string")?;
    texts_of(&items["enum"]).map(drop)
}

fn constants(list: &Value) -> Result<(), String> {
    for constant in list.as_array().ok_or("no constants")? {
        let keys: Vec<_> = constant.as_object().ok_or("no constant")?.keys().collect();
        let texts = constant["const"].is_string() && constant["title"].is_string();
        (texts && keys == ["const", "title"])
            .then_some(())
            .ok_or(format!("{constant}"))?;
    }
    Ok(())
}

/// How many texts it lists.
fn texts_of(list: &Value) -> Result<usize, String> {
    let list = list.as_array().filter(|list| !list.is_empty());
    let list = list.filter(|list| list.iter().all(Value::is_string));
    Ok(list.ok_or("no list of texts")?.len())
}

fn only(property: &Value, more: &[&str]) -> Result<(), String> {
    let always = ["type", "title", "description", "default"];
    let keys = property.as_object().ok_or("no object")?.keys();
    for key in keys {
        if !always.contains(&key.as_str()) && !more.contains(&key.as_str()) {
            return Err(format!("the keyword {key}"));
        }
    }
    Ok(())
}

fn same(value: &Value, text: &str) -> Result<(), String> {
    (value == text).then_some(()).ok_or(format!("{value}"))
}

/// The types of its properties.
pub fn types(schema: &Value) -> BTreeSet<String> {
    let properties = schema["properties"].as_object().unwrap().values();
    let of = |property: &Value| property["type"].as_str().unwrap_or_default().to_owned();
    properties.map(of).collect()
}

/// Visits every text in it, keys too.
pub fn texts(value: &Value, visit: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(values) => values.iter().for_each(|value| texts(value, visit)),
        Value::Object(keys) => keys.iter().for_each(|(key, value)| {
            visit(key);
            texts(value, visit);
        }),
        _ => {}
    }
}
