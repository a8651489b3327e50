//! A flow's hold on its ask.

use super::call::{Call, Registered};
use crate::{
    AskError,
    core::open_ask::{Asker, Settlement, Waiter},
};
use futures::FutureExt;
use holdpoint_ask::{Answer, Ask, AskId, Decision, Form, Kind, Outcome};
use std::{future::poll_fn, sync::Arc};

/// An outcome together with the decision that is on record.
///
#[doc = include_str!("../../docs/decided.md")]
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Decided<T> {
    /// How it ended.
    pub outcome: Outcome<T>,
    /// Who, when, through which channel.
    pub decision: Decision,
}

/// A flow's hold on its ask. Dropped before the ask ended, it withdraws it.
pub(crate) struct PendingAsk {
    call: Arc<Call>,
    /// The form, where it asks for secrets or files.
    form: Option<Box<Form>>,
    state: State,
}

enum State {
    Over(Option<Box<Settlement>>),
    Open(AskId, Waiter),
}

impl PendingAsk {
    /// Registers an ask.
    pub fn register(call: &Arc<Call>, ask: Ask) -> Result<Self, AskError> {
        let has_file = |form: &Form| {
            form.fields
                .iter()
                .any(|field| matches!(field.kind, Kind::File(_)))
        };
        let wanted = ask.form.has_secret() || has_file(&ask.form);
        let form = wanted.then(|| Box::new(ask.form.clone()));
        let state = match call.register(ask)? {
            Registered::Over(settlement) => State::Over(Some(settlement)),
            Registered::Open(id, waiter) => State::Open(id, waiter),
        };
        Ok(Self {
            call: call.clone(),
            form,
            state,
        })
    }

    /// The ask; none where it is over.
    pub fn id(&self) -> Option<AskId> {
        match &self.state {
            State::Open(id, _) => Some(*id),
            State::Over(_) => None,
        }
    }

    /// Waits for the decision: the answer with its secrets, which the call masks from then on.
    pub async fn decided(mut self) -> Result<Decided<Answer>, AskError> {
        let settlement = self.settled().await?;
        let decision = settlement.decision;
        let secrets = self.form.as_ref().filter(|form| form.has_secret());
        let mut outcome = match (decision.outcome.clone(), settlement.answer) {
            (Outcome::Accepted(_), Some(answer)) => {
                if let Some(form) = secrets {
                    self.call.keep_secrets(form, &answer.0);
                }
                Outcome::Accepted(answer.0)
            }
            (Outcome::Accepted(_), None) if secrets.is_some() => {
                return Err(AskError::SecretElsewhere);
            }
            (outcome, _) => outcome,
        };
        if let (Some(form), Outcome::Accepted(answer)) = (&self.form, &mut outcome) {
            let desk = &self.call.desk;
            desk.fetch_files(decision.ask, form, answer).await?;
        }
        Ok(Decided { outcome, decision })
    }

    async fn settled(&mut self) -> Result<Settlement, AskError> {
        let settled = match &mut self.state {
            State::Over(settlement) => {
                let settlement = settlement.take().ok_or(AskError::LostCall)?;
                return Ok(*settlement);
            }
            State::Open(_, waiter) => {
                let call = &self.call;
                let waited = poll_fn(|cx| {
                    call.note_waker(cx.waker());
                    waiter.poll_unpin(cx)
                });
                waited.await.unwrap_or(Err(AskError::LostCall))
            }
        };
        self.state = State::Over(None);
        self.call.answer_consumed();
        settled
    }
}

impl Drop for PendingAsk {
    fn drop(&mut self) {
        if let State::Open(ask, waiter) = &mut self.state {
            waiter.close();
            match waiter.try_recv() {
                Ok(_) => {
                    // Run again, the flow would find it answered, and might go another way.
                    self.call.keep();
                    self.call.answer_consumed();
                }
                Err(_) => self.call.lost_interest(*ask),
            }
        }
    }
}
