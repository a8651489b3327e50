//! What an agent does where nobody decided. Nothing is approved then.

use crate::told::told;
use holdpoint::{Decision, Outcome};
use rmcp::model::{CallToolResult, JsonObject};

/// The result of an ask that was not accepted. `answers` are the words for the fallback in chat.
pub(super) fn undecided(decision: &Decision, answers: &str) -> CallToolResult {
    let next = match &decision.outcome {
        Outcome::Declined { .. } => {
            "The person did not want to decide: nothing is approved. Stop, explain what you need a decision on, and wait.".to_owned()
        }
        Outcome::Cancelled => {
            "The person put the question away: nothing is approved. Wait for them, and explain what you are waiting for.".to_owned()
        }
        Outcome::TimedOut => {
            "Nobody answered in time: nothing is approved. Stop and tell the person; do not ask again in a loop.".to_owned()
        }
        Outcome::Unreachable { .. } => format!(
            "Nobody can be asked through this client: nothing is approved. Stop here and ask in the chat for one of these answers: {answers}. Do not go on before the person has given one."
        ),
        Outcome::Invalid { .. } => format!(
            "The answers did not fit the form: nothing is approved. Stop here and ask in the chat for one of these answers: {answers}."
        ),
        outcome => outcome.next_step().to_owned(),
    };
    told(decision, false, &next, JsonObject::new())
}
