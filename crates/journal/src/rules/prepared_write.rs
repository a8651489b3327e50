//! A write made ready: the bodies of its events are built before anything is changed.

use super::{
    event_body::{self, Asked, Called, Ended, Extended, Granted, Refused, Step},
    rows,
};
use crate::{EventKind, GrantRecord, JournalError, Write};
use holdpoint_ask::{AskId, CallId, Decision, Digest, GrantId};
use std::borrow::Cow;
use uuid::Uuid;

/// A write that [`apply`](super::apply()) can apply.
#[derive(Debug)]
pub struct PreparedWrite(pub(super) Change);

impl PreparedWrite {
    /// Prepares a batch.
    ///
    /// # Errors
    /// When one of its values cannot be recorded.
    pub fn prepare_batch(batch: Vec<Write>) -> Result<Vec<Self>, JournalError> {
        let changes = batch.into_iter().map(Change::from_write);
        changes.map(|change| change.map(Self)).collect()
    }

    /// The call that it ends, if it is applied.
    pub fn finished_call(&self) -> Option<CallId> {
        match &self.0 {
            Change::FinishCall { call, .. } => Some(*call),
            _ => None,
        }
    }
}

/// A write as rows and bodies. Times are in milliseconds.
#[derive(Debug)]
pub(super) enum Change {
    OpenCall {
        id: CallId,
        owner: Uuid,
        at: i64,
        body: String,
    },
    OpenAsk {
        id: AskId,
        epoch: u64,
        call: Option<CallId>,
        principal: String,
        secret: bool,
        dangerous: bool,
        deadline_at: Option<i64>,
        at: i64,
        body: String,
    },
    Refuse {
        ask: AskId,
        refusals: u32,
        at: i64,
        body: String,
    },
    Settle {
        decision: Box<Decision>,
        sealed: Option<Vec<u8>>,
        body: String,
    },
    DropParcel {
        ask: AskId,
    },
    Extend {
        ask: AskId,
        deadline_at: Option<i64>,
        at: i64,
        body: String,
    },
    StartStep {
        step: StepName,
        at: i64,
        body: String,
    },
    FinishStep {
        step: StepName,
        at: i64,
        body: String,
    },
    FinishCall {
        call: CallId,
        epoch: u64,
        at: i64,
        body: String,
    },
    TakeOver {
        call: CallId,
        epoch: u64,
        owner: Uuid,
        at: i64,
    },
    Renew {
        owner: Uuid,
        until: i64,
    },
    IssueGrant {
        grant: Box<GrantRecord>,
        body: String,
    },
    RedeemGrant {
        grant: GrantId,
        digest: Digest,
        purpose: String,
        principal: String,
        at: i64,
    },
    Note {
        call: Option<CallId>,
        ask: Option<AskId>,
        kind: EventKind,
        at: i64,
        body: String,
    },
}

/// Names a step, and the epoch under which it is run.
#[derive(Debug)]
pub struct StepName {
    /// Its call.
    pub call: CallId,
    /// The name that the flow gave it.
    pub name: String,
    /// Which of the call's steps with this name it is, from 0.
    pub occurrence: u32,
    /// The epoch under which its process runs the call.
    pub epoch: u64,
}

