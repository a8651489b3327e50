//! Brings the content of a reply back to the form's own shape.

use super::options::{NO, UNDECIDED, YES};
use crate::ask::is_word;
use serde_json::{Map, Number, Value, json};

/// How one field's answer travels.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wire {
    /// The field's own name.
    pub name: String,
    /// Its name in the client's form.
    pub key: String,
    pub shape: Shape,
    /// A lone dash leaves it empty.
    pub dash: bool,
}

/// In what shape it travels.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// In its own.
    AsIs,
    /// A setting; some clients send it as text.
    Toggle,
    /// A yes or no as a word. Nothing but those two words is read.
    YesNo,
    /// A yes as this word, typed.
    Word(String),
    /// A number, or text that holds one.
    Number,
    /// One option.
    One(One),
    /// An array of options.
    Many(Many),
    /// A yes or no for each option.
    Ticks(Ticks),
}

/// One option, perhaps with a line for the person's own words.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct One {
    /// Options that travel under another name, which comes first.
    pub renamed: Vec<(String, String)>,
    /// What stands for no answer.
    pub undecided: Option<String>,
    pub other: Option<Other>,
}

/// An array of options.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Many {
    /// Options that travel under another name, which comes first.
    pub renamed: Vec<(String, String)>,
    /// What stands for no answer.
    pub undecided: Option<String>,
    /// An empty array is an untouched one.
    pub empty_is_untouched: bool,
    /// The key of a line for the person's own words.
    pub other: Option<String>,
}

/// A line for the person's own words: its key, and the option that says to read it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Other {
    pub key: String,
    pub option: String,
}

/// A yes or no for each option.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticks {
    /// Key and value of each.
    pub keys: Vec<(String, String)>,
    /// They travel as words, of which the client selects no.
    pub words: bool,
    /// The key of a line for the person's own words.
    pub other: Option<String>,
}

type Content = Map<String, Value>;

impl Wire {
    /// Takes what belongs to the field out of the content.
    pub fn raise(&self, content: &mut Content) -> Option<Value> {
        let typed = content.get(&self.key).and_then(Value::as_str);
        if self.dash && typed.map(str::trim) == Some("-") {
            content.shift_remove(&self.key);
            return None;
        }
        match &self.shape {
            Shape::AsIs => self.take(content),
            Shape::Toggle => self.take(content).map(boolean),
            Shape::YesNo => yes_or_no(self.take(content)),
            Shape::Word(word) => self.take(content).map(|typed| typed_yes(typed, word)),
            Shape::Number => self.take(content).filter(is_decided).map(number),
            Shape::One(one) => self.one(one, content),
            Shape::Many(many) => self.many(many, content),
            Shape::Ticks(ticks) => self.ticks(ticks, content),
        }
    }

