//! Checks whether an ask can be put to a person at all: faults of whoever asks.

use crate::{
    Ask, Field, Form, Kind,
    field::{Choice, Choices, DateRange, File, Integer, Link, Number, Pick, Rating, Text},
    limits::MAX_EDITED,
    lower::OTHER,
    validate, visible,
    visible::is_visible,
};
use serde_json::{Value, json};
use std::collections::HashSet;

pub use crate::limits::{MAX_DETAILS, MAX_FIELDS, MAX_FORM, MAX_MESSAGE, MAX_NAME, MAX_OPTIONS};

/// What is wrong with an ask, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// Nothing is asked.
    #[error("the message is empty: say what the person should decide")]
    EmptyMessage,
    /// More than a person would read.
    #[error("the message has {bytes} bytes; at most {MAX_MESSAGE} are allowed")]
    MessageTooLong {
        /// How many there are.
        bytes: usize,
    },
    /// More than a person would read, also on a page.
    #[error("the details have {bytes} bytes; at most {MAX_DETAILS} are allowed")]
    DetailsTooLong {
        /// How many there are.
        bytes: usize,
    },
    /// The text that can be edited is longer than one that could be sent back.
    #[error("the text that can be edited has {bytes} bytes; at most {MAX_EDITED} are allowed")]
    EditableTooLong {
        /// How many there are.
        bytes: usize,
    },
    /// The word for a yes is not one that is typed at once.
    #[error("the word {word:?} must have 3 to 32 letters or digits and nothing else")]
    BadWord {
        /// The word.
        word: String,
    },
    /// The author's own name for it is not one that a person could type.
    #[error(
        "the key {key:?} must be a short name, not a number, without spaces around it, hidden characters or \"-again-\""
    )]
    BadKey {
        /// The name.
        key: String,
    },
    /// What it offers to remember cannot be.
    #[error("what is offered to be remembered cannot be: {0}")]
    Remember(&'static str),
    /// The form cannot be shown.
    #[error(transparent)]
    Form(#[from] FormError),
}

/// What is wrong with a form, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormError {
    /// More fields than a person would fill in.
    #[error("the form has {count} fields; at most {MAX_FIELDS} are allowed")]
    TooManyFields {
        /// How many there are.
        count: usize,
    },
    /// More text than a form should carry.
    #[error("the form has {bytes} bytes as JSON; at most {MAX_FORM} are allowed")]
    TooLarge {
        /// How many there are.
        bytes: usize,
    },
    /// One field is at fault.
    #[error("the field {field:?} {fault}")]
    Field {
        /// Its name.
        field: String,
        /// What is wrong with it, and what to do.
        fault: String,
    },
}

impl Ask {
    /// Checks that it can be put to a person.
    ///
    /// # Errors
    /// When the message is empty or too long, or the key or the form is at fault.
    pub fn check(&self) -> Result<(), AskError> {
        if self.message.trim().is_empty() {
            return Err(AskError::EmptyMessage);
        }
        let size = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let bytes = self.message.len() + size(&self.consequence);
        if bytes > MAX_MESSAGE {
            return Err(AskError::MessageTooLong { bytes });
        }
        let bytes = size(&self.details);
        if bytes > MAX_DETAILS {
            return Err(AskError::DetailsTooLong { bytes });
        }
        let bytes = self.editable.as_ref().map_or(0, |text| text.text.len());
        if bytes > MAX_EDITED {
            return Err(AskError::EditableTooLong { bytes });
        }
        let unfit = |key: &&String| name(key).is_err() || looks_like_ours(key);
        if let Some(key) = self.key.as_ref().filter(unfit) {
            let key = visible(key).chars().take(MAX_NAME).collect();
            return Err(AskError::BadKey { key });
        }
        let unfit = |word: &&String| {
            let count = word.chars().count();
            !(3..=32).contains(&count) || !word.chars().all(char::is_alphanumeric)
        };
        if let Some(word) = self.word.as_ref().filter(unfit) {
            let word = visible(word).chars().take(MAX_NAME).collect();
            return Err(AskError::BadWord { word });
        }
        if let Some(fault) = self.remember_fault() {
            return Err(AskError::Remember(fault));
        }
        Ok(self.form.check()?)
    }
}

/// Whether the desk might give this key by itself, to another ask or to a second try.
fn looks_like_ours(key: &str) -> bool {
    key.bytes().all(|byte| byte.is_ascii_digit()) || key.contains("-again-")
}

