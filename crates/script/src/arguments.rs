//! What a method is called with, as its documentation says.

use crate::{Method, Param};
use holdpoint_ask::nearest::did_you_mean;
use rmcp::model::JsonObject;
use serde_json::Value;

/// The arguments with their defaults. A method that documents none takes anything.
pub(crate) fn read(method: &Method, mut given: JsonObject) -> Result<JsonObject, String> {
    if method.params.is_empty() {
        return Ok(given);
    }
    given.retain(|_, value| !value.is_null());
    let known = || method.params.iter().map(|param| param.name.as_str());
    for name in given.keys() {
        if !known().any(|it| it == name) {
            let shown = crate::yields::short(name);
            return Err(format!(
                "The argument `{shown}` is not known; {}",
                did_you_mean(name, known())
            ));
        }
    }
    for param in &method.params {
        match given.get(&param.name) {
            Some(value) => fits(param, value)?,
            None if param.required => {
                let about = param.description.as_deref();
                let about = about.map(|it| format!(": {it}")).unwrap_or_default();
                return Err(format!("The argument `{}` is missing{about}", param.name));
            }
            None => {}
        }
    }
    Ok(method.filled(given))
}

fn fits(param: &Param, value: &Value) -> Result<(), String> {
    if is_plainly(&param.schema, value) {
        return Ok(());
    }
    let wanted = Value::Object(param.schema.clone());
    let whole = match jsonschema::validator_for(&wanted) {
        Ok(schema) => schema.validate(value).map_err(|error| error.to_string()),
        // A schema that cannot be read forbids nothing.
        Err(_) => Ok(()),
    };
    whole.map_err(|what| {
        let what: String = crate::yields::short(&what);
        format!("The argument `{}` does not fit: {what}", param.name)
    })
}

/// Whether a value is of the one plain type that a schema wants; most are, and need no validator.
fn is_plainly(schema: &JsonObject, value: &Value) -> bool {
    let rules = schema
        .keys()
        .any(|key| !matches!(key.as_str(), "type" | "description" | "default"));
    match schema.get("type").and_then(Value::as_str) {
        _ if rules => false,
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        _ => false,
    }
}
