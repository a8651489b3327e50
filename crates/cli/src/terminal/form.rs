//! A form, one field after another.

use super::prompt::{self, Stop};
use holdpoint_ask::{
    Answer, Ask, Field, Form, Gesture, Kind,
    field::{Ending, Tone},
    visible,
};
use inquire::{Select, list_option::ListOption};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// What a form got.
#[derive(Debug, PartialEq)]
pub enum Filled {
    /// Answers, each of which fits its field, and what the person did to give them.
    Accepted(Answer, Gesture),
    /// The person left it.
    Left,
    /// The person wants to end the program.
    Interrupted,
    /// The ask ended while they typed.
    Over,
}

/// What is known of a form before it is asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Start {
    /// Answers that were given already.
    pub answer: Answer,
    /// Fields that are not asked for by themselves; they can be filled in at the end.
    pub skipped: Vec<String>,
    /// Fields that are asked for only with a yes.
    pub with_yes: Vec<String>,
    /// Fields that are asked for only with a no.
    pub with_no: Vec<String>,
}

impl Start {
    /// What goes with which answer to this ask: a permission is remembered with a yes, and what a harness prompts
    /// for wants a reason only for a no.
    pub fn for_ask(self, ask: &Ask) -> Self {
        let endings = ask
            .form
            .endings()
            .map_or(&[][..], |(_, options)| options)
            .iter()
            .filter_map(|option| option.ending.as_deref())
            .filter(|ending| ask.in_person && ending.tone != Tone::Go);
        let remember = ask.remember.iter().map(|remember| remember.field.clone());
        Self {
            with_yes: remember.collect(),
            with_no: endings.filter_map(|ending| ending.wants.clone()).collect(),
            ..self
        }
    }

    /// Whether a field is not asked for by itself after these answers.
    fn skips(&self, form: &Form, answers: &Answer, field: &Field) -> bool {
        let other = match form.ending_of(answers).map(|ending| ending.tone) {
            None => return self.skipped.contains(&field.name),
            Some(Tone::Go) => &self.with_no,
            Some(_) => &self.with_yes,
        };
        self.skipped.contains(&field.name) || !field.required && other.contains(&field.name)
    }
}

/// Asks for everything in a form. Escape leaves it, Ctrl-C too; where there are several fields,
/// the answers are shown once more before they count.
///
/// Where the form belongs to a dangerous ask, its `word` is typed for a yes.
///
/// A prompt cannot be taken away from a person who types; once `over` fires, it ends with the next
/// Enter or Escape, and what was typed counts for nothing.
///
/// # Errors
/// When the terminal fails.
pub fn fill(
    form: &Form,
    start: Start,
    word: Option<&str>,
    over: &CancellationToken,
) -> anyhow::Result<Filled> {
    match answer(form, start, word, over) {
        Ok((answers, gesture)) => Ok(Filled::Accepted(answers, gesture)),
        Err(Stop::Left) => Ok(Filled::Left),
        Err(Stop::Interrupted) => Ok(Filled::Interrupted),
        Err(Stop::Over) => Ok(Filled::Over),
        Err(Stop::Fault(error)) => Err(error.into()),
    }
}

fn answer(
    form: &Form,
    start: Start,
    word: Option<&str>,
    over: &CancellationToken,
) -> Result<(Answer, Gesture), Stop> {
    let mut answers = start.answer.clone();
    // The word is the yes that is asked for, not one more after it.
    if let ([field], Some(word)) = (form.fields.as_slice(), word)
        && matches!(field.kind, Kind::Confirm)
    {
        let typed = prompt::word_or_no(field, word, over)?;
        answers.insert(field.name.clone(), typed.is_some().into());
        return Ok((answers, typed.map_or(Gesture::Chosen, Gesture::Word)));
    }
    for field in &form.fields {
        if answers.contains_key(&field.name) || start.skips(form, &answers, field) {
            continue;
        }
        let value = prompt::ask(field, None, over)?;
        put(&mut answers, field, value);
    }
    while form.fields.len() != 1 {
        let next = review(form, &answers, over)?;
        let Some(field) = next.and_then(|at| form.fields.get(at)) else {
            break;
        };
        match prompt::ask(field, answers.get(&field.name), over) {
            Ok(value) => put(&mut answers, field, value),
            Err(Stop::Left) => {}
            Err(stop) => return Err(stop),
        }
    }
    // An ending that says no needs no word.
    let says_no = |ending: &Ending| ending.tone != Tone::Go;
    let word = word.filter(|_| !form.ending_of(&answers).is_some_and(says_no));
    let gesture = match word {
        Some(word) => Gesture::Word(prompt::word(word, over)?),
        None => Gesture::Chosen,
    };
    Ok((answers, gesture))
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
            (Kind::Choice(choice), Some(value)) => {
                let mut options = choice.options.iter();
                let chosen = options.find(|option| Some(option.value.as_str()) == value.as_str());
                chosen.map_or_else(|| format_value(value), |option| option.title().to_string())
            }
            (_, Some(value)) => format_value(value),
        };
        format!("Change {}: {value}", visible(field.label())).replace('\n', " ")
    };
    let rows = std::iter::once(send.to_owned());
    let rows: Vec<String> = rows.chain(form.fields.iter().map(change)).collect();
    let first_words = |row: ListOption<&String>| row.value.chars().take(60).collect();
    let list = Select::new("Is that right?", rows)
        .without_filtering()
        .with_page_size(21)
        .with_formatter(&first_words)
        .with_help_message("Enter to send, ↑↓ to change an answer, Esc to leave it open");
    let picked = prompt::show(|| list.raw_prompt());
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
