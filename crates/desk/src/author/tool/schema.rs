//! The schemas of a tool's arguments and results: one object, with everything inline, since not
//! every client follows references.

use rmcp::model::JsonObject;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// The schema of a tool's arguments.
pub fn input_schema<A: JsonSchema>() -> JsonObject {
    let mut schema = schema_of::<A>(SchemaSettings::draft2020_12());
    schema.insert("additionalProperties".into(), false.into());
    schema
}

/// The schema of a tool's result: the fields `E` that every such tool has, its own, `O`, and
/// `error`. Only the first can be required: a call that could not ask has no others.
pub(super) fn output_schema<E: JsonSchema, O: JsonSchema>() -> JsonObject {
    let settings = || SchemaSettings::draft2020_12().for_serialize();
    let mut schema = schema_of::<E>(settings());
    let own = without_required(schema_of::<O>(settings()));
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.extend(own);
        properties.insert("error".into(), json!({ "type": "string" }));
    }
    schema
}

/// The properties of a tool's own fields, each of which may be left out.
fn without_required(mut schema: JsonObject) -> JsonObject {
    match schema.remove("properties") {
        Some(Value::Object(mut properties)) => {
            properties.values_mut().for_each(without_null);
            properties
        }
        _ => Map::new(),
    }
}

fn schema_of<T: JsonSchema>(settings: SchemaSettings) -> JsonObject {
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = Value::from(settings.into_generator().into_root_schema_for::<T>());
    tidy(&mut schema);
    match schema {
        Value::Object(mut schema) => {
            schema.remove("title");
            schema.remove("description");
            schema
        }
        _ => Map::new(),
    }
}

/// Takes out what only Rust needs: widths of numbers, `null` where leaving out is the way to leave
/// out, and whether an object inside may have other properties. A list of tools goes with every
/// request of some clients.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(tidy),
        Value::Object(schema) => {
            let width = schema.get("format").is_some_and(is_width);
            schema.retain(|key, value| match key.as_str() {
                "default" => !value.is_null(),
                "format" | "minimum" | "maximum" => !width,
                "additionalProperties" => !value.is_boolean(),
                // The sentence about a Rust type; what agents are told ends without a full stop.
                "description" => !value.as_str().is_some_and(|words| words.ends_with('.')),
                _ => true,
            });
            let required = schema.get("required").cloned().unwrap_or_default();
            let required = |name: &str| {
                let mut names = required.as_array().into_iter().flatten();
                names.any(|required| required == name)
            };
            if let Some(Value::Object(properties)) = schema.get_mut("properties") {
                for (name, property) in properties {
                    if !required(name) {
                        without_null(property);
                    }
                }
            }
            schema.values_mut().for_each(tidy);
        }
        _ => {}
    }
}

fn without_null(schema: &mut Value) {
    let Value::Object(schema) = schema else {
        return;
    };
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [one] = types.as_slice() {
            let one = one.clone();
            schema.insert("type".into(), one);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(any)) = schema.get_mut("anyOf") {
        any.retain(|one| one["type"] != "null");
        if let [Value::Object(one)] = any.as_mut_slice() {
            let one = std::mem::take(one);
            schema.remove("anyOf");
            for (key, value) in one {
                schema.entry(key).or_insert(value);
            }
        }
    }
}

fn is_width(format: &Value) -> bool {
    let widths = ["uint", "int", "float", "double"];
    let format = format.as_str();
    format.is_some_and(|format| widths.iter().any(|width| format.starts_with(width)))
}
