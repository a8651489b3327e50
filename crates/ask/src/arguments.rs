//! The arguments of a method, as a form: read once where the method documents them, and used for its
//! tool's schema, its form on the page and its command line.
//!
//! Arguments take more than the fields of an ask can: lists and nested objects. They are never lowered
//! to a client, and nothing in them is consent.

mod kind;

pub use kind::{ArgumentKind, ParseError};

use crate::{
    Field, FieldError, Kind,
    field::{Choice, Choices, Integer, Number, Pick, Text},
    visible,
};
use serde_json::{Map, Value, json};
use std::fmt;

/// What a method takes.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Arguments {
    /// The method does not say: anything.
    #[default]
    Any,
    /// These, and no others.
    Listed(Vec<Argument>),
}

/// One argument of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// What values it takes.
    pub kind: ArgumentKind,
    /// Whether it must be given.
    pub required: bool,
    /// What it is when it is not given.
    pub default: Option<Value>,
}

/// What is wrong with an argument.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("The argument `{name}{place}` {problem}")]
#[non_exhaustive]
pub struct ArgumentError {
    /// The argument's name.
    pub name: String,
    /// Where in its value: `[2]`, `.city`; empty for the whole.
    place: String,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// It must be given. What it is for, where that is known.
    Missing(Option<String>),
    /// The method has no such argument.
    Unknown,
    /// It must be something else.
    Misfit(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(None) => write!(f, "is missing"),
            Self::Missing(Some(about)) => write!(f, "is missing: {about}"),
            Self::Unknown => write!(f, "is not known"),
            Self::Misfit(wanted) => write!(f, "must be {wanted}"),
        }
    }
}

impl Arguments {
    /// The arguments that are listed.
    pub fn iter(&self) -> std::slice::Iter<'_, Argument> {
        match self {
            Self::Any => [].iter(),
            Self::Listed(arguments) => arguments.iter(),
        }
    }

    /// The argument of this name.
    pub fn get(&self, name: &str) -> Option<&Argument> {
        self.iter().find(|argument| argument.name == name)
    }

    /// The JSON Schema of an object of these arguments.
    pub fn to_schema(&self) -> Map<String, Value> {
        match self {
            Self::Any => Map::from_iter([("type".to_owned(), json!("object"))]),
            Self::Listed(arguments) => {
                let mut schema = kind::record_schema(arguments);
                schema.insert("additionalProperties".into(), false.into());
                schema
            }
        }
    }

    /// Gives those that were not given their default.
    pub fn fill_defaults(&self, given: &mut Map<String, Value>) {
        for argument in self.iter() {
            if let (Some(default), false) = (&argument.default, given.contains_key(&argument.name))
            {
                given.insert(argument.name.clone(), default.clone());
            }
        }
    }

    /// The required arguments that were not given.
    pub fn missing<'a, 'b>(
        &'a self,
        given: &'b Map<String, Value>,
    ) -> impl Iterator<Item = &'a Argument> + use<'a, 'b> {
        self.iter()
            .filter(|argument| argument.required && !given.contains_key(&argument.name))
    }

    /// Checks what is given. Nulls count as left out and are dropped; nothing is filled in.
    ///
    /// # Errors
    /// One for each argument that is unknown, missing or does not fit.
    pub fn check(
        &self,
        mut given: Map<String, Value>,
    ) -> Result<Map<String, Value>, Vec<ArgumentError>> {
        let Self::Listed(listed) = self else {
            return Ok(given);
        };
        given.retain(|_, value| !value.is_null());
        let error = |name: &str, place: String, problem: Problem| ArgumentError {
            name: visible(name).chars().take(100).collect(),
            place,
            problem,
        };
        let unknown = given.keys().filter(|name| self.get(name).is_none());
        let mut errors: Vec<_> = unknown
            .map(|name| error(name, String::new(), Problem::Unknown))
            .collect();
        for argument in listed {
            match given.get(&argument.name) {
                Some(value) => {
                    if let Err((place, problem)) = argument.kind.check(value) {
                        errors.push(error(&argument.name, place, problem));
                    }
                }
                None if argument.required => {
                    let missing = Problem::Missing(argument.description.clone());
                    errors.push(error(&argument.name, String::new(), missing));
                }
                None => {}
            }
        }
        if errors.is_empty() {
            Ok(given)
        } else {
            Err(errors)
        }
    }
}

impl Argument {
    /// A required argument of this kind.
    pub fn new(name: impl Into<String>, kind: ArgumentKind) -> Self {
        Self {
            name: name.into(),
            description: None,
            kind,
            required: true,
            default: None,
        }
    }

    /// What it is for.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// It may be left out.
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// It may be left out, and is this then.
    pub fn default(mut self, value: impl Into<Value>) -> Self {
        self.required = false;
        self.default = Some(value.into());
        self
    }

    /// The JSON Schema of its value.
    pub fn to_schema(&self) -> Map<String, Value> {
        let mut schema = self.kind.to_schema();
        if let Some(text) = &self.description {
            schema.insert("description".into(), text.clone().into());
        }
        if let Some(default) = &self.default {
            schema.insert("default".into(), default.clone());
        }
        schema
    }

    /// The field that asks a person for it, where nothing else does. What no field can take is typed as
    /// text: [`ArgumentKind::parse`] reads it.
    pub fn field(&self) -> Field {
        let picks = |values: &[Value]| -> Vec<Pick> {
            values
                .iter()
                .map(kind::option_text)
                .map(Pick::new)
                .collect()
        };
        let kind = match &self.kind {
            ArgumentKind::Number => Kind::Number(Number::default()),
            ArgumentKind::Integer => Kind::Integer(Integer::default()),
            ArgumentKind::Boolean => Kind::Confirm,
            ArgumentKind::OneOf(values) => Kind::Choice(Choice {
                options: picks(values),
                ..Choice::default()
            }),
            ArgumentKind::List(item) => match &**item {
                ArgumentKind::OneOf(values) if values.iter().all(Value::is_string) => {
                    Kind::Choices(Choices {
                        options: picks(values),
                        ..Choices::default()
                    })
                }
                _ => Kind::Text(Text::default()),
            },
            _ => Kind::Text(Text::default()),
        };
        let mut field = Field::new(&self.name, kind);
        field.help.clone_from(&self.description);
        field.required = self.required;
        field
    }
}

impl ArgumentError {
    /// The error as a form shows it, at the argument's field.
    pub fn to_field_error(&self) -> FieldError {
        let Self {
            name,
            place,
            problem,
        } = self;
        let item = place
            .strip_prefix('[')
            .and_then(|place| place.strip_suffix(']'))
            .and_then(|index| index.parse::<usize>().ok());
        let message = match (problem, item) {
            (Problem::Missing(_), _) => format!("{name}{place} must be filled in."),
            (Problem::Unknown, _) => format!("{name} is not an argument of this method."),
            (problem, Some(index)) => format!("Value {} {problem}.", index + 1),
            (problem, None) => format!("{name}{place} {problem}."),
        };
        FieldError::new(name.clone(), message)
    }
}

#[cfg(test)]
mod tests;
