//! An ask that is about to be put to people.

use crate::{AskError, core::open_ask::Settlement, flow::call::Call};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{Answer, Ask, Decision, Form, Outcome};
use std::{future::IntoFuture, sync::Arc, time::Duration};

/// A question: add to it, then await it for its outcome. Dropping it asks nobody; dropping it
/// while it is open withdraws the ask.
#[must_use = "a question asks nobody until it is awaited"]
pub struct Question<T> {
    call: Arc<Call>,
    /// Boxed: a flow's future has room for every place that it is moved through.
    ask: Box<Ask>,
    read: Read<T>,
    flaw: Option<String>,
}

type Read<T> = Box<dyn FnOnce(Answer) -> Result<T, String> + Send>;

/// An outcome together with the decision that is on record.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided<T> {
    /// How it ended.
    pub outcome: Outcome<T>,
    /// Who, when, through which channel.
    pub decision: Decision,
}

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
            return Err(AskError::Mismatch(flaw));
        }
        let form = secrets_of(&self.ask);
        let settled = self.call.register(*self.ask)?.settled().await?;
        let Decided { outcome, decision } = decided(&self.call, form, settled)?;
        let outcome = match outcome {
            Outcome::Accepted(answer) => {
                Outcome::Accepted((self.read)(answer).map_err(AskError::Mismatch)?)
            }
            other => other.and_then(|_| unreachable!("an accepted answer was taken above")),
        };
        Ok(Decided { outcome, decision })
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

    pub(crate) fn flawed(mut self, flaw: Option<String>) -> Self {
        self.flaw = flaw;
        self
    }
}

/// The form of an ask, where it has secrets.
pub(crate) fn secrets_of(ask: &Ask) -> Option<Form> {
    ask.form.has_secret().then(|| ask.form.clone())
}

/// What a flow gets of a settlement: the answer with its secrets, which its call masks from then on.
pub(crate) fn decided(
    call: &Call,
    secrets: Option<Form>,
    settled: Settlement,
) -> Result<Decided<Answer>, AskError> {
    let decision = settled.decision;
    let outcome = match (decision.outcome.clone(), settled.answer) {
        (Outcome::Accepted(_), Some(answer)) => {
            if let Some(form) = secrets {
                call.keep_secret(&form, &answer.0);
            }
            Outcome::Accepted(answer.0)
        }
        (Outcome::Accepted(_), None) if secrets.is_some() => {
            return Err(AskError::SecretElsewhere);
        }
        (outcome, _) => outcome,
    };
    Ok(Decided { outcome, decision })
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
