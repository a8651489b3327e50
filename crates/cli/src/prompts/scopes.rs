//! What people gave to be remembered: read from the record, offered with an ask, counted when it is used.

use super::ask::{METHOD, Question};
use crate::server_name::SERVER_NAME;
use holdpoint::{
    Desk, FlowStart, Remembered,
    journal::JournalError,
    rmcp::model::{CallToolResult, ContentBlock},
};
use holdpoint_ask::{
    Ask,
    remember::{OfferedScope, Remember},
};
use holdpoint_harness::Prompt;
use holdpoint_policy::{Holder, Lifetime, Scope, ScopeOffer};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// What the step is called that counts uses, before the scope's id.
const USED: &str = "scope used ";

/// How many seconds what was given for a session lasts at most.
const LONGEST_SESSION: u64 = 7 * 86_400;

/// A scope that stands, with the answer that gave it.
#[derive(Debug, Clone)]
pub struct Given {
    /// The scope.
    pub scope: Scope,
    /// Where it comes from.
    pub remembered: Remembered,
    /// How often it was used, and when last.
    pub used: Used,
}

/// How often a scope was used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// How often.
    pub times: u64,
    /// When last.
    pub last: Option<Timestamp>,
}

/// The scopes that stand, newest first.
///
/// # Errors
/// When the record cannot be read.
pub async fn given(desk: &Desk) -> Result<Vec<Given>, JournalError> {
    let remembered = desk.remembered().await?;
    if remembered.is_empty() {
        return Ok(Vec::new());
    }
    let used = uses(desk).await?;
    let mut given = Vec::new();
    for remembered in remembered {
        let Some(mut scope) = believed(desk, &remembered).await? else {
            continue;
        };
        scope.id = remembered.id.to_string();
        scope.until = remembered.until;
        let used = used.get(&scope.id).copied().unwrap_or_default();
        given.push(Given {
            scope,
            remembered,
            used,
        });
    }
    Ok(given)
}

/// The scope that an answer to a prompt of a harness gave, to that harness. What another server asked for, or
/// anything else than a prompt, gives nothing here.
async fn believed(desk: &Desk, remembered: &Remembered) -> Result<Option<Scope>, JournalError> {
    let origin = &remembered.ask.origin;
    let scope = serde_json::from_value(remembered.scope.scope.clone()).ok();
    let scope = scope.filter(|scope: &Scope| {
        origin.server.as_deref() == Some(SERVER_NAME)
            && origin.principal == scope.holder.principal
            && origin.client_name.as_ref() == Some(&scope.holder.client)
    });
    let (Some(scope), Some(call)) = (scope, remembered.ask.call) else {
        return Ok(None);
    };
    let history = desk.journal().call(call).await?;
    let is_prompt = history.is_some_and(|history| history.call.method == METHOD);
    Ok(is_prompt.then_some(scope))
}

async fn uses(desk: &Desk) -> Result<BTreeMap<String, Used>, JournalError> {
    let steps = desk.journal().latest_steps(USED, Some(SERVER_NAME)).await?;
    let uses = steps.into_iter().filter_map(|(name, value)| {
        let id = name.strip_prefix(USED)?.to_owned();
        Some((id, serde_json::from_value(value).ok()?))
    });
    Ok(uses.collect())
}

/// Puts on record that a scope allowed this, before it is done.
///
/// # Errors
/// When the record cannot be kept; then it is not done.
pub async fn record_use(question: &Question<'_>, given: &Given) -> anyhow::Result<()> {
    let used = Used {
        times: given.used.times + 1,
        last: Some(question.desk.now()),
    };
    let what = match &question.incoming.prompt {
        Prompt::Tool(prompt) => prompt.tool_use.summary(),
        _ => String::new(),
    };
    let (name, label) = (
        format!("{USED}{}", given.scope.id),
        format!("allowed by a remembered answer: {what}"),
    );
    let start = FlowStart::new(question.origin.clone(), METHOD).arguments(question.binding.clone());
    let run = question.desk.run(start, |cx| async move {
        let step = cx.labelled_step(&name, &label, |_: &Used| None, async { used });
        match step.await {
            Ok(_) => Ok(CallToolResult::success(Vec::new())),
            Err(error) => Ok(CallToolResult::error(vec![ContentBlock::text(
                error.to_string(),
            )])),
        }
    });
    let ended = run.ended().await?;
    run.recorded().await;
    anyhow::ensure!(
        ended.is_error != Some(true),
        "the use of a remembered answer could not be recorded"
    );
    Ok(())
}

/// Adds to an ask what can be remembered with a yes to it: its choice has the offers as options.
pub fn offer(ask: Ask, offers: &[ScopeOffer], holder: &Holder, field: &str) -> Ask {
    // What could not be shown whole was not offered.
    let shown = ask.form.fields.iter().any(|shown| shown.name == field);
    if offers.is_empty() || !shown {
        return ask;
    }
    let scopes = offers.iter().map(|offer| {
        // The id and the end come with the answer.
        let at = Timestamp::UNIX_EPOCH;
        let mut scope = Scope::give("", offer.covers.clone(), offer.lifetime, holder, at);
        let seconds = match (offer.lifetime, scope.until.take()) {
            // Sessions are resumed, but not for ever.
            (Lifetime::Session, None) => Some(LONGEST_SESSION),
            (_, until) => until.map(|until| until.as_second().unsigned_abs()),
        };
        let scope = json!(scope);
        (offer.value.clone(), OfferedScope { scope, seconds })
    });
    ask.remember(Remember {
        field: field.to_owned(),
        scopes: scopes.collect(),
    })
}
