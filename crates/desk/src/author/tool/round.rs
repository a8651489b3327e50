//! Rounds: the same plan, phase or file shown again is a round of one thread.

use super::error::ToolError;
use crate::{Digest, StepError, ToolContext};
use holdpoint_ask::{Decision, Outcome, describe::error_chain, review::Round};
use holdpoint_journal::{AskRecord, JournalError};

/// Which showing of a thing the next ask of this call is. `about` says what it is in a few words ("Plan “auth”");
/// `thing` names it among all that this caller is asked about in this workspace.
///
/// It is looked up in a step, so that a later run of the flow asks the same.
///
/// # Errors
/// When the record cannot be kept.
pub async fn round_of(cx: &ToolContext, about: &str, thing: &str) -> Result<Round, ToolError> {
    let origin = cx.origin();
    let key = (&origin.principal, &origin.workspace, thing);
    let key = Digest::hash_json(&key).unwrap_or_else(|_| Digest::hash_bytes(thing.as_bytes()));
    let name = format!("round of {key}");
    let look = async {
        let round = next(cx, about, &name).await;
        round.map_err(|error| error_chain(&error))
    };
    match cx.step_at_least_once(&name, look).await {
        Ok(Ok(round)) => Ok(round),
        // Which round it is matters less than that the person is asked.
        Ok(Err(_)) => Ok(Round::first(about)),
        Err(StepError::Mismatch { .. }) => Ok(Round::first(about)),
        Err(error) => Err(error.into()),
    }
}

async fn next(cx: &ToolContext, about: &str, name: &str) -> Result<Round, JournalError> {
    let journal = cx.desk().journal();
    let server = cx.origin().server.as_deref();
    let first = Round::first(about);
    let Some((call, _)) = journal.latest_step(name, server).await? else {
        return Ok(first);
    };
    let Some(history) = journal.call(call).await? else {
        return Ok(first);
    };
    let shown = |ask: &&AskRecord| {
        let same = ask
            .ask
            .round
            .as_ref()
            .is_some_and(|round| round.about == about);
        same && ask.origin.is_seen_by(cx.origin())
    };
    let last = history.asks.iter().filter(shown).max_by_key(|ask| ask.id);
    let Some((last, round)) = last.and_then(|ask| Some((ask, ask.ask.round.as_ref()?))) else {
        return Ok(first);
    };
    let answered = last.decision.as_ref().is_some_and(is_a_persons);
    Ok(if answered {
        round.after(last.id)
    } else {
        Round::clone(round)
    })
}

/// Whether a person said something: what nobody saw or answered is shown again, and is no round of its own.
fn is_a_persons(decision: &Decision) -> bool {
    matches!(
        decision.outcome,
        Outcome::Accepted(_) | Outcome::Declined { .. } | Outcome::Cancelled
    )
}
