//! How an ask ended, and the decision that records it.

use crate::{Answer, AskId, ChannelKind, Presence, Review};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How an ask ended. Only [`Outcome::Accepted`] can mean yes, and only as far as its fields say so.
///
/// Its `Debug` leaves the accepted value out: a secret may be in it.
///
/// ```
/// use holdpoint_ask::Outcome;
///
/// let stars = Outcome::Accepted(5);
/// assert_eq!(stars.status(), "accepted");
/// let many = stars.map(|stars| stars * 2).and_then(|stars| match stars {
///     0 => Outcome::Cancelled,
///     stars => Outcome::Accepted(stars),
/// });
/// assert_eq!(many.accepted(), Some(10));
///
/// let no: Outcome = Outcome::Declined { reason: None };
/// assert!(!no.next_step().is_empty());
/// assert_eq!(no.accepted(), None);
/// ```
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", content = "detail", rename_all = "snake_case")]
#[must_use = "an outcome that nobody looks at is not consent"]
#[non_exhaustive]
pub enum Outcome<T = Answer> {
    /// A person gave a valid answer.
    Accepted(T),
    /// A person said no.
    Declined {
        /// Why, if the person said so.
        reason: Option<String>,
    },
    /// A person dismissed it.
    Cancelled,
    /// The deadline passed.
    TimedOut,
    /// No channel reaches anyone.
    Unreachable {
        /// What stood in the way, in words for a person.
        why: String,
    },
    /// The replies stayed invalid after the re-asks.
    Invalid {
        /// What was wrong with the last one.
        errors: Vec<FieldError>,
    },
    /// The call was cancelled, or another ask replaced this one.
    Withdrawn {
        /// Which of the two.
        why: Withdrawal,
    },
}

/// Why an ask was withdrawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Withdrawal {
    /// The call that asked was cancelled.
    CallCancelled,
    /// The flow no longer waits for it, or asks something else instead.
    Replaced,
    /// It was answered at the harness's own prompt, or the agent no longer waits for it there.
    AnsweredInHarness,
}

/// What is wrong with one field of a reply, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FieldError {
    /// The field's name; for an unknown key, that key.
    pub field: String,
    /// One sentence: what is wrong, and what would be right.
    pub message: String,
}

impl FieldError {
    /// What is wrong with the field of this name.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl<T> fmt::Debug for Outcome<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepted(_) => f.write_str("Accepted(..)"),
            Self::Declined { reason } => {
                f.debug_struct("Declined").field("reason", reason).finish()
            }
            Self::Cancelled => f.write_str("Cancelled"),
            Self::TimedOut => f.write_str("TimedOut"),
            Self::Unreachable { why } => f.debug_struct("Unreachable").field("why", why).finish(),
            Self::Invalid { errors } => f.debug_struct("Invalid").field("errors", errors).finish(),
            Self::Withdrawn { why } => f.debug_struct("Withdrawn").field("why", why).finish(),
        }
    }
}

impl<T> Outcome<T> {
    /// The word for it that agents are told.
    pub fn status(&self) -> &'static str {
        match self {
            Self::Accepted(_) => "accepted",
            Self::Declined { .. } => "declined",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
            Self::Unreachable { .. } => "unreachable",
            Self::Invalid { .. } => "invalid",
            Self::Withdrawn { .. } => "withdrawn",
        }
    }

    /// The accepted value, if that is what it is.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(value) => Some(value),
            _ => None,
        }
    }

    /// The same outcome around another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Outcome<U> {
        self.and_then(|value| Outcome::Accepted(change(value)))
    }

    /// Makes another outcome of an accepted value; every other outcome stays as it is.
    pub fn and_then<U>(self, change: impl FnOnce(T) -> Outcome<U>) -> Outcome<U> {
        match self {
            Self::Accepted(value) => change(value),
            Self::Declined { reason } => Outcome::Declined { reason },
            Self::Cancelled => Outcome::Cancelled,
            Self::TimedOut => Outcome::TimedOut,
            Self::Unreachable { why } => Outcome::Unreachable { why },
            Self::Invalid { errors } => Outcome::Invalid { errors },
            Self::Withdrawn { why } => Outcome::Withdrawn { why },
        }
    }
}

/// An outcome with who, when, through which channel, and how long it took.
///
/// ```
/// use holdpoint_ask::{AskId, ChannelKind, Decision, Outcome};
///
/// let at = "2026-07-28T09:30:00Z".parse()?;
/// let mut decision = Decision::new(AskId::new(), Outcome::Declined { reason: None }, at);
/// decision.channel = Some(ChannelKind::Terminal);
/// decision.answered_by = Some("ann".into());
/// assert_eq!(decision.outcome.status(), "declined");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Decision {
    /// The ask that ended.
    pub ask: AskId,
    /// How it ended. Values of secret fields are not in it.
    pub outcome: Outcome,
    /// Through which channel; none where no reply ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<ChannelKind>,
    /// The client's name and version, or the operating-system user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// When.
    pub at: Timestamp,
    /// From opening the ask to the decision.
    pub duration_ms: u64,
    /// The reply came faster than a person can read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fast: bool,
    /// It was declined by an answer that says no, and not by turning the question down.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub said_no: bool,
    /// What showed that a person gave the reply; none where no reply ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence: Option<Presence>,
    /// What the person said beside it: comments, and their own version of a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Box<Review>>,
}

impl Decision {
    /// That the ask ended so at this time, by no reply: no channel, nobody who answered, no time taken. Set
    /// what else is known.
    pub fn new(ask: AskId, outcome: Outcome, at: Timestamp) -> Self {
        Self {
            ask,
            outcome,
            channel: None,
            answered_by: None,
            at,
            duration_ms: 0,
            fast: false,
            said_no: false,
            presence: None,
            review: None,
        }
    }
}
