//! What is compared: which row, what of it, and what it says.

use holdpoint_ask::{AskId, CallId, GrantId};
use std::fmt;
use uuid::Uuid;

/// What a row is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    Call(CallId),
    Ask(AskId),
    Step(CallId, String, u32),
    Grant(GrantId),
}

/// What of a row can change after its first event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Aspect {
    Owner,
    Finished,
    Deadline,
    Refusals,
    Decided,
    Gone,
    Redeemed,
}

/// What a row or an event says of an aspect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Nothing,
    Number(i64),
    Pair(u64, u64),
    Owner(Uuid, u64),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(id) => write!(f, "call {id}"),
            Self::Ask(id) => write!(f, "ask {id}"),
            Self::Step(call, name, occurrence) => {
                write!(f, "step `{name}` ({occurrence}) of call {call}")
            }
            Self::Grant(id) => write!(f, "grant {id}"),
        }
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Owner => "the owner",
            Self::Finished => "the event that ended it",
            Self::Deadline => "the deadline",
            Self::Refusals => "the count of invalid replies",
            Self::Decided => "the event that decided it",
            Self::Gone => "whether its agent is gone",
            Self::Redeemed => "the time of its use",
        })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("none"),
            Self::Number(number) => number.fmt(f),
            Self::Pair(count, seq) => write!(f, "{count} (event {seq})"),
            Self::Owner(owner, epoch) => write!(f, "{owner} at epoch {epoch}"),
        }
    }
}
