//! The rows beside the events: what a journal looks up by id. They point at events by `seq` and
//! repeat little of what those hold; `verify` compares the two.

use crate::{
    AskRecord, CallRecord, GrantRecord, JournalError, StepRecord, StepState,
    rules::event_body::{self, Asked, Called, Finished, Refused, Step},
};
use holdpoint_ask::{AskId, CallId, Decision};
use jiff::Timestamp;
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallRow {
    pub id: CallId,
    pub opened: u64,
    pub owner: Uuid,
    pub epoch: u64,
    pub finished: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AskRow {
    pub id: AskId,
    pub call: Option<CallId>,
    pub principal: String,
    pub secret: bool,
    pub dangerous: bool,
    pub opened: u64,
    pub deadline_at: Option<i64>,
    pub refusals: u32,
    pub refused: Option<u64>,
    pub decided: Option<u64>,
    pub gone: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StepRow {
    pub call: CallId,
    pub name: String,
    pub occurrence: u32,
    pub epoch: u64,
    pub started: u64,
    pub finished: Option<u64>,
}

/// Milliseconds as a moment.
pub(crate) fn moment(millis: i64) -> Result<Timestamp, JournalError> {
    Timestamp::from_millisecond(millis)
        .map_err(|_| JournalError::Damaged(format!("{millis} is no time in milliseconds")))
}

/// A grant with its times to the millisecond, as it is kept.
pub(crate) fn to_stored(grant: &GrantRecord) -> Result<GrantRecord, JournalError> {
    Ok(GrantRecord {
        issued_at: moment(grant.issued_at.as_millisecond())?,
        expires_at: moment(grant.expires_at.as_millisecond())?,
        redeemed_at: None,
        ..grant.clone()
    })
}

impl CallRow {
    /// The call, from its row and the bodies of its events.
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
            (Some(seq), None) => return Err(missing("call", &self.id, seq)),
        };
        Ok(CallRecord {
            id: self.id,
            origin: called.origin.into_owned(),
            method: called.method.into_owned(),
            arguments: called.arguments.into_owned(),
            flow_version: called.flow_version.into_owned(),
            opened_at: moment(opened_at)?,
            owner: self.owner,
            epoch: self.epoch,
            result,
        })
    }
}

impl AskRow {
    /// The ask, from its row and the bodies of its events.
    pub fn record(
        &self,
        opened_at: i64,
        asked: &str,
        refused: Option<&str>,
        decided: Option<&str>,
    ) -> Result<AskRecord, JournalError> {
        let asked: Asked<'static> = event_body::parse(self.opened, asked)?;
        let last_errors = match (self.refused, refused) {
            (None, _) => Vec::new(),
            (Some(seq), Some(text)) => {
                let refused: Refused<'static> = event_body::parse(seq, text)?;
                refused.errors.into_owned()
            }
            (Some(seq), None) => return Err(missing("ask", &self.id, seq)),
        };
        let decision = match (self.decided, decided) {
            (None, _) => None,
            (Some(seq), Some(text)) => Some(decision(self.id, seq, text)?),
            (Some(seq), None) => return Err(missing("ask", &self.id, seq)),
        };
        Ok(AskRecord {
            id: self.id,
            call: self.call,
            key: asked.key.into_owned(),
            digest: asked.digest,
            occurrence: asked.occurrence,
            ask: asked.ask.into_owned(),
            origin: asked.origin.into_owned(),
            opened_at: moment(opened_at)?,
            deadline_at: self.deadline_at.map(moment).transpose()?,
            refusals: self.refusals,
            last_errors,
            decision,
            agent_gone: self.gone,
            seal_to: asked.seal_to,
        })
    }
}

impl StepRow {
    /// The step, from its row and the body of the event that ended it.
    pub fn record(&self, finished: Option<&str>) -> Result<StepRecord, JournalError> {
        let state = match (self.finished, finished) {
            (None, _) => StepState::Started { epoch: self.epoch },
            (Some(seq), Some(text)) => {
                let result = event_body::parse::<Step<'static>>(seq, text)?.result;
                StepState::Finished(result.unwrap_or_default().into_owned())
            }
            (Some(seq), None) => return Err(missing("call", &self.call, seq)),
        };
        Ok(StepRecord {
            name: self.name.clone(),
            occurrence: self.occurrence,
            state,
        })
    }
}

/// The decision that an event holds, if it is one about this ask: a row that points at another
/// ask's yes is damaged, not approved.
pub(crate) fn decision(ask: AskId, seq: u64, text: &str) -> Result<Decision, JournalError> {
    let decision: Decision = event_body::parse(seq, text)?;
    if decision.ask == ask {
        Ok(decision)
    } else {
        Err(missing("ask", &ask, seq))
    }
}

/// A row points at an event that is not there or not its own.
pub(crate) fn missing(what: &str, id: &impl std::fmt::Display, seq: u64) -> JournalError {
    JournalError::Damaged(format!(
        "{what} {id} points at event {seq}, which is not about it; run a verification"
    ))
}
