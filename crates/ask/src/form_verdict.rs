//! What an accepted answer lets whoever asked do: whether a person has said yes in it.

use crate::{Answer, Field, Form, Kind};
use jiff::Timestamp;
use serde_json::Value;

/// The next step after an answer that is only what was filled in beforehand: a client may have sent it by itself.
pub const AS_IT_WAS: &str = "This is only what was filled in beforehand: use it as a value, but do not take it for approval.";

/// What an accepted answer lets whoever asked do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormVerdict {
    /// It says yes: every confirm was answered with yes, and a person must have answered something.
    pub proceed: bool,
    /// What to do now, in one sentence.
    pub next_step: String,
}

impl Form {
    /// What this accepted answer lets whoever asked do.
    ///
    /// ```
    /// use holdpoint_ask::{Answer, Form};
    ///
    /// let form = Form::confirm();
    /// let answer: Answer = serde_json::from_str(r#"{ "confirmed": true }"#)?;
    /// assert!(form.verdict(&answer).proceed);
    /// assert!(!form.verdict(&Answer::new()).proceed);
    /// # Ok::<_, serde_json::Error>(())
    /// ```
    pub fn verdict(&self, answer: &Answer) -> FormVerdict {
        let refused = refused(self, answer);
        let proceed = refused.is_empty() && self.fields.iter().any(|field| is_given(field, answer));
        let next_step = match (proceed, refused.as_slice()) {
            (true, _) => "Go on with the person's answers.".to_owned(),
            (false, []) => AS_IT_WAS.to_owned(),
            (false, names) => format!(
                "The person did not say yes to {}: do not do it.",
                names.join(", ")
            ),
        };
        FormVerdict { proceed, next_step }
    }
}

/// Whether a text is the other one, which a client may have sent back with other line ends or without the
/// space around it.
pub fn is_same_text(one: &str, other: &str) -> bool {
    one.trim().lines().eq(other.trim().lines())
}

/// The confirms that were not answered with yes.
fn refused(form: &Form, answer: &Answer) -> Vec<String> {
    form.fields
        .iter()
        .filter(|field| matches!(field.kind, Kind::Confirm))
        .filter(|field| answer.get(&field.name) != Some(&Value::Bool(true)))
        .map(|field| field.name.clone())
        .collect()
}

/// Whether a person must have answered this: it is there, and not merely what was filled in. A
/// toggle is a setting, and says nothing.
fn is_given(field: &Field, answer: &Answer) -> bool {
    let Some(value) = answer.get(&field.name).filter(|value| !is_empty(value)) else {
        return false;
    };
    let default = match &field.kind {
        Kind::Toggle(_) => return false,
        Kind::Text(rules) => return !is_default(value, rules.default.as_deref()),
        Kind::Choice(rules) => rules.default.clone().map(Value::from),
        Kind::Choices(rules) => {
            // An answer has them in the form's order.
            let order = rules.options.iter().map(|pick| &pick.value);
            rules.default.as_ref().map(|default| {
                let chosen = order.filter(|value| default.contains(value)).cloned();
                chosen.collect::<Vec<_>>().into()
            })
        }
        Kind::Number(rules) => return value.as_f64() != rules.default,
        Kind::Integer(rules) => rules.default.map(Value::from),
        Kind::Date(range) => range.default.clone().map(Value::from),
        Kind::DateTime(range) => return moment(value) != range.default.as_deref().and_then(parsed),
        Kind::Secret | Kind::Confirm | Kind::Rating(_) | Kind::File(_) | Kind::Link(_) => None,
    };
    Some(value) != default.as_ref()
}

/// An untouched field of a client that sends every field back.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => text.trim().is_empty(),
        Value::Array(values) => values.is_empty(),
        _ => false,
    }
}

fn is_default(value: &Value, default: Option<&str>) -> bool {
    let text = value.as_str();
    text.zip(default)
        .is_some_and(|(text, default)| is_same_text(text, default))
}

/// The same moment can be written in several ways.
fn moment(value: &Value) -> Option<Timestamp> {
    value.as_str().and_then(parsed)
}

fn parsed(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}
