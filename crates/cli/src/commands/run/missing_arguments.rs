//! Arguments that a method needs and was not given, asked for at the terminal.

use crate::terminal::{
    print_error,
    prompt::{self, Stop},
    reply::run_blocking,
};
use holdpoint::arguments::{ArgumentKind, Arguments};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

/// Asks for what is missing; gives false where the person stops.
///
/// # Errors
/// When the terminal fails.
pub async fn ask(known: &Arguments, given: &mut Map<String, Value>) -> anyhow::Result<bool> {
    let missing: Vec<_> = known.missing(given).collect();
    for argument in missing {
        let value = loop {
            let asked = argument.field();
            let never = CancellationToken::new();
            let answer = run_blocking(move || prompt::ask(&asked, None, &never)).await;
            let answer = match answer {
                Ok(answer) => answer.unwrap_or(Value::Null),
                Err(Stop::Fault(error)) => return Err(error.into()),
                Err(_) => return Ok(false),
            };
            match (&answer, &argument.kind) {
                (_, ArgumentKind::Text) => break answer,
                (Value::String(text), kind) => match kind.parse(text) {
                    Ok(value) => break value,
                    Err(error) => print_error(&error.to_string()),
                },
                _ => break answer,
            }
        };
        given.insert(argument.name.clone(), value);
    }
    Ok(true)
}
