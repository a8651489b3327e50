//! Asking in a second form for what a client was not shown in the first.

use super::{ask_and_log::ask_and_log, error::ToolError};
use crate::{Answer, Ask, Decision, Form, Outcome, ToolContext};

/// Asks for fields that the surface of an answer did not show, since it cannot leave them empty: those of
/// the form that are `wanted` now that the decision is known. Gives what was answered; nothing where
/// nothing was left out, or the person has nothing to say.
///
/// # Errors
/// When it cannot be asked, or the record cannot be kept.
pub async fn ask_separately(
    cx: &ToolContext,
    message: &str,
    form: &Form,
    decision: &Decision,
    wanted: impl Fn(&str) -> bool,
) -> Result<Answer, ToolError> {
    let left_out = decision.presence.iter().flat_map(|by| &by.left_out);
    let fields = left_out
        .filter(|name| wanted(name))
        .filter_map(|name| form.get(name).cloned());
    let form = fields.collect::<Form>();
    if form.fields.is_empty() {
        return Ok(Answer::new());
    }
    let decided = Box::pin(ask_and_log(cx, Ask::new(message, form))).await?;
    Ok(match decided.outcome {
        Outcome::Accepted(answer) => answer,
        _ => Answer::new(),
    })
}
