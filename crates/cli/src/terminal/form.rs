//! A form, one field after another.

use super::prompt::{self, Stop};
use holdpoint_ask::{Answer, Field, Form, Kind, visible};
use inquire::Select;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// What a form got.
#[derive(Debug, PartialEq)]
pub enum Filled {
    /// Answers, each of which fits its field.
    Accepted(Answer),
    /// The person left it.
    Left,
    /// The person wants to end the program.
    Interrupted,
    /// The ask ended while they typed.
    Over,
}

/// Asks for everything in a form. Escape leaves it, Ctrl-C too; where there are several fields,
/// the answers are shown once more before they count.
///
/// A prompt cannot be taken away from a person who types; once `over` fires, it ends with the next
/// Enter or Escape, and what was typed counts for nothing.
///
/// # Errors
/// When the terminal fails.
pub fn fill(form: &Form, over: &CancellationToken) -> anyhow::Result<Filled> {
    let mut answers = Answer::new();
    let stopped = |stop| match stop {
        Stop::Left => Ok(Filled::Left),
        Stop::Interrupted => Ok(Filled::Interrupted),
        Stop::Over => Ok(Filled::Over),
        Stop::Fault(error) => Err(error.into()),
    };
    for field in &form.fields {
        match prompt::ask(field, None, over) {
            Ok(value) => put(&mut answers, field, value),
            Err(stop) => return stopped(stop),
        }
    }
    while form.fields.len() != 1 {
        let next = match review(form, &answers, over) {
            Ok(next) => next,
            Err(stop) => return stopped(stop),
        };
        let Some(field) = next.and_then(|at| form.fields.get(at)) else {
            break;
        };
        match prompt::ask(field, answers.get(&field.name), over) {
            Ok(value) => put(&mut answers, field, value),
            Err(Stop::Left) => {}
            Err(stop) => return stopped(stop),
        }
    }
    Ok(Filled::Accepted(answers))
}

fn put(answers: &mut Answer, field: &Field, value: Option<Value>) {
    match value {
        Some(value) => drop(answers.insert(field.name.clone(), value)),
        None => drop(answers.remove(&field.name)),
    }
}

/// Shows the answers once more: the field to change, or none to send them.
fn review(form: &Form, answers: &Answer, over: &CancellationToken) -> Result<Option<usize>, Stop> {
    let send = if form.fields.is_empty() {
        "I have read it"
    } else {
        "Send this answer"
    };
    let change = |field: &Field| {
        let value = match (&field.kind, answers.get(&field.name)) {
            (_, None) => "–".to_owned(),
            (Kind::Secret, Some(_)) => "********".to_owned(),
            (_, Some(value)) => format_value(value),
        };
        format!("Change {}: {value}", visible(field.label())).replace('\n', " ")
    };
    let rows = std::iter::once(send.to_owned());
    let rows: Vec<String> = rows.chain(form.fields.iter().map(change)).collect();
    let picked = Select::new("Is that right?", rows)
        .without_filtering()
        .with_page_size(21)
        .with_formatter(&|row| row.value.chars().take(60).collect())
        .with_help_message("Enter to send, ↑↓ to change an answer, Esc to leave it open")
        .raw_prompt();
    if over.is_cancelled() {
        return Err(Stop::Over);
    }
    Ok(picked?.index.checked_sub(1))
}

/// A value as people read it.
pub fn format_value(value: &Value) -> String {
    let text = match value {
        Value::Null => "–".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values
            .iter()
            .map(format_value)
            .collect::<Vec<_>>()
            .join(", "),
        Value::Object(object) => match (object.get("secret"), object.get("name")) {
            (Some(_), _) => "********".to_owned(),
            (None, Some(name)) => format_value(name),
            (None, None) => value.to_string(),
        },
        other => other.to_string(),
    };
    visible(&text).into_owned()
}
