//! What a person types.

use super::{
    file::Paths,
    prompt::{self, Prompt, Stop},
    value,
};
use holdpoint_ask::{
    Field,
    field::{DateRange, File, Integer, Number, Text},
    visible,
};
use inquire::{
    CustomUserError, Password, PasswordDisplayMode,
    validator::{StringValidator, Validation},
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

const ON: &str = "Enter to go on, Esc to leave";

pub(super) fn text(
    prompt: &Prompt<'_>,
    rules: &Text,
    draft: Option<&Value>,
) -> Result<Value, Stop> {
    let keys = if rules.multiline {
        format!("Alt+Enter for a new line, {ON}")
    } else {
        ON.to_owned()
    };
    let typed = Typed {
        keys: prompt.help(keys),
        example: rules.placeholder.clone(),
        first: draft.and_then(Value::as_str).or(rules.default.as_deref()),
        one_line: !rules.multiline,
        paths: false,
    };
    typed.ask(prompt)
}

/// A text that is never shown, neither while it is typed nor later.
pub(super) fn secret(prompt: &Prompt<'_>) -> Result<Value, Stop> {
    let help = prompt.help(format!("it is stored nowhere; {ON}"));
    let asked = Password::new(&prompt.title)
        .without_confirmation()
        .with_display_mode(PasswordDisplayMode::Masked)
        .with_help_message(&help)
        .with_validator(Fits::new(prompt, false));
    prompt.show(|| asked.prompt()).map(Value::from)
}

/// A yes or a no, typed as a word: an Enter alone is neither.
pub(super) fn yes_or_no(prompt: &Prompt<'_>) -> Result<Value, Stop> {
    Typed::new(prompt, "yes or no, then Enter; Esc to leave")
        .example("yes/no")
        .ask(prompt)
}

pub(super) fn number(
    prompt: &Prompt<'_>,
    rules: &Number,
    draft: Option<&Value>,
) -> Result<Value, Stop> {
    let range = range(&rules.min, &rules.max, rules.unit.as_deref());
    let first = draft.cloned().or(rules.default.map(Value::from));
    numeric(prompt, &range, first)
}

pub(super) fn integer(
    prompt: &Prompt<'_>,
    rules: &Integer,
    draft: Option<&Value>,
) -> Result<Value, Stop> {
    let range = range(&rules.min, &rules.max, rules.unit.as_deref());
    let first = draft.cloned().or(rules.default.map(Value::from));
    numeric(prompt, &range, first)
}

fn numeric(prompt: &Prompt<'_>, range: &str, first: Option<Value>) -> Result<Value, Stop> {
    let first = first.map(|first| first.to_string());
    Typed::new(prompt, format!("{range}{ON}"))
        .first(first.as_deref())
        .ask(prompt)
}

pub(super) fn date(
    prompt: &Prompt<'_>,
    rules: &DateRange,
    draft: Option<&Value>,
    example: &str,
) -> Result<Value, Stop> {
    let range = range(&rules.min, &rules.max, None);
    let first = draft.and_then(Value::as_str).or(rules.default.as_deref());
    Typed::new(prompt, format!("{range}{ON}"))
        .example(example)
        .first(first)
        .ask(prompt)
}

pub(super) fn file(
    prompt: &Prompt<'_>,
    rules: &File,
    draft: Option<&Value>,
) -> Result<Value, Stop> {
    let wanted = match rules.accept.as_slice() {
        [] => String::new(),
        endings => format!("{}; ", visible(&endings.join(", "))),
    };
    let first = draft.and_then(|file| file["path"].as_str());
    let mut typed = Typed::new(prompt, format!("{wanted}Tab completes the path, {ON}"));
    typed.paths = true;
    typed.first(first).example("a path").ask(prompt)
}

/// A value of the person's own, where the options do not fit.
pub(super) fn other(prompt: &Prompt<'_>) -> Result<String, Stop> {
    let asked = inquire::Text::new("In your own words").with_help_message(ON);
    prompt.show(|| asked.prompt())
}

/// The word of a dangerous ask, as it was typed.
pub(super) fn word(title: &str, word: &str, over: &CancellationToken) -> Result<String, Stop> {
    let typed = Word {
        word: word.to_owned(),
        or_no: false,
        over: over.clone(),
    };
    let asked = inquire::Text::new(title)
        .with_help_message("this is dangerous; the word, then Enter; Esc to leave")
        .with_validator(typed);
    let answered = prompt::show(|| asked.prompt());
    if over.is_cancelled() {
        return Err(Stop::Over);
    }
    Ok(answered?.trim().to_owned())
}

/// The word of a dangerous ask as it was typed, or a no.
pub(super) fn word_or_no(prompt: &Prompt<'_>, word: &str) -> Result<Option<String>, Stop> {
    let shown = visible(word);
    let typed = Word {
        word: word.to_owned(),
        or_no: true,
        over: prompt.over.clone(),
    };
    let help = prompt.help(format!(
        "this is dangerous: type {shown} for yes, or no; then Enter; Esc to leave"
    ));
    let example = format!("{shown}/no");
    let asked = inquire::Text::new(&prompt.title)
        .with_placeholder(&example)
        .with_help_message(&help)
        .with_validator(typed.clone());
    let text = prompt.show(|| asked.prompt())?;
    Ok(typed.is_word(&text).then(|| text.trim().to_owned()))
}

fn range<T: ToString>(min: &Option<T>, max: &Option<T>, unit: Option<&str>) -> String {
    let unit = unit.map(|unit| format!(" {}", visible(unit)));
    let unit = unit.unwrap_or_default();
    let shown = |bound: &T| visible(&bound.to_string()).into_owned();
    match (min.as_ref().map(shown), max.as_ref().map(shown)) {
        (Some(min), Some(max)) => format!("{min} to {max}{unit}; "),
        (Some(min), None) => format!("{min}{unit} or more; "),
        (None, Some(max)) => format!("at most {max}{unit}; "),
        (None, None) if unit.is_empty() => String::new(),
        (None, None) => format!("in{unit}; "),
    }
}

/// A prompt for a line of text that stands for a value.
struct Typed<'a> {
    keys: String,
    example: Option<String>,
    first: Option<&'a str>,
    one_line: bool,
    paths: bool,
}

