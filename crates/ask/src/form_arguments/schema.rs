//! A form as MCP's own JSON Schema.

use super::NO_FIELD;
use super::secret_name::{NO_SECRETS, is_secret};
use crate::{ForeignError, Form, FormError, Kind, given_arguments::Misfit};
use serde_json::{Map, Value};

const ALLOWED: &str = "a property is a string (minLength, maxLength, pattern, format email, uri, date or date-time; enum, enumNames or oneOf), a number or integer (minimum, maximum, multipleOf), a boolean, or an array whose items are options; each may have a title, a description and a default";

/// Reads the form. What MCP cannot carry is refused, and so are secrets.
pub(super) fn form(schema: Map<String, Value>) -> Result<Form, Misfit> {
    refuse_passwords(&schema)?;
    let form = Form::from_requested_schema(&Value::Object(schema)).map_err(refused)?;
    if form.fields.is_empty() {
        return Err(Misfit::new("schema.properties", NO_FIELD));
    }
    let secret = |kind: &Kind| matches!(kind, Kind::Secret | Kind::Text(_));
    let mut secrets = form.fields.iter().filter(|field| secret(&field.kind));
    match secrets.find(|field| is_secret(&field.name)) {
        Some(field) => Err(Misfit::new(place(&field.name), NO_SECRETS)),
        None => Ok(form),
    }
}

/// Before MCP's own rules, which say nothing of why this format is none.
fn refuse_passwords(schema: &Map<String, Value>) -> Result<(), Misfit> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut properties = properties.into_iter().flatten();
    match properties.find(|(_, property)| property["format"] == "password") {
        Some((name, _)) => Err(Misfit::new(place(name), NO_SECRETS)),
        None => Ok(()),
    }
}

fn refused(error: ForeignError) -> Misfit {
    match error {
        ForeignError::Property { property, why } => {
            Misfit::new(place(&property), format!("it {why}; {ALLOWED}"))
        }
        ForeignError::Form(FormError::Field { field, fault }) => {
            Misfit::new(place(&field), format!("it {fault}"))
        }
        ForeignError::Schema(why) => Misfit::new("schema", format!("it {why}; {ALLOWED}")),
        other => Misfit::new("schema", other.to_string()),
    }
}

fn place(property: &str) -> String {
    format!("schema.properties.{property}")
}
