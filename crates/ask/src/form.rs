//! What an ask asks for.

use crate::{
    Answer,
    field::{
        Choice, Choices, Ending, Field, Integer, Kind, Number, Pick, Rating, Text, Toggle, Tone,
    },
    range::{IntegerRange, NumberRange},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Fields, in the order in which people see them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
#[non_exhaustive]
pub struct Form {
    /// The fields.
    pub fields: Vec<Field>,
}

impl FromIterator<Field> for Form {
    fn from_iter<I: IntoIterator<Item = Field>>(fields: I) -> Self {
        Self {
            fields: fields.into_iter().collect(),
        }
    }
}

impl Extend<Field> for Form {
    fn extend<I: IntoIterator<Item = Field>>(&mut self, fields: I) {
        self.fields.extend(fields);
    }
}

impl Form {
    /// A form without fields: submitting it says no more than "seen".
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field at the end.
    pub fn field(mut self, field: Field) -> Self {
        // Room for this one only: open asks are kept, and most have one field.
        self.fields.reserve_exact(1);
        self.fields.push(field);
        self
    }

    /// The one field whose options end the ask by themselves; none where there is no such field. Beside it there
    /// may be choices that can be left out, and nothing else that decides.
    pub fn endings(&self) -> Option<(&Field, &[Pick])> {
        let mut deciding = self.fields.iter().filter(|field| field.decides());
        let (first, mut rest) = (deciding.next()?, deciding);
        match &first.kind {
            Kind::Choice(Choice { options, other, .. })
                if !other && options.iter().all(|option| option.ending.is_some()) =>
            {
                let beside = |field: &Field| !field.required && field.kind != Kind::Confirm;
                rest.all(beside).then_some((first, options))
            }
            _ => None,
        }
    }

    /// The ending that this answer chose.
    pub fn ending_of(&self, answer: &Answer) -> Option<&Ending> {
        let (field, options) = self.endings()?;
        let value = answer.get(&field.name)?.as_str()?;
        let chosen = options.iter().find(|option| option.value == value)?;
        chosen.ending.as_deref()
    }

    /// Whether this answer is an ending that says no. Such an answer needs no more than a no does.
    pub fn says_no(&self, answer: &Answer) -> bool {
        let ending = self.ending_of(answer);
        ending.is_some_and(|ending| matches!(ending.tone, Tone::Hold | Tone::Stop))
    }

    /// Whether this answer is a yes as a whole: every confirm in it is one, and it ends nothing with a no.
    /// Of a form that asks for no decision every answer is.
    pub fn says_yes(&self, answer: &Answer) -> bool {
        let mut fields = self.fields.iter();
        let confirmed = fields.all(|field| {
            !matches!(field.kind, Kind::Confirm)
                || answer.get(&field.name) == Some(&Value::Bool(true))
        });
        confirmed && !self.says_no(answer)
    }

    /// One line of text.
    pub fn string_input(name: impl Into<String>) -> Self {
        Self::new().field(Field::new(name, Kind::Text(Text::default())))
    }

    /// One of several options, as the field `choice`.
    pub fn choice<P: Into<Pick>>(options: impl IntoIterator<Item = P>) -> Self {
        let options = options.into_iter().map(Into::into).collect();
        Self::new().field(Field::new(
            "choice",
            Kind::Choice(Choice {
                options,
                ..Choice::default()
            }),
        ))
    }

    /// Some of several options, as the field `choices`.
    pub fn choices<P: Into<Pick>>(options: impl IntoIterator<Item = P>) -> Self {
        let options = options.into_iter().map(Into::into).collect();
        Self::new().field(Field::new(
            "choices",
            Kind::Choices(Choices {
                options,
                ..Choices::default()
            }),
        ))
    }

    /// A number in a range, as the field `value`: `1..=5`, `0.5..`, `..=10`, or `..` for any.
    ///
    /// ```
    /// use holdpoint_ask::Form;
    /// use serde_json::json;
    ///
    /// let form = Form::number_input(0.5..);
    /// assert!(form.validate(json!({ "value": 0.75 }).as_object().unwrap()).is_ok());
    /// assert!(form.validate(json!({ "value": 0.25 }).as_object().unwrap()).is_err());
    /// ```
    pub fn number_input(range: impl Into<NumberRange>) -> Self {
        let NumberRange { min, max } = range.into();
        Self::new().field(Field::new(
            "value",
            Kind::Number(Number {
                min,
                max,
                ..Number::default()
            }),
        ))
    }

    /// A whole number in a range, as the field `value`: `1..=5`, `1..`, `..=10`, or `..` for any.
    ///
    /// ```
    /// use holdpoint_ask::Form;
    /// use serde_json::json;
    ///
    /// let form = Form::integer_input(1..=5);
    /// assert!(form.validate(json!({ "value": 5 }).as_object().unwrap()).is_ok());
    /// assert!(form.validate(json!({ "value": 6 }).as_object().unwrap()).is_err());
    /// ```
    pub fn integer_input(range: impl Into<IntegerRange>) -> Self {
        let IntegerRange { min, max } = range.into();
        Self::new().field(Field::new(
            "value",
            Kind::Integer(Integer {
                min,
                max,
                ..Integer::default()
            }),
        ))
    }

    /// One to `max` stars, as the field `rating`.
    pub fn rating(max: u8) -> Self {
        Self::new().field(Field::new(
            "rating",
            Kind::Rating(Rating {
                max,
                ..Rating::default()
            }),
        ))
    }

    /// A yes or a no, as the field `confirmed`.
    pub fn confirm() -> Self {
        Self::new().field(Field::new("confirmed", Kind::Confirm))
    }

    /// A boolean setting.
    pub fn toggle(name: impl Into<String>, default: bool) -> Self {
        Self::new().field(Field::new(
            name,
            Kind::Toggle(Toggle {
                default: Some(default),
            }),
        ))
    }

    /// The field of this name.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether it asks for a secret, whose value may not be kept.
    pub fn has_secret(&self) -> bool {
        self.fields
            .iter()
            .any(|field| matches!(field.kind, Kind::Secret))
    }
}