impl Form {
    /// Checks that it can be shown and answered.
    ///
    /// # Errors
    /// The first fault: a name, a rule, a default or an option that cannot be, or a limit passed.
    pub fn check(&self) -> Result<(), FormError> {
        let count = self.fields.len();
        if count > MAX_FIELDS {
            return Err(FormError::TooManyFields { count });
        }
        let mut names = HashSet::new();
        for field in &self.fields {
            name(&field.name)
                .and_then(|()| {
                    if names.insert(&field.name) {
                        Ok(())
                    } else {
                        fault("appears twice: give each field its own name")
                    }
                })
                .and_then(|()| rules(field))
                .map_err(|fault| FormError::Field {
                    field: visible(&field.name).chars().take(MAX_NAME).collect(),
                    fault,
                })?;
        }
        let bytes = serde_json::to_vec(self).map_or(0, |json| json.len());
        if bytes > MAX_FORM {
            return Err(FormError::TooLarge { bytes });
        }
        Ok(())
    }
}

type Checked = Result<(), String>;

fn fault<T>(text: impl Into<String>) -> Result<T, String> {
    Err(text.into())
}

fn name(name: &str) -> Checked {
    if name.is_empty() {
        return fault("has no name: give it one");
    }
    if name.chars().count() > MAX_NAME {
        return fault(format!(
            "has a name that is too long: at most {MAX_NAME} characters are allowed"
        ));
    }
    if name.trim() != name || name.contains(['\n', '\t', '\r']) || !is_visible(name) {
        return fault("has a name with spaces around it or invisible characters in it");
    }
    // An object in JavaScript swallows this key, and with it the answer.
    if name == "__proto__" {
        return fault("has a name that JavaScript clients cannot carry: choose another");
    }
    Ok(())
}

fn rules(field: &Field) -> Checked {
    if field
        .title
        .as_deref()
        .is_some_and(|title| title.trim().is_empty())
    {
        return fault("has an empty title: leave it out");
    }
    match &field.kind {
        Kind::Text(rules) => text(field, rules),
        Kind::Choice(rules) => choice(field, rules),
        Kind::Choices(rules) => choices(field, rules),
        Kind::Number(rules) => number(field, rules),
        Kind::Integer(rules) => integer(field, rules),
        Kind::Rating(rules) => rating(rules),
        Kind::Date(range) => dates(field, range, validate::date),
        Kind::DateTime(range) => dates(field, range, validate::moment),
        Kind::File(rules) => file(rules),
        Kind::Link(rules) => link(rules),
        Kind::Secret | Kind::Toggle(_) | Kind::Confirm => Ok(()),
    }
}

fn text(field: &Field, rules: &Text) -> Checked {
    ordered("minLength", rules.min_length, "maxLength", rules.max_length)?;
    ordered("minLines", rules.min_lines, "maxLines", rules.max_lines)?;
    if rules.max_lines == Some(0) {
        return fault("allows no line: raise its maxLines");
    }
    if rules.min_lines.is_some_and(|least| least > 1) && !rules.multiline {
        return fault("has a minLines but room for one line only: make it multiline");
    }
    if let Some(pattern) = &rules.pattern {
        validate::whole_text(pattern).or_else(|error| {
            fault(format!(
                "has a pattern that cannot be used (no look-around, no back-references): {}",
                visible(&error.to_string())
            ))
        })?;
    }
    match &rules.default {
        Some(default) if default.is_empty() && !field.required => Ok(()),
        Some(default) => default_fits(field, json!(default)),
        None => Ok(()),
    }
}

fn number(field: &Field, rules: &Number) -> Checked {
    let numbers = [rules.min, rules.max, rules.step, rules.default];
    if !numbers.iter().flatten().all(|number| number.is_finite()) {
        return fault("has a rule that is not a finite number");
    }
    ordered("min", rules.min, "max", rules.max)?;
    if rules.step.is_some_and(|step| step <= 0.0) {
        return fault("has a step that is not above zero");
    }
    default_of(field, rules.default.map(|default| json!(default)))
}

fn integer(field: &Field, rules: &Integer) -> Checked {
    let numbers = [rules.min, rules.max, rules.step, rules.default];
    let exact = |number: &i64| number.unsigned_abs() <= validate::EXACT as u64;
    if !numbers.iter().flatten().all(exact) {
        return fault("has a rule beyond 2^53 - 1, which many clients cannot hold");
    }
    ordered("min", rules.min, "max", rules.max)?;
    if rules.step.is_some_and(|step| step <= 0) {
        return fault("has a step that is not above zero");
    }
    default_of(field, rules.default.map(|default| json!(default)))
}

fn rating(rules: &Rating) -> Checked {
    match rules.max {
        2..=10 => Ok(()),
        max => fault(format!("has a max of {max}: choose one from 2 to 10")),
    }
}

