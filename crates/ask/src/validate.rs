//! Checks whether an answer fits its form.

mod format;
mod value;

use crate::{
    Answer, Field, FieldError, Form, Kind,
    check::{MAX_FIELDS, MAX_NAME},
    visible,
};
use serde_json::Value;

pub(crate) use format::{date, moment, whole_text};
pub(crate) use value::{EXACT, accept, amount, counted, lines, plain};

impl Form {
    /// Checks an answer: gives it in the form's own shape and order, or one message per broken field.
    ///
    /// Nulls, and empty values of optional fields, count as left out and are dropped; whole
    /// numbers lose a `.0`; the options of a choice of many come in the form's order. Nothing is
    /// filled in: a default never stands for an answer.
    ///
    /// # Errors
    /// When a field is broken or missing, or a key is unknown.
    pub fn validate(&self, answer: &Answer) -> Result<Answer, Vec<FieldError>> {
        let mut valid = Answer::new();
        let mut errors = Vec::new();
        for field in &self.fields {
            let given = answer.get(&field.name).filter(|value| !value.is_null());
            let checked = match given {
                Some(value) if !field.required && is_untouched(field, value) => Ok(None),
                Some(value) => accept(field, value).map(Some),
                None if field.required => Err(value::missing(field)),
                None => Ok(None),
            };
            match checked {
                Ok(Some(value)) => drop(valid.insert(field.name.clone(), value)),
                Ok(None) => {}
                Err(message) => errors.push(FieldError::new(field.name.clone(), message)),
            }
        }
        let unknown = answer.keys().filter(|key| self.get(key).is_none());
        // A few say enough: a client can send as many as it likes, and as long.
        errors.extend(unknown.take(MAX_FIELDS).map(|key| {
            let shown: String = visible(key).chars().take(MAX_NAME).collect();
            FieldError::new(key.clone(), format!("The form has no field {shown:?}."))
        }));
        if errors.is_empty() {
            Ok(valid)
        } else {
            Err(errors)
        }
    }

    /// What of an answer is valid and decides nothing: a person need not type it again.
    pub fn settings_in(&self, answer: &Answer) -> Answer {
        let fields = self.fields.iter().filter(|field| !field.decides());
        let valid = fields.filter_map(|field| {
            let value = answer.get(&field.name)?;
            let value = accept(field, value).ok()?;
            Some((field.name.clone(), value))
        });
        valid.collect()
    }

    /// Whether it decides something, and this answer says nothing of any of that.
    pub fn is_undecided(&self, answer: &Answer) -> bool {
        let mut deciding = self
            .fields
            .iter()
            .filter(|field| field.decides())
            .peekable();
        let said = |value: &Value| !value.is_null() && value.as_str() != Some("");
        deciding.peek().is_some()
            && deciding.all(|field| !answer.get(&field.name).is_some_and(said))
    }
}

/// What clients send for a field that nobody touched.
fn is_untouched(field: &Field, value: &Value) -> bool {
    match value {
        Value::Bool(false) => matches!(field.kind, Kind::Link(_)),
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
