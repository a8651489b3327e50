//! An ask that is about to be put to people.

use crate::{
    AskError, Decided, Stop,
    flow::{call::Call, pending_ask::PendingAsk},
};
use futures::FutureExt;
use holdpoint_ask::{Answer, Ask, Outcome};
use holdpoint_journal::BoxFuture;
use std::{fmt, future::IntoFuture, sync::Arc, time::Duration};

/// A question: add to it, then await it for its outcome. Dropping it asks nobody; dropping it
/// while it is open withdraws the ask.
///
#[doc = include_str!("../../docs/question.md")]
#[must_use = "a question asks nobody until it is awaited"]
pub struct Question<T> {
    call: Arc<Call>,
    /// Boxed: a flow's future keeps a copy for every place that it is moved through.
    ask: Box<Ask>,
    read: Read<T>,
    flaw: Option<AskError>,
}

type Read<T> = Box<dyn FnOnce(Answer) -> Result<T, String> + Send>;

impl<T: Send + 'static> Question<T> {
    /// More to read before answering, as Markdown.
    pub fn details(mut self, details: impl Into<String>) -> Self {
        self.ask = Box::new(self.ask.details(details));
        self
    }

    /// A yes to this cannot be taken back.
    pub fn dangerous(mut self) -> Self {
        self.ask = Box::new(self.ask.dangerous());
        self
    }

    /// What is typed for a yes where it is dangerous; see [`Ask::with_word`].
    pub fn word(mut self, word: impl Into<String>) -> Self {
        self.ask = Box::new(self.ask.with_word(word));
        self
    }

    /// What a yes leads to and whether that can be undone; see [`Ask::consequence`].
    pub fn consequence(mut self, consequence: impl Into<String>) -> Self {
        self.ask = Box::new(self.ask.consequence(consequence));
        self
    }

    /// Counts only on a surface of the person's own; see [`Ask::in_person`].
    pub fn in_person(mut self) -> Self {
        self.ask = Box::new(self.ask.in_person());
        self
    }

    /// How long it waits for an answer.
    pub fn deadline(mut self, time: Duration) -> Self {
        self.ask = Box::new(self.ask.deadline(time));
        self
    }

    /// Names it within its call; see [`Ask::key`].
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.ask = Box::new(self.ask.key(key));
        self
    }

    /// Asks, and gives the recorded decision beside the outcome.
    ///
    /// # Errors
    /// For faults only; then nothing was approved.
    pub async fn decided(self) -> Result<Decided<T>, AskError> {
        if let Some(flaw) = self.flaw {
            return Err(flaw);
        }
        let pending = PendingAsk::register(&self.call, *self.ask)?;
        let Decided { outcome, decision } = pending.decided().await?;
        let outcome = match outcome {
            Outcome::Accepted(answer) => {
                Outcome::Accepted((self.read)(answer).map_err(AskError::Mismatch)?)
            }
            other => other.and_then(|_| unreachable!("an accepted answer was taken above")),
        };
        Ok(Decided { outcome, decision })
    }

    /// Asks, and gives the accepted value; anything else ends the tool with the result that says so.
    ///
    #[doc = include_str!("../../docs/or_stop.md")]
    ///
    /// # Errors
    /// Where it was not accepted, and for faults: either way nothing was approved.
    pub async fn or_stop(self) -> Result<T, Stop> {
        let (value, _) = self.decided().await?.or_stop()?;
        Ok(value)
    }

    pub(crate) fn new(
        call: Arc<Call>,
        ask: Ask,
        read: impl FnOnce(Answer) -> Result<T, String> + Send + 'static,
    ) -> Self {
        Self {
            call,
            ask: Box::new(ask),
            read: Box::new(read),
            flaw: None,
        }
    }

    pub(crate) fn flawed(mut self, flaw: Option<AskError>) -> Self {
        self.flaw = flaw;
        self
    }
}

impl<T> fmt::Debug for Question<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Question").field(&self.ask.message).finish()
    }
}

impl<T: Send + 'static> IntoFuture for Question<T> {
    type Output = Result<Outcome<T>, AskError>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        self.decided()
            .map(|decided| decided.map(|decided| decided.outcome))
            .boxed()
    }
}
