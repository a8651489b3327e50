//! What can be committed, and what came of it.

use crate::{EventKind, GrantRecord, InClient};
use holdpoint_ask::{
    Ask, AskId, CallId, ChannelKind, Decision, Digest, FieldError, GrantId, Origin,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use std::{fmt, sync::Arc};
use uuid::Uuid;

/// A value that can be recorded as JSON. The journal's writer serialises it, since the task that
/// answers an agent has less time.
pub trait Recorded: fmt::Debug + Send + Sync {
    /// Serialises it.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    fn json(&self) -> serde_json::Result<Box<RawValue>>;
}

impl<T: Serialize + fmt::Debug + Send + Sync> Recorded for T {
    fn json(&self) -> serde_json::Result<Box<RawValue>> {
        serde_json::value::to_raw_value(self)
    }
}

/// One change of the record. The writes of a batch are applied in order, all or none.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Write {
    /// Opens a call, owned by a process, at epoch 1.
    OpenCall(Arc<NewCall>),
    /// Opens an ask, if its call is unfinished and still at the ask's epoch. A call that does not
    /// exist is an error.
    OpenAsk(Arc<NewAsk>),
    /// Counts an invalid reply, if the ask is open and had `refusals` of them so far.
    Refuse {
        /// The ask.
        ask: AskId,
        /// How many replies were invalid before this one.
        refusals: u32,
        /// Which channel brought the reply.
        channel: ChannelKind,
        /// What was wrong.
        errors: Vec<FieldError>,
        /// The ask is taken from the agent's client with it: what that says counts no more.
        takes_away: bool,
        /// When.
        at: Timestamp,
    },
    /// Ends an ask, if it is open: the first one wins. A client's decision about an ask that was taken
    /// from it ends nothing. An accepted answer that still holds a secret is an error.
    Settle(Decision),
    /// As `Settle`, by the process that runs the call, for what only that may say: what its client replied,
    /// and that nobody did. If the call is still at this epoch.
    SettleOwn {
        /// The call that asks.
        call: CallId,
        /// The epoch under which this process runs it.
        epoch: u64,
        /// The decision.
        decision: Decision,
    },
    /// As `Settle`, for an ask that nobody answered in time: if its deadline, as it is now, has passed at
    /// the decision's time. It may have been given more since that was last read.
    TimeOut(Decision),
    /// As `Settle`; where it wins, the secrets of the answer are stored beside the record for the flow
    /// that asked, sealed to a key that only that flow has.
    SettleSealed {
        /// The decision, without its secrets.
        decision: Decision,
        /// The secrets, sealed.
        sealed: Vec<u8>,
    },
    /// As `Settle`; where it wins, the answer also gives this grant, for the same ask.
    SettleGranting {
        /// The decision.
        decision: Decision,
        /// What the answer permits beyond the ask.
        grant: GrantRecord,
    },
    /// Deletes the sealed secrets of an ask: its flow has them.
    DropParcel {
        /// The ask.
        ask: AskId,
    },
    /// Moves the deadline of an open ask.
    Extend {
        /// The ask.
        ask: AskId,
        /// The new deadline; none for never.
        deadline_at: Option<Timestamp>,
        /// Who asked for it.
        by: String,
        /// When.
        at: Timestamp,
    },
    /// Starts a step, if the call is still at this epoch and unfinished.
    StartStep {
        /// The call.
        call: CallId,
        /// The epoch under which this process runs it.
        epoch: u64,
        /// The step's name.
        name: String,
        /// Which of the steps with this name.
        occurrence: u32,
        /// What is about to be done, in words for people; its name says it where there is none.
        label: Option<String>,
        /// When.
        at: Timestamp,
    },
    /// Records what a started step ended with, if the call is still at this epoch.
    FinishStep {
        /// The call.
        call: CallId,
        /// The epoch under which this process runs it.
        epoch: u64,
        /// The step's name.
        name: String,
        /// Which of the steps with this name.
        occurrence: u32,
        /// What it ended with.
        result: Value,
        /// What came of it, in words for people.
        label: Option<String>,
        /// When.
        at: Timestamp,
    },
    /// Records what the flow ended with, if the call is still at this epoch and has no result.
    FinishCall {
        /// The call.
        call: CallId,
        /// The epoch under which this process runs it.
        epoch: u64,
        /// The result.
        result: Arc<dyn Recorded>,
        /// When.
        at: Timestamp,
    },
    /// Makes `owner` the owner of an unfinished call at the next epoch, if it is still at `epoch`
    /// and its present owner is gone (or is `owner` itself).
    TakeOver {
        /// The call.
        call: CallId,
        /// The epoch that was read.
        epoch: u64,
        /// The process that wants it.
        owner: Uuid,
        /// When.
        at: Timestamp,
    },
    /// Prolongs a process's lease on all of its calls.
    Renew {
        /// The process.
        owner: Uuid,
        /// Until when it counts as alive without a further sign.
        until: Timestamp,
    },
    /// Gives a grant, if the ask that it names has given none. It is an error if that ask was not
    /// accepted, so that a batch which settles and grants cannot grant what it failed to settle.
    IssueGrant(GrantRecord),
    /// Uses a grant up, if it is good for this digest and purpose.
    RedeemGrant {
        /// It is an error if the grant is not good, so that the rest of the batch is done with it or not
        /// at all.
        required: bool,
        /// The grant.
        grant: GrantId,
        /// The digest of what is about to be done.
        digest: Digest,
        /// What it is to permit.
        purpose: String,
        /// Whose it must be.
        principal: String,
        /// When.
        at: Timestamp,
    },
    /// Adds an event and changes nothing else. It is an error if another write records events of
    /// that kind; see [`EventKind::is_note`].
    Note {
        /// The call that it is about.
        call: Option<CallId>,
        /// The ask that it is about.
        ask: Option<AskId>,
        /// What happened.
        kind: EventKind,
        /// The rest.
        body: Value,
        /// When.
        at: Timestamp,
    },
    /// As `Note`, for an event about the PIN, if the last one of those is still number `after`. Of
    /// several processes that read the same, one goes on.
    NotePin {
        /// The number of the last event about the PIN, see [`EventKind::is_pin`]; 0 for none.
        after: u64,
        /// The ask that it is about.
        ask: Option<AskId>,
        /// What happened.
        kind: EventKind,
        /// The rest.
        body: Value,
        /// When.
        at: Timestamp,
    },
}

