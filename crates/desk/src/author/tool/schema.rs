//! The schemas of a tool's arguments and results.

use rmcp::model::JsonObject;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// The schema of a tool's arguments: one object, with everything inline, since not every client
/// follows references, and without `null`, since leaving out is the way to leave out.
pub(crate) fn input_schema<A: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<A>();
    let mut schema = match Value::from(schema) {
        Value::Object(schema) => schema,
        _ => Map::new(),
    };
    schema.remove("title");
    schema.remove("description");
    schema.insert("additionalProperties".into(), false.into());
    tidy(&mut schema);
    schema
}

fn tidy(schema: &mut Map<String, Value>) {
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
    schema.retain(|key, value| {
        match key.as_str() {
            // The absence that every optional argument has.
            "default" => !value.is_null(),
            // Widths of Rust's numbers.
            "format" => !is_width(value),
            _ => true,
        }
    });
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
    for value in schema.values_mut() {
        match value {
            Value::Object(inner) => tidy(inner),
            Value::Array(inner) => inner
                .iter_mut()
                .filter_map(Value::as_object_mut)
                .for_each(tidy),
            _ => {}
        }
    }
}

fn is_width(format: &Value) -> bool {
    let widths = ["uint", "int", "float", "double"];
    format
        .as_str()
        .is_some_and(|format| widths.iter().any(|width| format.starts_with(width)))
}

/// The result fields of a tool.
pub enum OutputSchema {
    /// Its own, beside those of every tool that asks.
    WithAskFields(Value),
    /// Its own only: the tool asks nobody.
    Only(Value),
}

impl OutputSchema {
    pub(crate) fn schema(self) -> JsonObject {
        let error = json!({
            "type": "string",
            "description": "Nothing was asked or done, for this reason; the text says more",
        });
        let next = json!({ "type": "string", "description": "What to do now" });
        let (mut properties, required) = match self {
            Self::WithAskFields(own) => {
                let mut all = every_ask();
                all.extend(object(own));
                (all, json!(["proceed", "nextStep"]))
            }
            Self::Only(own) => {
                let mut all = object(own);
                all.insert("nextStep".into(), next);
                (all, json!(["nextStep"]))
            }
        };
        properties.insert("error".into(), error);
        object(json!({ "type": "object", "properties": properties, "required": required }))
    }
}

/// The result fields of every tool that asks.
fn every_ask() -> JsonObject {
    object(json!({
        "status": {
            "type": "string",
            "enum": [
                "accepted", "declined", "cancelled", "timed_out",
                "unreachable", "invalid", "withdrawn", "pending"
            ],
            "description": "What became of the question",
        },
        "askId": { "type": "string", "description": "Names the question; await_answer takes it" },
        "channel": {
            "type": "string",
            "enum": ["client", "url", "inbox", "terminal", "cli", "preset"],
            "description": "Through what the person answered",
        },
        "answeredBy": { "type": "string", "description": "Who answered" },
        "durationMs": { "type": "integer", "description": "How long it took" },
        "proceed": {
            "type": "boolean",
            "description": "True only where a person's checked answer says go on",
        },
        "nextStep": { "type": "string", "description": "What to do now" },
        "retryAfterSeconds": {
            "type": "integer",
            "description": "While pending: when to call await_answer",
        },
        "url": { "type": "string", "description": "While pending: where a person can answer" },
    }))
}

/// A JSON object that was written as one.
pub fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