impl<'a> Typed<'a> {
    fn new(prompt: &Prompt<'_>, keys: impl std::fmt::Display) -> Self {
        Self {
            keys: prompt.help(keys),
            example: None,
            first: None,
            one_line: true,
            paths: false,
        }
    }

    fn example(mut self, example: &str) -> Self {
        self.example = Some(example.to_owned());
        self
    }

    fn first(mut self, first: Option<&'a str>) -> Self {
        self.first = first;
        self
    }

    fn ask(self, prompt: &Prompt<'_>) -> Result<Value, Stop> {
        let example = self.example.as_deref().map(visible);
        let first = self.first.map(visible);
        let shown = |text: &str| visible(text).into_owned();
        let mut asked = inquire::Text::new(&prompt.title)
            .with_help_message(&self.keys)
            .with_formatter(&shown)
            .with_validator(Fits::new(prompt, self.one_line));
        if let Some(example) = &example {
            asked = asked.with_placeholder(example);
        }
        if let Some(first) = &first {
            asked = asked.with_initial_value(first);
        }
        if self.paths {
            asked = asked.with_autocomplete(Paths);
        }
        let text = prompt.show(|| asked.prompt())?;
        match value::typed(prompt.field, &text) {
            Ok(value) => Ok(value),
            // A file can change between the check and here: it is asked for again.
            Err(_) => Ok(text.into()),
        }
    }
}

/// Whether what was typed fits its field, said at the field.
#[derive(Clone)]
struct Fits {
    field: Field,
    one_line: bool,
    over: CancellationToken,
}

impl Fits {
    fn new(prompt: &Prompt<'_>, one_line: bool) -> Self {
        Self {
            field: prompt.field.clone(),
            one_line,
            over: prompt.over.clone(),
        }
    }
}

impl StringValidator for Fits {
    fn validate(&self, text: &str) -> Result<Validation, CustomUserError> {
        if self.over.is_cancelled() {
            return Ok(Validation::Valid);
        }
        if self.one_line && text.contains('\n') {
            return Ok(Validation::Invalid("Only one line fits here.".into()));
        }
        Ok(match value::typed(&self.field, text) {
            Ok(_) => Validation::Valid,
            Err(message) => Validation::Invalid(visible(&message).into_owned().into()),
        })
    }
}

/// Whether the word of a dangerous ask was typed, said at the prompt.
#[derive(Clone)]
struct Word {
    word: String,
    /// A no is an answer too.
    or_no: bool,
    over: CancellationToken,
}

impl Word {
    fn is_word(&self, text: &str) -> bool {
        text.trim().to_lowercase() == self.word.to_lowercase()
    }
}

impl StringValidator for Word {
    fn validate(&self, text: &str) -> Result<Validation, CustomUserError> {
        let says_no = matches!(text.trim().to_lowercase().as_str(), "no" | "n");
        if self.is_word(text) || (self.or_no && says_no) || self.over.is_cancelled() {
            return Ok(Validation::Valid);
        }
        let or_no = if self.or_no { ", or no" } else { "" };
        let message = format!("Type {} for yes{or_no}.", visible(&self.word));
        Ok(Validation::Invalid(message.into()))
    }
}