impl Change {
    fn from_write(write: Write) -> Result<Self, JournalError> {
        Ok(match write {
            Write::OpenCall(call) => Self::OpenCall {
                id: call.id,
                owner: call.owner,
                at: call.opened_at.as_millisecond(),
                body: event_body::to_json(&Called {
                    method: Cow::Borrowed(&call.method),
                    origin: Cow::Borrowed(&call.origin),
                    flow_version: Cow::Borrowed(&call.flow_version),
                    owner: call.owner,
                    arguments: Cow::Borrowed(&call.arguments),
                })?,
            },
            Write::OpenAsk(new) => {
                let deadline_at = new.deadline_at.map(|time| time.as_millisecond());
                Self::OpenAsk {
                    id: new.id,
                    epoch: new.epoch,
                    call: new.call,
                    principal: new.origin.principal.clone(),
                    secret: new.ask.form.has_secret(),
                    dangerous: new.ask.dangerous,
                    deadline_at,
                    at: new.opened_at.as_millisecond(),
                    body: event_body::to_json(&Asked {
                        key: Cow::Borrowed(&new.key),
                        digest: new.digest,
                        occurrence: new.occurrence,
                        origin: Cow::Borrowed(&new.origin),
                        deadline_at,
                        ask: Cow::Borrowed(&new.ask),
                        seal_to: new.seal_to,
                    })?,
                }
            }
            Write::Refuse {
                ask,
                refusals,
                channel,
                errors,
                at,
            } => Self::Refuse {
                ask,
                refusals,
                at: at.as_millisecond(),
                body: event_body::to_json(&Refused {
                    refusals: refusals.saturating_add(1),
                    channel: Cow::Borrowed(channel.as_str()),
                    errors: Cow::Borrowed(&errors),
                })?,
            },
            Write::Settle(decision) => Self::settle(decision, None)?,
            Write::SettleSealed { decision, sealed } => Self::settle(decision, Some(sealed))?,
            Write::DropParcel { ask } => Self::DropParcel { ask },
            Write::Extend {
                ask,
                deadline_at,
                by,
                at,
            } => {
                let deadline_at = deadline_at.map(|time| time.as_millisecond());
                Self::Extend {
                    ask,
                    deadline_at,
                    at: at.as_millisecond(),
                    body: event_body::to_json(&Extended {
                        deadline_at,
                        by: Cow::Owned(by),
                    })?,
                }
            }
            Write::StartStep {
                call,
                epoch,
                name,
                occurrence,
                at,
            } => Self::StartStep {
                at: at.as_millisecond(),
                body: event_body::to_json(&Step {
                    name: Cow::Borrowed(&name),
                    occurrence,
                    epoch,
                    result: None,
                })?,
                step: StepName {
                    call,
                    name,
                    occurrence,
                    epoch,
                },
            },
            Write::FinishStep {
                call,
                epoch,
                name,
                occurrence,
                result,
                at,
            } => Self::FinishStep {
                at: at.as_millisecond(),
                body: event_body::to_json(&Step {
                    name: Cow::Borrowed(&name),
                    occurrence,
                    epoch,
                    result: Some(Cow::Owned(result)),
                })?,
                step: StepName {
                    call,
                    name,
                    occurrence,
                    epoch,
                },
            },
            Write::FinishCall {
                call,
                epoch,
                result,
                at,
            } => Self::FinishCall {
                call,
                epoch,
                at: at.as_millisecond(),
                body: event_body::to_json(&Ended {
                    epoch,
                    result: &result.json().map_err(event_body::no_json)?,
                })?,
            },
            Write::TakeOver {
                call,
                epoch,
                owner,
                at,
            } => Self::TakeOver {
                call,
                epoch,
                owner,
                at: at.as_millisecond(),
            },
            Write::Renew { owner, until } => Self::Renew {
                owner,
                until: until.as_millisecond(),
            },
            Write::IssueGrant(grant) => {
                let grant = rows::to_stored(&grant)?;
                Self::IssueGrant {
                    body: event_body::to_json(&Granted {
                        grant: grant.id,
                        principal: Cow::Borrowed(&grant.principal),
                        purpose: Cow::Borrowed(&grant.purpose),
                        digest: grant.digest,
                        expires_at: grant.expires_at.as_millisecond(),
                    })?,
                    grant: Box::new(grant),
                }
            }
            Write::RedeemGrant {
                grant,
                digest,
                purpose,
                principal,
                at,
            } => Self::RedeemGrant {
                grant,
                digest,
                purpose,
                principal,
                at: at.as_millisecond(),
            },
            Write::Note {
                call,
                ask,
                kind,
                body,
                at,
            } => {
                if !kind.is_note() {
                    return Err(JournalError::write(format!(
                        "`{}` cannot be noted: it is recorded by the write that makes it true",
                        kind.as_str()
                    )));
                }
                Self::Note {
                    call,
                    ask,
                    kind,
                    at: at.as_millisecond(),
                    body: event_body::to_json(&body)?,
                }
            }
        })
    }

    fn settle(decision: Decision, sealed: Option<Vec<u8>>) -> Result<Self, JournalError> {
        Ok(Self::Settle {
            body: event_body::to_json(&decision)?,
            decision: Box::new(decision),
            sealed,
        })
    }
}
