//! What an agent does where nobody decided. Nothing is approved then.

use holdpoint::{Decision, tool::ask_result};
use holdpoint_ask::describe::next_step_in_chat;
use rmcp::model::{CallToolResult, JsonObject};

/// The result of an ask that was not accepted. `answers` are the words for the fallback in chat.
pub(super) fn undecided(decision: &Decision, answers: &str) -> CallToolResult {
    let next = next_step_in_chat(&decision.outcome, answers);
    ask_result(decision, false, &next, JsonObject::new())
}
