//! Asking, from a flow.

use super::options::Options;
#[cfg(feature = "secrets")]
use super::secret::Secret;
use crate::{AskError, PickedFile, Question, flow::call::Call};
use holdpoint_ask::{
    Answer, Ask, Field, Form, IntegerRange, Kind, NumberRange, TypedForm,
    field::{DateRange, File, Link, Pick},
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{fmt, sync::Arc};

/// A person's yes.
///
#[doc = include_str!("../../docs/or_stop_yes.md")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Yes;

/// Asks people. Every method gives a [`Question`]: add to it, then await it.
///
#[doc = include_str!("../../docs/elicitor.md")]
#[derive(Clone)]
pub struct Elicitor {
    call: Arc<Call>,
}

impl Elicitor {
    pub(crate) fn new(call: Arc<Call>) -> Self {
        Self { call }
    }

    /// Asks for a yes. `Accepted` is a yes; a no is `Declined`.
    ///
    #[doc = include_str!("../../docs/confirm.md")]
    pub fn confirm(&self, message: impl Into<String>) -> Question<Yes> {
        // A no was declined before it comes here, and nothing but `true` is valid otherwise.
        self.question(Ask::confirm(message), |answer| yes(&answer, "confirmed"))
    }

    /// Asks for one of several options.
    ///
    #[doc = include_str!("../../docs/choose.md")]
    pub fn choose<O: Options>(
        &self,
        message: impl Into<String>,
        options: O,
    ) -> Question<O::Picked> {
        let (picks, flaw) = picks(options);
        let question = self.question(Ask::choose(message, picks), |answer| {
            value(answer, "choice")
        });
        question.flawed(flaw)
    }

    /// Asks for some of several options.
    ///
    #[doc = include_str!("../../docs/choose_many.md")]
    pub fn choose_many<O: Options>(
        &self,
        message: impl Into<String>,
        options: O,
    ) -> Question<Vec<O::Picked>> {
        let (picks, flaw) = picks(options);
        let question = self.question(Ask::new(message, Form::choices(picks)), |answer| {
            value(answer, "choices")
        });
        question.flawed(flaw)
    }

    /// Asks for a line of text, as the field of this name.
    ///
    #[doc = include_str!("../../docs/text_input.md")]
    pub fn text_input(
        &self,
        message: impl Into<String>,
        field: impl Into<String>,
    ) -> Question<String> {
        let field = field.into();
        let form = Form::string_input(field.clone());
        self.question(Ask::new(message, form), move |answer| value(answer, &field))
    }

    /// Asks for a number in a range, which may be open: `0.5..=2.0`, `1..=5`, `0..`, `..`.
    ///
    #[doc = include_str!("../../docs/number.md")]
    pub fn number(
        &self,
        message: impl Into<String>,
        range: impl Into<NumberRange>,
    ) -> Question<f64> {
        self.question(Ask::new(message, Form::number_input(range)), |answer| {
            value(answer, "value")
        })
    }

    /// Asks for a whole number in a range, which may be open.
    ///
    #[doc = include_str!("../../docs/integer.md")]
    pub fn integer(
        &self,
        message: impl Into<String>,
        range: impl Into<IntegerRange>,
    ) -> Question<i64> {
        self.question(Ask::new(message, Form::integer_input(range)), |answer| {
            value(answer, "value")
        })
    }

    /// Asks for a day, given as `2026-07-28`.
    ///
    #[doc = include_str!("../../docs/date.md")]
    pub fn date(&self, message: impl Into<String>) -> Question<String> {
        self.only("date", Kind::Date(DateRange::default()), message)
    }

    /// Asks for a moment, given as `2026-07-28T09:30:00Z`.
    ///
    #[doc = include_str!("../../docs/date_time.md")]
    pub fn date_time(&self, message: impl Into<String>) -> Question<String> {
        let kind = Kind::DateTime(DateRange::default());
        self.only("dateTime", kind, message)
    }

    /// Asks for a secret: on the page or in a terminal, never by a client's form. It is in no record and
    /// no log, and masked in what the flow says. A flow that is run again asks for it again.
    ///
    #[doc = include_str!("../../docs/secret.md")]
    #[cfg(feature = "secrets")]
    pub fn secret(&self, message: impl Into<String>) -> Question<Secret> {
        self.only("secret", Kind::Secret, message)
    }

    /// Asks for a file: on the page or in a terminal, where it is uploaded or named.
    ///
    #[doc = include_str!("../../docs/file.md")]
    pub fn file(&self, message: impl Into<String>) -> Question<PickedFile> {
        self.only("file", Kind::File(File::default()), message)
    }

    /// Asks to visit an address, and waits until the person says that they did.
    ///
    #[doc = include_str!("../../docs/link.md")]
    pub fn link(&self, message: impl Into<String>, url: impl Into<String>) -> Question<Yes> {
        let url = url.into();
        let form = Form::new().field(Field::new("visited", Kind::Link(Link { url })));
        self.question(Ask::new(message, form), |answer| yes(&answer, "visited"))
    }

    /// Asks for one to `max` stars.
    ///
    #[doc = include_str!("../../docs/rating.md")]
    pub fn rating(&self, message: impl Into<String>, max: u8) -> Question<u8> {
        self.question(Ask::new(message, Form::rating(max)), |answer| {
            value(answer, "rating")
        })
    }

    /// Asks for the fields of a Rust type. A type that no form can carry is a fault when awaited.
    ///
    #[doc = include_str!("../../docs/form.md")]
    pub fn form<T>(&self, message: impl Into<String>) -> Question<T>
    where
        T: JsonSchema + DeserializeOwned + Send + 'static,
    {
        match TypedForm::<T>::new() {
            Ok(typed) => {
                let ask = Ask::new(message, typed.form().clone());
                self.question(ask, move |answer| {
                    typed.read(answer).map_err(|error| error.to_string())
                })
            }
            Err(flaw) => {
                let unread = |_| Err("nobody was asked".to_owned());
                let question = self.question(Ask::new(message, Form::new()), unread);
                question.flawed(Some(AskError::Type(flaw)))
            }
        }
    }

    /// Asks anything.
    ///
    #[doc = include_str!("../../docs/ask.md")]
    pub fn ask(&self, ask: Ask) -> Question<Answer> {
        self.question(ask, Ok)
    }

    /// Asks for one field of this name and kind.
    fn only<T: DeserializeOwned + Send + 'static>(
        &self,
        name: &'static str,
        kind: Kind,
        message: impl Into<String>,
    ) -> Question<T> {
        let form = Form::new().field(Field::new(name, kind));
        self.question(Ask::new(message, form), move |answer| value(answer, name))
    }

    fn question<T: Send + 'static>(
        &self,
        ask: Ask,
        read: impl FnOnce(Answer) -> Result<T, String> + Send + 'static,
    ) -> Question<T> {
        Question::new(self.call.clone(), ask, read)
    }
}

impl fmt::Debug for Elicitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Elicitor").field(&self.call.id).finish()
    }
}

fn picks(options: impl Options) -> (Vec<Pick>, Option<AskError>) {
    match options.into_picks() {
        Ok(picks) => (picks, None),
        Err(flaw) => (Vec::new(), Some(AskError::Type(flaw))),
    }
}

fn yes(answer: &Answer, field: &str) -> Result<Yes, String> {
    match answer.get(field) {
        Some(Value::Bool(true)) => Ok(Yes),
        _ => Err("it is not a yes".into()),
    }
}

fn value<T: DeserializeOwned>(mut answer: Answer, field: &str) -> Result<T, String> {
    let value = answer.remove(field).unwrap_or(Value::Null);
    serde_json::from_value(value).map_err(|error| error.to_string())
}