    /// What was typed as the ask's word, where it is that.
    pub fn typed_word<'a>(&self, content: &'a Content) -> Option<&'a str> {
        match &self.shape {
            Shape::Word(word) => {
                let typed = content.get(&self.key)?.as_str()?;
                is_word(typed, word).then_some(typed)
            }
            _ => None,
        }
    }

    fn take(&self, content: &mut Content) -> Option<Value> {
        take(content, &self.key)
    }

    fn one(&self, one: &One, content: &mut Content) -> Option<Value> {
        let picked = self.take(content);
        let own = one
            .other
            .as_ref()
            .and_then(|other| take_own(content, Some(&other.key)));
        let is =
            |picked: &str, option: Option<&String>| option.is_some_and(|option| option == picked);
        match picked {
            Some(Value::String(picked)) if is(&picked, one.undecided.as_ref()) => None,
            Some(Value::String(picked))
                if one.other.is_some()
                    && (picked.is_empty()
                        || is(&picked, one.other.as_ref().map(|other| &other.option))) =>
            {
                own
            }
            None => own,
            // Another option was picked: what is left in the line beside it does not count.
            Some(picked) => Some(own_name(picked, &one.renamed)),
        }
    }

    fn many(&self, many: &Many, content: &mut Content) -> Option<Value> {
        let picked = self.take(content);
        let picked = picked.filter(|value| value.as_str() != Some(""));
        let own = take_own(content, many.other.as_deref());
        let undecided = |value: &Value| {
            let undecided = many.undecided.as_deref();
            undecided.is_some() && value.as_str() == undecided
        };
        match picked {
            Some(Value::Array(picked)) if picked.iter().any(undecided) => None,
            Some(Value::Array(picked)) => {
                let picked = picked.into_iter().map(|one| own_name(one, &many.renamed));
                let mut picked: Vec<_> = picked.collect();
                picked.extend(own.filter(|own| !picked.contains(own)));
                (!picked.is_empty() || !many.empty_is_untouched).then(|| picked.into())
            }
            Some(picked) if undecided(&picked) => None,
            Some(picked) => Some(picked),
            None => own.map(|own| json!([own])),
        }
    }

    fn ticks(&self, ticks: &Ticks, content: &mut Content) -> Option<Value> {
        let untouched = |value: &Value| value.as_str() == Some("");
        let given: Vec<_> = ticks
            .keys
            .iter()
            .filter_map(|(key, value)| Some((value, take(content, key)?)))
            .filter(|(_, tick)| !untouched(tick))
            .map(|(value, tick)| (value, ticks.read(tick)))
            .collect();
        let own = take_own(content, ticks.other.as_deref());
        let whole = self.take(content);
        let touched = !given.is_empty() || own.is_some();
        if !touched && !ticks.words {
            // The client answered in the form's own shape, though it was not asked so; or not at all.
            return whole;
        }
        if whole.is_some() || given.iter().any(|(_, tick)| !tick.is_boolean()) {
            // Two answers, or one that was not offered: validation refuses an object.
            return Some(json!({}));
        }
        let mut picked: Vec<Value> = given
            .into_iter()
            .filter(|(_, tick)| *tick == Value::Bool(true))
            .map(|(value, _)| json!(value))
            .collect();
        picked.extend(own.filter(|own| !picked.contains(own)));
        // As words they are all no until a person says otherwise.
        (!picked.is_empty() || !ticks.words).then(|| picked.into())
    }
}

impl Ticks {
    /// One of them as a boolean; as something else where it is neither yes nor no.
    fn read(&self, tick: Value) -> Value {
        if self.words {
            yes_or_no(Some(tick)).unwrap_or_default()
        } else {
            tick
        }
    }
}

/// What was given for this key; nothing where that is null.
fn take(content: &mut Content, key: &str) -> Option<Value> {
    content.shift_remove(key).filter(|value| !value.is_null())
}

/// What was given in the line for the person's own words; a blank one is nothing.
fn take_own(content: &mut Content, key: Option<&str>) -> Option<Value> {
    let blank = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
    take(content, key?).filter(|value| !blank(value))
}

/// The option in the form's own name.
fn own_name(picked: Value, renamed: &[(String, String)]) -> Value {
    let found = picked
        .as_str()
        .and_then(|picked| renamed.iter().find(|(sent, _)| sent == picked));
    match found {
        Some((_, value)) => json!(value),
        None => picked,
    }
}

/// A yes or no from its word; nothing where neither was chosen. Anything else stays what it is, unless it
/// is a boolean: that was not offered.
fn yes_or_no(value: Option<Value>) -> Option<Value> {
    Some(match value?.as_str() {
        Some(YES) => true.into(),
        Some(NO) => false.into(),
        Some(UNDECIDED | "") => return None,
        _ => json!({}),
    })
}

/// A yes only from the word. A typed no is a no; anything else is refused.
fn typed_yes(typed: Value, word: &str) -> Value {
    match typed.as_str().map(str::trim) {
        Some(typed) if is_word(typed, word) => true.into(),
        Some(typed) if typed.eq_ignore_ascii_case(NO) => false.into(),
        Some("") => "".into(),
        _ => json!({}),
    }
}

fn is_decided(value: &Value) -> bool {
    value.as_str() != Some(UNDECIDED)
}

fn boolean(value: Value) -> Value {
    match value.as_str() {
        Some("true") => true.into(),
        Some("false") => false.into(),
        _ => value,
    }
}

fn number(value: Value) -> Value {
    let Value::String(text) = &value else {
        return value;
    };
    let text = text.trim();
    let whole = text.parse::<i64>().ok().map(Number::from);
    let number = whole.or_else(|| Number::from_f64(text.parse().ok()?));
    number.map_or(value, Value::Number)
}
