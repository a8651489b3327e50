//! What became of a reply.

use super::evidence::Refusal;
use holdpoint_ask::{Decision, FieldError};
use std::time::Duration;

/// What became of a reply.
///
#[doc = include_str!("../../docs/reply_handle.md")]
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ReplyResult {
    /// It ended the ask with this decision.
    Settled(Decision),
    /// The ask had ended before, with this decision.
    Late(Decision),
    /// It is invalid; the ask is still open.
    Invalid(Vec<FieldError>),
    /// It does not show that a person gave it, for this reason: it settled nothing, and the ask is open.
    NotTaken(Refusal),
    /// The page was opened; the answer comes from there.
    Opened,
    /// A yes to it needs the PIN; the ask is still open.
    PinNeeded,
    /// That was not the PIN; the ask is still open.
    WrongPin {
        /// How long the next try has to wait.
        retry_after: Duration,
    },
}
