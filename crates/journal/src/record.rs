//! What is read back: calls, asks, steps and grants, and which of them to read.

use crate::{Event, InClient, NewAsk, NewCall, Redeemed};
use holdpoint_ask::{
    Ask, AskId, CallId, Decision, Digest, FieldError, GrantId, IdPart, Origin,
    open_order::{Waiting, is_review},
};
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

/// One agent request in whose course asks are made.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CallRecord {
    /// Its id.
    pub id: CallId,
    /// Who calls, with what, from where.
    pub origin: Origin,
    /// `tools/call`, `prompts/get` or `resources/read`.
    pub method: String,
    /// The arguments, for running the flow again.
    pub arguments: Value,
    /// The version of the flow that opened it; another one does not resume it.
    pub flow_version: String,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// The process that runs its flow.
    pub owner: Uuid,
    /// Raised by every takeover.
    pub epoch: u64,
    /// What the flow ended with; none while it runs.
    pub result: Option<Value>,
    /// When it ended, where that was read too.
    pub ended_at: Option<Timestamp>,
    /// It is a run of a script: people find it by itself.
    pub run: bool,
}

/// One ask with its state.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AskRecord {
    /// Its id.
    pub id: AskId,
    /// The call that asks; none for an ask from a shell.
    pub call: Option<CallId>,
    /// Its name within the call, zero-padded.
    pub key: String,
    /// The ask's digest.
    pub digest: Digest,
    /// Which of the call's asks with this digest it is, from 0.
    pub occurrence: u32,
    /// What is asked.
    pub ask: Ask,
    /// Who asks.
    pub origin: Origin,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it times out; never where there is none.
    pub deadline_at: Option<Timestamp>,
    /// How many replies were invalid so far.
    pub refusals: u32,
    /// What was wrong with the last of them.
    pub last_errors: Vec<FieldError>,
    /// A reply of the agent's client did not count, and the ask was taken from it: it is not shown it
    /// again, and nothing that it says about it counts, at whatever process and after a restart.
    pub taken_from_client: bool,
    /// What the agent's client was let do with it when it was opened.
    pub in_client: InClient,
    /// How it ended; none while it is open.
    pub decision: Option<Decision>,
    /// The agent that asked is gone; the answer waits for it.
    pub agent_gone: bool,
    /// The public key that secrets are sealed to when they are given in another process.
    pub seal_to: Option<[u8; 32]>,
}

/// The call as it is just after it was opened.
impl From<NewCall> for CallRecord {
    fn from(new: NewCall) -> Self {
        Self {
            id: new.id,
            origin: new.origin,
            method: new.method,
            arguments: new.arguments,
            flow_version: new.flow_version,
            opened_at: new.opened_at,
            owner: new.owner,
            epoch: 1,
            result: None,
            ended_at: None,
            run: new.run,
        }
    }
}

/// The ask as it is just after it was opened.
impl From<NewAsk> for AskRecord {
    fn from(new: NewAsk) -> Self {
        Self {
            id: new.id,
            call: new.call,
            key: new.key,
            digest: new.digest,
            occurrence: new.occurrence,
            ask: new.ask,
            origin: new.origin,
            opened_at: new.opened_at,
            deadline_at: new.deadline_at,
            refusals: 0,
            last_errors: Vec::new(),
            taken_from_client: false,
            in_client: new.in_client,
            decision: None,
            agent_gone: false,
            seal_to: new.seal_to,
        }
    }
}

/// One effect of a call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StepRecord {
    /// The name that the flow gave it.
    pub name: String,
    /// Which of the call's steps with this name it is, from 0.
    pub occurrence: u32,
    /// How far it came.
    pub state: StepState,
    /// What was done, in words for people.
    pub label: Option<String>,
    /// What came of it, in words for people.
    pub end_label: Option<String>,
    /// When it was started, where that was read too.
    pub started_at: Option<Timestamp>,
}

impl StepRecord {
    /// A step that came so far.
    pub fn new(name: impl Into<String>, occurrence: u32, state: StepState) -> Self {
        Self {
            name: name.into(),
            occurrence,
            state,
            label: None,
            end_label: None,
            started_at: None,
        }
    }
}

/// How far a step came.
#[derive(Debug, Clone, PartialEq)]
pub enum StepState {
    /// It was started, under this epoch, and nothing more is known.
    Started {
        /// The epoch of the process that started it.
        epoch: u64,
    },
    /// It ended with this.
    Finished(Value),
}

/// A call with everything that was asked and done in its course, in the order of opening.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CallHistory {
    /// The call.
    pub call: CallRecord,
    /// Its asks.
    pub asks: Vec<AskRecord>,
    /// Its steps.
    pub steps: Vec<StepRecord>,
}