/// A call to be opened.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCall {
    /// Its id.
    pub id: CallId,
    /// Who calls, with what, from where.
    pub origin: Origin,
    /// `tools/call`, `prompts/get` or `resources/read`.
    pub method: String,
    /// The arguments.
    pub arguments: Value,
    /// The version of the flow.
    pub flow_version: String,
    /// The process that runs it.
    pub owner: Uuid,
    /// When.
    pub opened_at: Timestamp,
    /// It is a run of a script: people find it by itself, also where it asked nothing.
    pub run: bool,
}

/// An ask to be opened.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAsk {
    /// Its id.
    pub id: AskId,
    /// The call that asks.
    pub call: Option<CallId>,
    /// Its name within the call.
    pub key: String,
    /// Its digest.
    pub digest: Digest,
    /// Which of the call's asks with this digest it is.
    pub occurrence: u32,
    /// What is asked.
    pub ask: Ask,
    /// Who asks.
    pub origin: Origin,
    /// When.
    pub opened_at: Timestamp,
    /// When it times out.
    pub deadline_at: Option<Timestamp>,
    /// The epoch under which this process runs the call; ignored where there is none.
    pub epoch: u64,
    /// The public key that secrets are sealed to when they are given in another process.
    pub seal_to: Option<[u8; 32]>,
    /// What the agent's client is let do with it.
    pub in_client: InClient,
}

impl NewAsk {
    /// Makes a new ask that is the first of no call and has no deadline.
    pub fn new(ask: Ask, origin: Origin, opened_at: Timestamp) -> Self {
        Self {
            id: AskId::new(),
            call: None,
            key: "0001".into(),
            digest: ask.digest(),
            occurrence: 0,
            ask,
            origin,
            opened_at,
            deadline_at: None,
            epoch: 1,
            seal_to: None,
            in_client: InClient::NotShown,
        }
    }
}

/// What came of one write.
#[derive(Debug, Clone, PartialEq)]
pub enum Written {
    /// It is done: of `OpenCall`, `Renew`, `DropParcel` and `Note`, which have no condition.
    Done,
    /// Of `OpenAsk`, `Refuse`, `Extend`, `FinishStep`, `FinishCall`, `IssueGrant` and `NotePin`: whether
    /// its condition held.
    Applied(bool),
    /// Of `Settle`, `SettleOwn`, `TimeOut`, `SettleSealed` and `SettleGranting`.
    Settled(Settled),
    /// Of `StartStep`.
    Step(StepStart),
    /// Of `TakeOver`.
    TakeOver(TakeOver),
    /// Of `RedeemGrant`.
    Redeemed(Redeemed),
}

/// Who ended an ask.
#[derive(Debug, Clone, PartialEq)]
pub enum Settled {
    /// This decision did.
    Won,
    /// Another did before.
    Lost(Box<Decision>),
    /// The ask does not exist.
    Unknown,
    /// None did: the ask is open, and was taken from the client whose decision this is.
    TakenAway,
    /// None did: the ask is open, and has time left.
    NotDue,
    /// None did: another process has taken the call over.
    CallLost,
}

/// Whether a step may run.
#[derive(Debug, Clone, PartialEq)]
pub enum StepStart {
    /// Run it now.
    Started,
    /// It ran before, and ended with this.
    Finished(Value),
    /// It was started before and nothing more is known: it must not run again on its own.
    Interrupted,
    /// Another process owns the call.
    Lost,
}

/// Whether a call changed hands.
#[derive(Debug, Clone, PartialEq)]
pub enum TakeOver {
    /// It did.
    Taken {
        /// The new epoch.
        epoch: u64,
    },
    /// Its owner lives, or another process was faster.
    Held,
    /// It is finished, with this.
    Finished(Value),
    /// The call does not exist.
    Unknown,
}

/// Whether a grant was good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Redeemed {
    /// It was, and is used up now.
    Good,
    /// It was used before.
    Used,
    /// It has expired.
    Expired,
    /// It was given for something else.
    OtherDigest,
    /// No grant has this id, purpose and principal.
    Unknown,
}
