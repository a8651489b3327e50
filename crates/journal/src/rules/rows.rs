//! The rows beside the events: what an engine looks up by id. They point at events by number and
//! repeat little of what those hold; `verify` compares the two.

use super::event_body::{self, Asked, Called, Finished, Refused, Step, time_from_millis};
use crate::{AskRecord, CallBinding, CallRecord, GrantRecord, JournalError, StepRecord, StepState};
use holdpoint_ask::{AskId, CallId, Decision};
use serde_json::Value;
use std::borrow::Cow;
use uuid::Uuid;

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRow {
    /// Its id.
    pub id: CallId,
    /// The event that opened it.
    pub opened: u64,
    /// The process that runs its flow.
    pub owner: Uuid,
    /// Raised by every takeover, from 1.
    pub epoch: u64,
    /// The event that ended it.
    pub finished: Option<u64>,
    /// What it is found by while it is unfinished; none where an older program opened it.
    pub binding: Option<CallBinding>,
}

/// An ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskRow {
    /// Its id.
    pub id: AskId,
    /// The call that asks.
    pub call: Option<CallId>,
    /// In whose name it is asked.
    pub principal: String,
    /// Whether its form has a secret.
    pub secret: bool,
    /// Whether it is dangerous.
    pub dangerous: bool,
    /// The event that opened it.
    pub opened: u64,
    /// When it times out, in milliseconds.
    pub deadline_at: Option<i64>,
    /// How many replies were invalid so far.
    pub refusals: u32,
    /// The event of the last of them.
    pub refused: Option<u64>,
    /// The event of its decision.
    pub decided: Option<u64>,
    /// Whether the agent that asked is gone.
    pub gone: bool,
}

/// A step of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepRow {
    /// Its call.
    pub call: CallId,
    /// The name that the flow gave it.
    pub name: String,
    /// Which of the call's steps with this name it is, from 0.
    pub occurrence: u32,
    /// The epoch under which it was started.
    pub epoch: u64,
    /// The event that started it.
    pub started: u64,
    /// The event that ended it.
    pub finished: Option<u64>,
}

/// A grant with its times to the millisecond, as it is stored.
pub(crate) fn to_stored(grant: &GrantRecord) -> Result<GrantRecord, JournalError> {
    Ok(GrantRecord {
        issued_at: time_from_millis(grant.issued_at.as_millisecond())?,
        expires_at: time_from_millis(grant.expires_at.as_millisecond())?,
        redeemed_at: None,
        ..grant.clone()
    })
}

impl CallRow {
    /// Builds the call from its row and the bodies of its events.
    ///
    /// # Errors
    /// When a body does not hold what it should.
    pub fn record(
        &self,
        opened_at: i64,
        called: &str,
        finished: Option<&str>,
    ) -> Result<CallRecord, JournalError> {
        let called: Called<'static> = event_body::parse(self.opened, called)?;
        let result = match (self.finished, finished) {
            (None, _) => None,
            (Some(seq), Some(text)) => Some(
                event_body::parse::<Finished<'static>>(seq, text)?
                    .result
                    .into_owned(),
            ),
            (Some(seq), None) => return Err(missing_event("call", &self.id, seq)),
        };
        Ok(CallRecord {
            id: self.id,
            origin: called.origin.into_owned(),
            method: called.method.into_owned(),
            arguments: called.arguments.into_owned(),
            flow_version: called.flow_version.into_owned(),
            opened_at: time_from_millis(opened_at)?,
            owner: self.owner,
            epoch: self.epoch,
            result,
            ended_at: None,
            run: called.run,
        })
    }
}

impl AskRow {
    /// Builds the ask from its row and the bodies of its events.
    ///
    /// # Errors
    /// When a body does not hold what it should.
    pub fn record(
        &self,
        opened_at: i64,
        asked: &str,
        refused: Option<&str>,
        decided: Option<&str>,
    ) -> Result<AskRecord, JournalError> {
        let asked: Asked<'static> = event_body::parse(self.opened, asked)?;
        let (last_errors, taken_from_client) = match (self.refused, refused) {
            (None, _) => (Vec::new(), false),
            (Some(seq), Some(text)) => {
                let refused: Refused<'static> = event_body::parse(seq, text)?;
                (refused.errors.into_owned(), refused.takes_away)
            }
            (Some(seq), None) => return Err(missing_event("ask", &self.id, seq)),
        };
        let decision = match (self.decided, decided) {
            (None, _) => None,
            (Some(seq), Some(text)) => Some(decision(self.id, seq, text)?),
            (Some(seq), None) => return Err(missing_event("ask", &self.id, seq)),
        };
        let in_client = asked.in_client();
        Ok(AskRecord {
            id: self.id,
            call: self.call,
            key: asked.key.into_owned(),
            digest: asked.digest,
            occurrence: asked.occurrence,
            ask: asked.ask.into_owned(),
            origin: asked.origin.into_owned(),
            opened_at: time_from_millis(opened_at)?,
            deadline_at: self.deadline_at.map(time_from_millis).transpose()?,
            refusals: self.refusals,
            last_errors,
            taken_from_client,
            in_client,
            decision,
            agent_gone: self.gone,
            seal_to: asked.seal_to,
        })
    }
}

impl StepRow {
    /// Builds the step from its row and the body of the event that ended it.
    ///
    /// # Errors
    /// When the body does not hold what it should.
    pub fn record(&self, finished: Option<&str>) -> Result<StepRecord, JournalError> {
        let (state, end_label) = match (self.finished, finished) {
            (None, _) => (StepState::Started { epoch: self.epoch }, None),
            (Some(seq), Some(text)) => {
                let step: Step<'static> = event_body::parse(seq, text)?;
                let result = step.result.unwrap_or_default().into_owned();
                (StepState::Finished(result), step.label)
            }
            (Some(seq), None) => return Err(missing_event("call", &self.call, seq)),
        };
        Ok(StepRecord {
            end_label: end_label.map(Cow::into_owned),
            ..StepRecord::new(self.name.clone(), self.occurrence, state)
        })
    }

    /// As [`Self::record`], with what the event that started it says for people.
    ///
    /// # Errors
    /// When a body does not hold what it should.
    pub fn labelled_record(
        &self,
        started_at: i64,
        started: &str,
        finished: Option<&str>,
    ) -> Result<StepRecord, JournalError> {
        let step: Step<'static> = event_body::parse(self.started, started)?;
        Ok(StepRecord {
            label: step.label.map(Cow::into_owned),
            started_at: Some(time_from_millis(started_at)?),
            ..self.record(finished)?
        })
    }
}

/// Reads what a step ended with, from the event that ended it.
///
/// # Errors
/// When the body does not hold what it should.
pub fn step_result(seq: u64, text: &str) -> Result<Value, JournalError> {
    let step: Step<'static> = event_body::parse(seq, text)?;
    Ok(step.result.unwrap_or_default().into_owned())
}

/// The decision that an event holds, if it is one about this ask: a row that points at another
/// ask's yes is damaged, not approved.
pub(crate) fn decision(ask: AskId, seq: u64, text: &str) -> Result<Decision, JournalError> {
    let decision: Decision = event_body::parse(seq, text)?;
    if decision.ask == ask {
        Ok(decision)
    } else {
        Err(missing_event("ask", &ask, seq))
    }
}

/// The error of a row that points at an event which does not exist or is not its own.
pub fn missing_event(what: &str, id: &impl std::fmt::Display, seq: u64) -> JournalError {
    JournalError::damaged(format!(
        "{what} {id} points at event {seq}, which is not about it; verify the journal"
    ))
}