impl CallHistory {
    /// A call with its asks and its steps.
    pub fn new(call: CallRecord, asks: Vec<AskRecord>, steps: Vec<StepRecord>) -> Self {
        Self { call, asks, steps }
    }
}

/// An ask with what happened around it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AskHistory {
    /// The ask.
    pub ask: AskRecord,
    /// In order: its call, itself, what was noted of it until its decision, that decision, and the
    /// call's steps and end, whether they came before or after.
    pub events: Vec<Event>,
    /// What its answer permitted, in the order of giving.
    pub grants: Vec<GrantRecord>,
}

impl AskHistory {
    /// An ask with its events and its grants.
    pub fn new(ask: AskRecord, events: Vec<Event>, grants: Vec<GrantRecord>) -> Self {
        Self {
            ask,
            events,
            grants,
        }
    }
}

/// What a grant is to be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrantUse<'a> {
    /// What it is to permit.
    pub purpose: &'a str,
    /// Whose it must be.
    pub principal: &'a str,
    /// The digest of what is about to be done.
    pub digest: Digest,
    /// When.
    pub at: Timestamp,
}

impl GrantUse<'_> {
    /// Whether this grant is good for it; one that does not exist is unknown.
    pub fn check(&self, grant: Option<&GrantRecord>) -> Redeemed {
        let own = |grant: &&GrantRecord| {
            grant.purpose == self.purpose && grant.principal == self.principal
        };
        match grant.filter(own) {
            None => Redeemed::Unknown,
            Some(grant) if grant.redeemed_at.is_some() => Redeemed::Used,
            Some(grant) if self.at >= grant.expires_at => Redeemed::Expired,
            Some(grant) if grant.digest != self.digest => Redeemed::OtherDigest,
            Some(_) => Redeemed::Good,
        }
    }
}

/// A single-use, expiring permission for one digest, which the asking tool makes of exactly what it showed.
#[derive(Debug, Clone, PartialEq)]
pub struct GrantRecord {
    /// Its id.
    pub id: GrantId,
    /// The ask whose accepted answer gave it.
    pub ask: AskId,
    /// In whose name it was given.
    pub principal: String,
    /// What it permits, in a word.
    pub purpose: String,
    /// The digest of what was shown.
    pub digest: Digest,
    /// When it was given.
    pub issued_at: Timestamp,
    /// When it stops being good.
    pub expires_at: Timestamp,
    /// When it was used up.
    pub redeemed_at: Option<Timestamp>,
}

/// Which calls a person wants to see: those of this method, and those of one of these tools, of one server. What an
/// agent called (`tools/call`) is among them only if it is a run of a script ([`CallRecord::run`]).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallQuery {
    /// Calls of this method.
    pub method: String,
    /// And calls of these tools, whatever their method.
    pub tools: Vec<String>,
    /// Only those of this server, since tools of two servers can have one name; of all where there is
    /// none.
    pub server: Option<String>,
    /// Only those opened before this one, for paging back.
    pub before: Option<CallId>,
    /// At most so many, newest first.
    pub limit: usize,
}

impl CallQuery {
    /// Whether this call is wanted, wherever it lies.
    pub fn wants(&self, call: &CallRecord) -> bool {
        let (tool, server) = (&call.origin.tool, &call.origin.server);
        let is_tool = tool.as_ref().is_some_and(|tool| self.tools.contains(tool));
        (call.run || call.method != "tools/call")
            && (call.method == self.method || is_tool)
            && (self.server.is_none() || *server == self.server)
    }
}

impl AskRecord {
    /// What its place in lists of open asks depends on.
    pub fn waiting(&self) -> Waiting {
        Waiting {
            id: self.id,
            dangerous: self.ask.dangerous,
            review: is_review(&self.ask),
            opened_at: self.opened_at,
            deadline_at: self.deadline_at,
        }
    }
}

/// Which asks to read, by what their rows say: for what acts on them. People look for asks with a
/// [`Search`](crate::Search).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskQuery {
    /// Only those without a decision.
    pub open: bool,
    /// Only dangerous ones, or only those that are not.
    pub dangerous: Option<bool>,
    /// Only those of this call.
    pub call: Option<CallId>,
    /// Only those of this principal.
    pub principal: Option<String>,
    /// Only those with this part in their id. All ids are gone through.
    pub part: Option<IdPart>,
    /// Only those opened before this one, for paging back.
    pub before: Option<AskId>,
    /// At most so many, newest first; all where there is none.
    pub limit: Option<usize>,
}