fn choice(field: &Field, rules: &Choice) -> Checked {
    options(&rules.options, rules.other)?;
    default_is_listed(&rules.options, rules.default.as_slice())?;
    default_of(field, rules.default.as_ref().map(|default| json!(default)))
}

fn choices(field: &Field, rules: &Choices) -> Checked {
    options(&rules.options, rules.other)?;
    ordered("min", rules.min, "max", rules.max)?;
    let most = rules.options.len() + usize::from(rules.other);
    if rules.min.is_some_and(|min| min as usize > most) {
        return fault(format!("requires more options than the {most} that it has"));
    }
    if rules.max == Some(0) {
        return fault("allows no option to be chosen: raise its max");
    }
    let default = rules.default.as_deref().unwrap_or_default();
    default_is_listed(&rules.options, default)?;
    match default {
        [] if !field.required => Ok(()),
        _ => default_of(field, rules.default.as_ref().map(|default| json!(default))),
    }
}

fn options(options: &[Pick], other: bool) -> Checked {
    if options.is_empty() {
        return fault("has no options: give it some, or make it a text field");
    }
    let count = options.len();
    if count > MAX_OPTIONS {
        return fault(format!(
            "has {count} options; at most {MAX_OPTIONS} are allowed"
        ));
    }
    let mut values = HashSet::new();
    let mut labels: HashSet<_> = other.then(|| OTHER.to_owned()).into_iter().collect();
    for pick in options {
        let value = visible(&pick.value);
        if value.trim().is_empty() || pick.shown().trim().is_empty() {
            return fault("has an option without a value or a label");
        }
        if !is_visible(&pick.value) {
            return fault(format!(
                "has invisible characters in the value of the option {value:?}"
            ));
        }
        if !values.insert(value.clone()) {
            return fault(format!("has the option {value:?} twice"));
        }
        if !labels.insert(pick.title()) {
            return fault(format!(
                "shows two options as {:?}: give them labels that differ",
                visible(pick.shown())
            ));
        }
    }
    Ok(())
}

fn dates<T: PartialOrd>(field: &Field, range: &DateRange, read: fn(&str) -> Option<T>) -> Checked {
    let bound = |name: &str, bound: &Option<String>| match bound {
        Some(text) => match read(text) {
            Some(bound) => Ok(Some(bound)),
            None => fault(format!(
                "has a {name} that is not in the format of its values"
            )),
        },
        None => Ok(None),
    };
    ordered(
        "min",
        bound("min", &range.min)?,
        "max",
        bound("max", &range.max)?,
    )?;
    default_of(field, range.default.as_ref().map(|default| json!(default)))
}

fn file(rules: &File) -> Checked {
    let known = |accept: &&String| accept.starts_with('.') || accept.contains('/');
    match rules.accept.iter().find(|accept| !known(accept)) {
        Some(accept) => fault(format!(
            "accepts {:?}: write an ending like .png or a type like image/png",
            visible(accept)
        )),
        None => Ok(()),
    }
}

fn link(rules: &Link) -> Checked {
    match url::Url::parse(&rules.url) {
        Ok(url) if !matches!(url.scheme(), "http" | "https") => {
            fault("must link to an http or https address")
        }
        Ok(url) if !url.username().is_empty() || url.password().is_some() => {
            fault("links to an address that contains a user name or a password: remove them")
        }
        Ok(_) if !is_visible(&rules.url) => fault("has invisible characters in its url"),
        Ok(_) => Ok(()),
        Err(error) => fault(format!("has an invalid url: {error}")),
    }
}

fn ordered<T: PartialOrd>(low: &str, min: Option<T>, high: &str, max: Option<T>) -> Checked {
    match (min, max) {
        (Some(min), Some(max)) if min > max => fault(format!("has a {low} above its {high}")),
        _ => Ok(()),
    }
}

fn default_is_listed(options: &[Pick], default: &[String]) -> Checked {
    let listed = |default: &String| options.iter().any(|pick| pick.value == *default);
    if default.iter().all(listed) {
        Ok(())
    } else {
        fault("has a default that is not one of its options")
    }
}

fn default_of(field: &Field, default: Option<Value>) -> Checked {
    default.map_or(Ok(()), |default| default_fits(field, default))
}

fn default_fits(field: &Field, default: Value) -> Checked {
    if default.as_str().is_some_and(|text| !is_visible(text)) {
        return fault("has invisible characters in its default");
    }
    match validate::accept(field, &default) {
        Ok(_) => Ok(()),
        Err(message) => fault(format!(
            "has a default that breaks its own rules: {message}"
        )),
    }
}

#[cfg(test)]
mod tests;
