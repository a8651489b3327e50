//! Settling a prompt with the record at hand: by what people gave to be remembered, by what they answered before,
//! or by asking them.

use super::{
    ask::{Asked, Question, Running},
    decide::{self, Ruled},
    past_uses, scopes,
};
use anyhow::Context;
use holdpoint::{Ask, AskId, Desk};
use holdpoint_harness::{Decision, Incoming, Prompt, REMEMBER, ask_for};
use holdpoint_policy::{Rules, Ruling, offers, would_have_allowed};

/// Settles a prompt, or leaves it open when this is over.
///
/// # Errors
/// When the record cannot be read or kept; then nothing was approved.
pub async fn settle(
    desk: &Desk,
    incoming: &Incoming,
    rules: &Rules,
    running: &Running,
    over: impl Future<Output = ()>,
) -> anyhow::Result<Asked> {
    let mut question = Question::new(desk, incoming);
    let given = scopes::given(desk).await?;
    let known: Vec<_> = given.iter().map(|given| given.scope.clone()).collect();
    let ruling = match decide::decide(incoming, rules, &known) {
        Ruled::Ask(ruling) => ruling,
        Ruled::Decided { decision, scope } => {
            if let Some(id) = scope {
                let used = given.iter().find(|given| given.scope.id == id);
                let used = used.context("a scope that decided is not known")?;
                scopes::record_use(&question, used).await?;
            }
            return Ok(Asked::Decided(decision));
        }
    };
    question.danger = ruling.danger;
    if let Some(decision) = question.answered_before().await? {
        return Ok(Asked::Decided(decision));
    }
    match shown(desk, incoming, &ruling).await? {
        Ok(ask) => question.ask(ask, running, over).await,
        Err(decision) => Ok(Asked::Decided(decision)),
    }
}

/// The ask as the person sees it, with what can be remembered; or what is decided where nothing can be asked.
async fn shown(
    desk: &Desk,
    incoming: &Incoming,
    ruling: &Ruling,
) -> anyhow::Result<Result<Ask, Decision>> {
    let holder = decide::holder(incoming);
    let mut offered = match &incoming.prompt {
        // What changes several files at once is allowed once.
        Prompt::Tool(prompt) if prompt.each_use().len() == 1 => {
            offers(ruling, &prompt.tool_use, &holder)
        }
        _ => Vec::new(),
    };
    if !offered.is_empty() {
        let lately = past_uses::lately(desk).await?;
        for offer in &mut offered {
            offer.would_have_allowed = would_have_allowed(&offer.covers, &lately);
        }
    }
    let ask = ask_for(incoming, ruling, &offered);
    Ok(ask.map(|ask| scopes::offer(ask, &offered, &holder, REMEMBER)))
}

/// What the agent is told where nobody has answered yet.
pub fn still_open(ask: AskId) -> String {
    format!(
        "Nobody has answered yet, so this is not done. The question stays open in the person's inbox as {ask}. \
         Stop here and tell them; once they have said yes, make exactly the same call again within ten minutes. \
         Do not look for another way to do it."
    )
}
