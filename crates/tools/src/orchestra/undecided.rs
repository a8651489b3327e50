//! What an agent does where nobody decided. Nothing is approved then.

use holdpoint::{Decision, tool::AskResult};
use holdpoint_ask::describe::next_step_in_chat;
use serde::Serialize;

/// The result of an ask that was not accepted. `answers` are the words for the fallback in chat.
pub(super) fn undecided<O: Serialize>(decision: &Decision, answers: &str) -> AskResult<O> {
    let next = next_step_in_chat(&decision.outcome, answers);
    AskResult::not_accepted(decision, &next)
}
