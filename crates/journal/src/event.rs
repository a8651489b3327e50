//! The events: append-only, each with the hash of the one before it.

use crate::{other_kind, rules::Head};
use holdpoint_ask::{AskId, CallId, Digest};
use jiff::Timestamp;
use serde_json::Value;

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// Its place in the chain, from 1.
    pub seq: u64,
    /// When, to the millisecond.
    pub at: Timestamp,
    /// What.
    pub kind: EventKind,
    /// The call that it is about.
    pub call: Option<CallId>,
    /// The ask that it is about.
    pub ask: Option<AskId>,
    /// The rest; `null` where it was pruned.
    pub body: Value,
    /// The number of the event that says that the body was pruned; none where it is there.
    pub pruned_by: Option<u64>,
    /// The hash over this event and the hash before it.
    pub hash: Digest,
}

/// What an event says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind {
    /// A call was opened.
    Called,
    /// An ask was opened.
    Asked,
    /// A reply was invalid.
    Refused,
    /// An ask ended.
    Decided,
    /// An ask got more time.
    Extended,
    /// A step was started.
    StepStarted,
    /// A step ended.
    StepFinished,
    /// A call ended.
    Finished,
    /// Another process took a call over.
    TakenOver,
    /// A grant was given.
    Granted,
    /// A grant was used up.
    Redeemed,
    /// The agent that asked is gone; the ask stays open.
    AgentGone,
    /// The agent behind an ask is back.
    AgentBack,
    /// A reply came too fast to be a person's, and did not count.
    TooFast,
    /// A reply did not show that a person gave it, and did not count.
    NotTaken,
    /// A surface of the person's own showed an ask.
    Shown,
    /// A PIN was set.
    PinSet,
    /// The PIN was cleared.
    PinCleared,
    /// A PIN was given, and is yet to be judged: it counts as wrong until [`Self::PinGiven`] follows.
    PinTried,
    /// A wrong PIN was given.
    WrongPin,
    /// The right PIN was given.
    PinGiven,
    /// Something that only a person may do was tried from inside an agent, and did not count.
    AgentAnswered,
    /// A token was made, with which a program asks or answers.
    TokenMade,
    /// A token was revoked.
    TokenRevoked,
    /// The journal held less than the mark beside it says, and a person accepted that.
    LossAccepted,
    /// Bodies of older events were removed; their hashes stay.
    Pruned,
    /// Something that only a newer program knows, by its word. It is shown and verified, and no row here
    /// follows it.
    Other(&'static str),
}

impl EventKind {
    const KNOWN: [Self; 26] = [
        Self::Called,
        Self::Asked,
        Self::Refused,
        Self::Decided,
        Self::Extended,
        Self::StepStarted,
        Self::StepFinished,
        Self::Finished,
        Self::TakenOver,
        Self::Granted,
        Self::Redeemed,
        Self::AgentGone,
        Self::AgentBack,
        Self::TooFast,
        Self::NotTaken,
        Self::Shown,
        Self::PinSet,
        Self::PinCleared,
        Self::PinTried,
        Self::WrongPin,
        Self::PinGiven,
        Self::AgentAnswered,
        Self::TokenMade,
        Self::TokenRevoked,
        Self::LossAccepted,
        Self::Pruned,
    ];

    /// The kind that has this word in the record, if it is known here.
    pub fn parse(word: &str) -> Option<Self> {
        Self::KNOWN.into_iter().find(|kind| kind.as_str() == word)
    }

    /// The kind that has this word in the record, whoever wrote it.
    pub fn of_word(word: &str) -> Self {
        Self::parse(word).unwrap_or_else(|| Self::Other(other_kind::word(word)))
    }

    /// Whether it says something and changes nothing, so that [`Write::Note`](crate::Write::Note)
    /// may record it. The others are recorded by the write that makes them true.
    pub fn is_note(self) -> bool {
        let says_only = matches!(
            self,
            Self::AgentGone
                | Self::AgentBack
                | Self::TooFast
                | Self::NotTaken
                | Self::Shown
                | Self::TokenMade
                | Self::TokenRevoked
                | Self::LossAccepted
        );
        says_only || self.is_guard()
    }

    /// Whether it is about who may answer: what [`Journal::guard_events`](crate::Journal) reads.
    pub fn is_guard(self) -> bool {
        self.is_pin() || self == Self::AgentAnswered
    }

    /// Whether it is about the PIN.
    pub fn is_pin(self) -> bool {
        Self::PIN.contains(&self)
    }

    /// The kinds that are about the PIN.
    pub const PIN: [Self; 5] = [
        Self::PinSet,
        Self::PinCleared,
        Self::PinTried,
        Self::WrongPin,
        Self::PinGiven,
    ];

    /// The word for it in the record.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Called => "called",
            Self::Asked => "asked",
            Self::Refused => "refused",
            Self::Decided => "decided",
            Self::Extended => "extended",
            Self::StepStarted => "step_started",
            Self::StepFinished => "step_finished",
            Self::Finished => "finished",
            Self::TakenOver => "taken_over",
            Self::Granted => "granted",
            Self::Redeemed => "redeemed",
            Self::AgentGone => "agent_gone",
            Self::AgentBack => "agent_back",
            Self::TooFast => "too_fast",
            Self::NotTaken => "not_taken",
            Self::Shown => "shown",
            Self::PinSet => "pin_set",
            Self::PinCleared => "pin_cleared",
            Self::PinTried => "pin_tried",
            Self::WrongPin => "wrong_pin",
            Self::PinGiven => "pin_given",
            Self::AgentAnswered => "agent_answered",
            Self::TokenMade => "token_made",
            Self::TokenRevoked => "token_revoked",
            Self::LossAccepted => "loss_accepted",
            Self::Pruned => "pruned",
            Self::Other(word) => word,
        }
    }
}

/// What a walk over the chain found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Verified {
    /// How many events were read.
    pub events: u64,
    /// The hash of the last one, to be written down elsewhere; none where there is no event.
    pub head: Option<Digest>,
    /// What is wrong, in the order of the chain; empty where all is well.
    pub flaws: Vec<Flaw>,
    /// The event up to which the journal once came, where it does not hold that event any more: a log
    /// was lost, or an older copy was put in its place.
    pub lost: Option<Head>,
    /// How many events have no body any more, because somebody pruned it.
    pub pruned: u64,
}

/// One thing that is wrong with the record.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flaw {
    /// The event that is wrong; 0 where something has no event at all.
    pub seq: u64,
    /// What is wrong with it, in words for a person.
    pub what: String,
}
