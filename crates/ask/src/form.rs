//! What an ask asks for.

use crate::field::{Choice, Choices, Field, Integer, Kind, Number, Pick, Rating, Text, Toggle};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Fields, in the order in which people see them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Form {
    /// The fields.
    pub fields: Vec<Field>,
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

    /// A number in a range, as the field `value`.
    pub fn number_input(range: RangeInclusive<f64>) -> Self {
        Self::new().field(Field::new(
            "value",
            Kind::Number(Number {
                min: Some(*range.start()),
                max: Some(*range.end()),
                ..Number::default()
            }),
        ))
    }

    /// A whole number in a range, as the field `value`.
    pub fn integer_input(range: RangeInclusive<i64>) -> Self {
        Self::new().field(Field::new(
            "value",
            Kind::Integer(Integer {
                min: Some(*range.start()),
                max: Some(*range.end()),
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
