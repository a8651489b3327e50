//! The `schema` of `elicit_form`: a form as MCP's own JSON Schema.

use super::form::NO_FIELD;
use super::secret_name::{NO_SECRETS, is_secret};
use holdpoint::tool::ToolError;
use holdpoint::{Form, Kind};
use holdpoint_ask::{ForeignError, FormError};
use rmcp::model::JsonObject;
use serde_json::Value;

const ALLOWED: &str = "a property is a string (minLength, maxLength, pattern, format email, uri, date or date-time; enum, enumNames or oneOf), a number or integer (minimum, maximum, multipleOf), a boolean, or an array whose items are options; each may have a title, a description and a default";

/// Reads the form. What MCP cannot carry is refused, and so are secrets.
pub(super) fn form(schema: JsonObject) -> Result<Form, ToolError> {
    refuse_passwords(&schema)?;
    let form = Form::from_requested_schema(&Value::Object(schema)).map_err(refused)?;
    if form.fields.is_empty() {
        return Err(ToolError::argument("schema.properties", NO_FIELD));
    }
    let secret = |kind: &Kind| matches!(kind, Kind::Secret | Kind::Text(_));
    let mut secrets = form.fields.iter().filter(|field| secret(&field.kind));
    match secrets.find(|field| is_secret(&field.name)) {
        Some(field) => Err(ToolError::argument(place(&field.name), NO_SECRETS)),
        None => Ok(form),
    }
}

/// Before MCP's own rules, which say nothing of why this format is none.
fn refuse_passwords(schema: &JsonObject) -> Result<(), ToolError> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut properties = properties.into_iter().flatten();
    match properties.find(|(_, property)| property["format"] == "password") {
        Some((name, _)) => Err(ToolError::argument(place(name), NO_SECRETS)),
        None => Ok(()),
    }
}

fn refused(error: ForeignError) -> ToolError {
    match error {
        ForeignError::Property { property, why } => {
            ToolError::argument(place(&property), format!("it {why}; {ALLOWED}"))
        }
        ForeignError::Form(FormError::Field { field, fault }) => {
            ToolError::argument(place(&field), format!("it {fault}"))
        }
        ForeignError::Schema(why) => ToolError::argument("schema", format!("it {why}; {ALLOWED}")),
        other => ToolError::argument("schema", other.to_string()),
    }
}

fn place(property: &str) -> String {
    format!("schema.properties.{property}")
}
