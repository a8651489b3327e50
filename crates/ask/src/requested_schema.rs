//! Parses the `requestedSchema` of another server into a form.

use crate::{
    Form, FormError,
    schema_property::{self, Property},
    visible,
};
use serde_json::Value;

/// Why a `requestedSchema` cannot be read as a form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// MCP does not allow the schema as a whole.
    #[error("a requestedSchema {0}")]
    Schema(String),
    /// MCP does not allow one of its properties.
    #[error("the property {property:?} {why}")]
    Property {
        /// Its name.
        property: String,
        /// What is not allowed in it.
        why: String,
    },
    /// It has rules that a form cannot have.
    #[error(transparent)]
    Form(#[from] FormError),
}

impl Form {
    /// Reads a `requestedSchema` of any protocol version.
    ///
    /// A boolean or an enum with a default is a setting, as its author says by giving one; without
    /// a default it decides, and nothing is ever filled in for it. A pattern, which MCP does not
    /// have but servers send, is checked. An empty default counts as none.
    ///
    /// ```
    /// use holdpoint_ask::{Form, Kind};
    /// use serde_json::json;
    ///
    /// let form = Form::from_requested_schema(&json!({
    ///     "type": "object",
    ///     "properties": { "sure": { "type": "boolean" } },
    ///     "required": ["sure"],
    /// }))?;
    /// assert_eq!(form.fields[0].kind, Kind::Confirm);
    /// # Ok::<_, holdpoint_ask::ForeignError>(())
    /// ```
    ///
    /// # Errors
    /// When it holds what MCP does not allow; the error names the property and the keyword.
    pub fn from_requested_schema(schema: &Value) -> Result<Self, ForeignError> {
        let fault = |why: &str| ForeignError::Schema(why.to_owned());
        let schema = schema.as_object().ok_or(fault("must be an object"))?;
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(fault("must have the type \"object\""));
        }
        let known = |key: &str| {
            ROOT.contains(&key) || (key == "additionalProperties" && schema[key].is_boolean())
        };
        if let Some(key) = schema.keys().find(|key| !known(key)) {
            return Err(fault(&format!("cannot have {:?}", visible(key))));
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.ok_or(fault("must have properties"))?;
        let required = match schema.get("required") {
            None => &Vec::new(),
            Some(names) => names
                .as_array()
                .ok_or(fault("must list its required properties"))?,
        };
        let unknown = |name: &&Value| {
            !name
                .as_str()
                .is_some_and(|name| properties.contains_key(name))
        };
        if let Some(name) = required.iter().find(unknown) {
            return Err(fault(&format!("requires {name}, which it does not have")));
        }
        let mut form = Self::new();
        for (name, property) in properties {
            let required = required.iter().any(|required| required == name.as_str());
            let field = mcp_only(property)
                .and_then(|property| schema_property::parse_field(name, property, required));
            form = form.field(field.map_err(|why| ForeignError::Property {
                property: visible(name).into_owned(),
                why,
            })?);
        }
        form.check()?;
        Ok(form)
    }
}

/// Gives the keywords of the property, if MCP allows all of them.
fn mcp_only(property: &Value) -> Result<&Property, String> {
    let Some(keys) = property.as_object() else {
        return Err("must be a schema".into());
    };
    let kind = keys.get("type").and_then(Value::as_str);
    let allowed: &[&str] = match kind {
        Some("string") => &STRING,
        Some("number" | "integer") => &["minimum", "maximum", "multipleOf"],
        Some("boolean") => &[],
        Some("array") => &["items", "minItems", "maxItems", "uniqueItems"],
        Some("object") => return Err("is an object: a form must be flat".into()),
        Some(other) => return Err(format!("has the type {other:?}, which MCP does not allow")),
        None => return Err("has no type: MCP requires exactly one".into()),
    };
    let known = |key: &str| allowed.contains(&key) || NOTES.contains(&key) || key.starts_with("x-");
    if let Some(key) = keys.keys().find(|key| !known(key)) {
        return Err(format!("cannot have {:?} in MCP", visible(key)));
    }
    match keys.get("format").and_then(Value::as_str) {
        Some("email" | "uri" | "date" | "date-time") | None => Ok(keys),
        Some(format) => Err(format!(
            "has the format {:?}; MCP allows email, uri, date and date-time",
            visible(format)
        )),
    }
}

const ROOT: [&str; 7] = [
    "type",
    "properties",
    "required",
    "$schema",
    "$id",
    "title",
    "description",
];
const STRING: [&str; 8] = [
    "minLength",
    "maxLength",
    "format",
    "pattern",
    "enum",
    "enumNames",
    "oneOf",
    "anyOf",
];
const NOTES: [&str; 9] = [
    "type",
    "title",
    "description",
    "default",
    "$comment",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
];

#[cfg(test)]
mod tests;
