//! What a person sees: a call of the hook as an ask.
//!
//! All that an agent wrote is put into the message so that it stays in its place, with what is hidden in it
//! written out.

mod change;
mod command;
mod foreign_form;
mod other_tool;
mod permission;
mod plan;
mod questions;
mod subject;
mod text;

use crate::{Decision, Incoming, Prompt};
use holdpoint_ask::{Ask, describe::sentence};
use holdpoint_policy::{Ruling, ScopeOffer};

/// Makes the ask for a person, with the scopes that they could give; none are offered where the ruling says
/// danger. It counts only from a surface of the person's own, and a form that nobody touched allows nothing.
///
/// # Errors
/// The decision that is to be made instead, where nothing can be asked: a text that is too long to be shown
/// whole, or another server's form that cannot be shown.
pub fn ask_for(
    incoming: &Incoming,
    ruling: &Ruling,
    offers: &[ScopeOffer],
) -> Result<Ask, Decision> {
    let ask = match &incoming.prompt {
        Prompt::Tool(tool) => permission::ask(incoming, tool, ruling, offers),
        Prompt::Questions(asked) => questions::ask(incoming, &asked.questions),
        Prompt::Plan(plan) => plan::ask(incoming, plan, ruling),
        Prompt::Form(form) => return foreign_form::ask(incoming, form),
        Prompt::Over(_) | Prompt::Nothing => {
            return Err(Decision::LeaveToHarness {
                reason: "There is nothing to decide.".into(),
            });
        }
    };
    let ask = ask.in_person();
    match ask.check() {
        Ok(()) => Ok(ask),
        Err(error) => Err(Decision::Deny {
            reason: format!(
                "It cannot be shown to a person, who would have to decide: {}",
                sentence(&error.to_string())
            ),
        }),
    }
}
