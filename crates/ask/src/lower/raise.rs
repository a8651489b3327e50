//! Brings the content of a reply back to the form's own shape.

use serde_json::{Map, Number, Value, json};

/// How one field's answer travels.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wire {
    pub name: String,
    pub shape: Shape,
}

/// In what shape it travels.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// In its own. A decision does, always: nothing may become a yes on the way.
    AsIs,
    /// A setting; some clients send it as text.
    Toggle,
    /// A number, or text that holds one.
    Number,
    /// One option, perhaps with a line for the person's own words.
    One(Option<Other>),
    /// An array of options, and the key of that line.
    Many(Option<String>),
    /// A boolean for each option, as key and value, and the key of that line.
    Ticks(Vec<(String, String)>, Option<String>),
}

/// A line for the person's own words: its key, and the option that says to read it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Other {
    pub key: String,
    pub option: String,
}

type Content = Map<String, Value>;

impl Wire {
    /// Takes what belongs to the field out of the content.
    pub fn raise(&self, content: &mut Content) -> Option<Value> {
        match &self.shape {
            Shape::AsIs => take(content, &self.name),
            Shape::Toggle => take(content, &self.name).map(boolean),
            Shape::Number => take(content, &self.name).map(number),
            Shape::One(other) => self.one(other.as_ref(), content),
            Shape::Many(own) => self.many(own.as_deref(), content),
            Shape::Ticks(ticks, own) => self.ticks(ticks, own.as_deref(), content),
        }
    }

    fn one(&self, other: Option<&Other>, content: &mut Content) -> Option<Value> {
        let picked = take(content, &self.name);
        let Some(other) = other else { return picked };
        let own = take_own(content, Some(&other.key));
        match picked {
            Some(Value::String(picked)) if picked == other.option || picked.is_empty() => own,
            None => own,
            // Another option was picked: what is left in the line beside it does not count.
            picked => picked,
        }
    }

    fn many(&self, own: Option<&str>, content: &mut Content) -> Option<Value> {
        let picked = take(content, &self.name).filter(|value| value.as_str() != Some(""));
        let own = take_own(content, own);
        match (picked, own) {
            (Some(Value::Array(mut picked)), Some(own)) => {
                if !picked.contains(&own) {
                    picked.push(own);
                }
                Some(picked.into())
            }
            (None, Some(own)) => Some(json!([own])),
            (picked, _) => picked,
        }
    }

    fn ticks(
        &self,
        ticks: &[(String, String)],
        own: Option<&str>,
        content: &mut Content,
    ) -> Option<Value> {
        let untouched = |value: &Value| value.as_str() == Some("");
        let given: Vec<_> = ticks
            .iter()
            .filter_map(|(key, value)| Some((value, take(content, key)?)))
            .filter(|(_, tick)| !untouched(tick))
            .collect();
        let own = take_own(content, own);
        let whole = take(content, &self.name);
        let touched = !given.is_empty() || own.is_some();
        if !touched {
            // The client answered in the form's own shape, though it was not asked so; or not at all.
            return whole;
        }
        if whole.is_some() || given.iter().any(|(_, tick)| !tick.is_boolean()) {
            // Two answers, or ticks that are not booleans: validation refuses an object.
            return Some(json!({}));
        }
        let mut picked: Vec<Value> = given
            .into_iter()
            .filter(|(_, tick)| *tick == Value::Bool(true))
            .map(|(value, _)| json!(value))
            .collect();
        picked.extend(own.filter(|own| !picked.contains(own)));
        Some(picked.into())
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
