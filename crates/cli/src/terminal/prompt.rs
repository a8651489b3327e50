//! One field, asked for at the terminal, whatever its kind.

use super::{discard_input, select_prompt, text_prompt, value};
use holdpoint_ask::{Field, Kind, visible};
use inquire::InquireError;
use serde_json::Value;
use std::fmt;
use tokio_util::sync::CancellationToken;

pub use super::stop::Stop;

/// Asks for one field; none where it was left out. The value is checked.
///
/// # Errors
/// When the prompt ends without a value.
pub fn ask(
    field: &Field,
    draft: Option<&Value>,
    over: &CancellationToken,
) -> Result<Option<Value>, Stop> {
    let prompt = Prompt::new(field, over);
    loop {
        let value = match &field.kind {
            Kind::Text(rules) => text_prompt::text(&prompt, rules, draft)?,
            Kind::Secret => text_prompt::secret(&prompt)?,
            Kind::Confirm => text_prompt::yes_or_no(&prompt)?,
            Kind::Toggle(rules) => select_prompt::toggle(&prompt, rules, draft)?,
            Kind::Choice(rules) => select_prompt::one(&prompt, rules, draft)?,
            Kind::Choices(rules) => select_prompt::some(&prompt, rules, draft)?,
            Kind::Number(rules) => text_prompt::number(&prompt, rules, draft)?,
            Kind::Integer(rules) => text_prompt::integer(&prompt, rules, draft)?,
            Kind::Rating(rules) => select_prompt::rating(&prompt, rules, draft)?,
            Kind::Date(rules) => text_prompt::date(&prompt, rules, draft, "2026-07-28")?,
            Kind::DateTime(rules) => text_prompt::date(&prompt, rules, draft, "2026-07-28 09:30")?,
            Kind::File(rules) => text_prompt::file(&prompt, rules, draft)?,
            Kind::Link(rules) => select_prompt::visited(&prompt, rules)?,
        };
        if over.is_cancelled() {
            return Err(Stop::Over);
        }
        // Prompts check what they can themselves; what they cannot is said here, and asked again.
        match value::checked(field, value) {
            Ok(Value::Null) => return Ok(None),
            Ok(value) => return Ok(Some(value)),
            Err(message) => super::print_error(&message),
        }
    }
}

/// Shows a prompt; what was typed before it is thrown away. Every prompt passes here.
///
/// # Errors
/// When the prompt ends without a value.
pub fn show<T>(prompt: impl FnOnce() -> Result<T, InquireError>) -> Result<T, Stop> {
    discard_input::discard()?;
    Ok(prompt()?)
}

/// Asks for the word of a dangerous ask, and gives it as it was typed.
///
/// # Errors
/// When the prompt ends without it.
pub fn word(word: &str, over: &CancellationToken) -> Result<String, Stop> {
    let title = format!("Type {} for yes", visible(word));
    text_prompt::word(&title, word, over)
}

/// Asks for a yes or a no to what is dangerous: the yes is the ask's word, given as it was typed; a no
/// gives nothing.
///
/// # Errors
/// When the prompt ends without either.
pub fn word_or_no(
    field: &Field,
    word: &str,
    over: &CancellationToken,
) -> Result<Option<String>, Stop> {
    text_prompt::word_or_no(&Prompt::new(field, over), word)
}

/// What every prompt has.
pub(super) struct Prompt<'a> {
    pub field: &'a Field,
    /// What stands before the answer.
    pub title: String,
    /// A line that explains it, if there is one; it ends in a line break.
    help: String,
    pub over: &'a CancellationToken,
}

impl<'a> Prompt<'a> {
    fn new(field: &'a Field, over: &'a CancellationToken) -> Self {
        let line = |text: &str| visible(text).replace('\n', " ");
        let help = field.help.as_deref().map(line);
        Self {
            field,
            title: line(&field.full_label()),
            help: help.map(|help| format!("{help}\n")).unwrap_or_default(),
            over,
        }
    }

    /// The field's own help, and what the keys do.
    pub fn help(&self, keys: impl fmt::Display) -> String {
        format!("{}{keys}", self.help)
    }

    /// Shows a prompt: what came back, or why nothing did.
    pub fn show<T>(&self, prompt: impl FnOnce() -> Result<T, InquireError>) -> Result<T, Stop> {
        let answered = show(prompt);
        if self.over.is_cancelled() {
            return Err(Stop::Over);
        }
        answered
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    #[test]
    fn every_prompt_throws_away_what_was_typed_before_it() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut folders = vec![source];
        let mut shown = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = fs::read_to_string(&path).unwrap();
                let calls = [concat!(".", "prompt()"), concat!(".", "raw_prompt()")];
                for line in text.lines() {
                    if calls.iter().any(|call| line.contains(call)) {
                        assert!(line.contains("show(||"), "{}: {line}", path.display());
                        shown += 1;
                    }
                }
            }
        }
        assert!(shown > 5, "the prompts are found");
    }
}
