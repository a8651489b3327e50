//! Arguments that a method needs and was not given, asked for at the terminal.

use super::arguments::{Schema, typed};
use crate::terminal::{
    complain,
    prompt::{self, Stop},
    reply::off_the_runtime,
};
use holdpoint::{Field, Form, Kind, field::Text};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

/// The names of required arguments that are not there.
pub fn names<'a>(schema: Schema<'a>, given: &Map<String, Value>) -> Vec<&'a str> {
    let names = schema.properties().map(|(name, _)| name);
    names
        .filter(|name| schema.requires(name) && !given.contains_key(*name))
        .collect()
}

/// Asks for what is missing; gives false where the person does not go on.
///
/// # Errors
/// When the terminal fails.
pub async fn ask(schema: Schema<'_>, given: &mut Map<String, Value>) -> anyhow::Result<bool> {
    let missing = names(schema, given);
    for (name, about) in schema.properties().filter(|(it, _)| missing.contains(it)) {
        let value = loop {
            let asked = field(name, about);
            let never = CancellationToken::new();
            let answer = off_the_runtime(move || prompt::ask(&asked, None, &never)).await;
            let answer = match answer {
                Ok(answer) => answer.unwrap_or(Value::Null),
                Err(Stop::Fault(error)) => return Err(error.into()),
                Err(_) => return Ok(false),
            };
            match (&answer, is_text(about)) {
                (Value::String(text), false) => match typed(about, text) {
                    Ok(value) => break value,
                    Err(why) => complain(&why),
                },
                _ => break answer,
            }
        };
        given.insert(name.to_owned(), value);
    }
    Ok(true)
}

/// A field for an argument; what no field fits is typed as text.
fn field(name: &str, about: &Value) -> Field {
    let schema = json!({ "type": "object", "properties": { name: about }, "required": [name] });
    let read = Form::from_requested_schema(&schema).ok();
    let fitting = read.and_then(|form| form.fields.into_iter().next());
    let field = fitting.unwrap_or_else(|| Field::new(name, Kind::Text(Text::default())));
    let help = about["description"].as_str();
    match help {
        Some(help) if field.help.is_none() => field.help(help),
        _ => field,
    }
}

fn is_text(about: &Value) -> bool {
    about["type"] == "string"
}
