//! What harnesses prompted for lately, from the record.

use super::ask::METHOD;
use crate::server_name::SERVER_NAME;
use holdpoint::{
    Desk, Outcome,
    journal::{CallQuery, CallRecord, JournalError},
};
use holdpoint_harness::bound_tool_use;
use holdpoint_policy::{PastUse, ToolUse};
use jiff::SignedDuration;

/// How far back the offers and suggestions look.
pub const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

/// How many prompts are read at most.
const MOST: usize = 1_000;

/// The uses of tools that were prompted for in the last week, newest first.
///
/// # Errors
/// When the record cannot be read.
pub async fn lately(desk: &Desk) -> Result<Vec<ToolUse>, JournalError> {
    let calls = calls(desk).await?;
    Ok(calls.iter().filter_map(used).collect())
}

/// The uses of tools that people decided about, with what they said.
///
/// # Errors
/// When the record cannot be read.
pub async fn decided(desk: &Desk) -> Result<Vec<PastUse>, JournalError> {
    let mut past = Vec::new();
    for call in calls(desk).await? {
        let Some(tool_use) = used(&call) else {
            continue;
        };
        let Some(history) = desk.journal().call(call.id).await? else {
            continue;
        };
        past.extend(history.asks.into_iter().filter_map(|asked| {
            let decision = asked.decision?;
            let said_yes = match &decision.outcome {
                Outcome::Accepted(answer) => asked.ask.form.says_yes(answer),
                Outcome::Declined { .. } => false,
                _ => return None,
            };
            Some(PastUse {
                tool_use: tool_use.clone(),
                said_yes,
                danger: asked.ask.dangerous,
                at: decision.at,
            })
        }));
    }
    Ok(past)
}

async fn calls(desk: &Desk) -> Result<Vec<CallRecord>, JournalError> {
    let since = desk.now() - WEEK;
    let query = CallQuery {
        method: METHOD.into(),
        server: Some(SERVER_NAME.into()),
        limit: MOST,
        ..CallQuery::default()
    };
    let mut calls = desk.journal().calls(query).await?;
    calls.retain(|call| call.opened_at >= since);
    Ok(calls)
}

/// The use of a tool that a call on record is about; none where it is about something else.
pub fn used(call: &CallRecord) -> Option<ToolUse> {
    bound_tool_use(&call.arguments, call.origin.workspace.as_deref()?)
}
