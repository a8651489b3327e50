//! Asking, from a flow.

use crate::{Question, flow::call::Call};
use holdpoint_ask::{Answer, Ask, Form, field::Pick};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{ops::RangeInclusive, sync::Arc};

/// A person's yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Yes;

/// Asks people. Every method gives a [`Question`]: add to it, then await it.
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
        self.question(Ask::confirm(message), |answer| {
            match answer.get("confirmed") {
                Some(Value::Bool(true)) => Ok(Yes),
                _ => Err("it is not a yes".into()),
            }
        })
    }

    /// Asks for one of several options.
    ///
    #[doc = include_str!("../../docs/choose.md")]
    pub fn choose<P: Into<Pick>>(
        &self,
        message: impl Into<String>,
        options: impl IntoIterator<Item = P>,
    ) -> Question<String> {
        self.question(Ask::choose(message, options), |answer| {
            value(answer, "choice")
        })
    }

    /// Asks for some of several options.
    ///
    #[doc = include_str!("../../docs/choose_many.md")]
    pub fn choose_many<P: Into<Pick>>(
        &self,
        message: impl Into<String>,
        options: impl IntoIterator<Item = P>,
    ) -> Question<Vec<String>> {
        self.question(Ask::new(message, Form::choices(options)), |answer| {
            value(answer, "choices")
        })
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

    /// Asks for a number in a range.
    ///
    #[doc = include_str!("../../docs/number.md")]
    pub fn number(&self, message: impl Into<String>, range: RangeInclusive<f64>) -> Question<f64> {
        self.question(Ask::new(message, Form::number_input(range)), |answer| {
            value(answer, "value")
        })
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
        let message = message.into();
        let (form, flaw) = match Form::from_type::<T>() {
            Ok(form) => (form, None),
            Err(flaw) => (Form::new(), Some(flaw.to_string())),
        };
        let question = self.question(Ask::new(message, form), |answer| {
            serde_json::from_value(Value::Object(answer)).map_err(|error| error.to_string())
        });
        question.flawed(flaw)
    }

    /// Asks anything.
    ///
    #[doc = include_str!("../../docs/ask.md")]
    pub fn ask(&self, ask: Ask) -> Question<Answer> {
        self.question(ask, Ok)
    }

    fn question<T: Send + 'static>(
        &self,
        ask: Ask,
        read: impl FnOnce(Answer) -> Result<T, String> + Send + 'static,
    ) -> Question<T> {
        Question::new(self.call.clone(), ask, read)
    }
}

fn value<T: DeserializeOwned>(mut answer: Answer, field: &str) -> Result<T, String> {
    let value = answer.remove(field).unwrap_or(Value::Null);
    serde_json::from_value(value).map_err(|error| error.to_string())
}
