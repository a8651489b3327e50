//! Between a flow's task and the wire, for the time of one request.

use super::{request::Said, seal::Binding, transport::DROPPED_ID, wire};
use crate::{
    Desk, Session, Showing,
    call::{Call, Wanted},
    clock::later,
    flow::FlowResult,
    result,
    session::Surface,
};
use holdpoint_ask::CallId;
use holdpoint_journal::AskRecord;
use rmcp::{
    ErrorData, RoleServer,
    model::{InputRequest, InputRequests, InputRequiredResult, ProgressToken},
    service::RequestContext,
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

/// Waits for what the client is to be told next: the flow's end, a round of asks, or that the
/// answer is still out.
pub(crate) async fn pump(
    call: &Arc<Call>,
    context: &RequestContext<RoleServer>,
    binding: &Binding,
) -> Result<Said, ErrorData> {
    let mut changes = call.watch();
    let token = context.meta.get_progress_token();
    let every = call.desk.inner.settings.keep_alive;
    let mut beat = tokio::time::interval_at(tokio::time::Instant::now() + every, every);
    let hold = hold(call, token.as_ref());
    let mut held = std::pin::pin!(tokio::time::sleep(hold));
    loop {
        changes.borrow_and_update();
        if let Some(done) = call.done() {
            return Ok(Said::Done(done));
        }
        if call.session.modern && call.round_is_ready() {
            return round(call, binding).map(Said::Asked);
        }
        tokio::select! {
            _ = changes.changed() => {}
            () = context.ct.cancelled() => {
                call.give_up().await;
                return Err(ErrorData::internal_error("The request was given up.", None));
            }
            _ = beat.tick(), if token.is_some() => call.keep_alive().await,
            () = &mut held => {
                if let Some(pending) = pending(call) {
                    return Ok(Said::Done(Arc::new(FlowResult::Tool(pending))));
                }
                held.as_mut().reset(tokio::time::Instant::now() + hold);
            }
        }
    }
}

/// How long this request may be held before the client is told that the answer is out.
fn hold(call: &Call, token: Option<&ProgressToken>) -> Duration {
    let profile = &call.session.profile;
    let progress_helps = token.is_some() && profile.progress_resets_clock;
    let hold = call.desk.inner.settings.hold;
    match profile.aborts_after {
        _ if progress_helps => hold.max(crate::settings::LONGEST),
        Some(aborts) => hold.min(aborts.mul_f32(0.9)),
        None => hold,
    }
}

/// The `pending` result, if that is how it stands: people are asked, and the client shows none of
/// it, or will not wait for it.
fn pending(call: &Call) -> Option<rmcp::model::CallToolResult> {
    let open = call.open_asks();
    let first = open.iter().min_by_key(|ask| ask.id())?;
    let impatient = call.session.profile.aborts_after.is_some();
    if open.iter().any(|ask| call.shows(ask)) && !impatient {
        return None;
    }
    let page = call.desk.inner.page.as_ref();
    Some(result::pending(
        first.id(),
        page.map(|page| page(first.id())),
    ))
}

/// What a modern client is asked now, and the sealed name of the call.
fn round(call: &Call, binding: &Binding) -> Result<InputRequiredResult, ErrorData> {
    let mut requests = InputRequests::new();
    let mut state = call.state();
    state.rounds += 1;
    let round = state.rounds;
    for (key, wanted) in &state.round {
        let request = match wanted {
            Wanted::Input(input) => {
                input_request(json!({ "method": input.method, "params": input.params }))?
            }
            Wanted::Ask(open) => match call.surface(open) {
                Some(surface) => elicitation(&call.session, &open.showing(), &surface)?,
                None => continue,
            },
        };
        requests.insert(key.clone(), request);
    }
    drop(state);
    Ok(sealed(&call.desk, requests, call.id, round, binding))
}

/// What a modern client is asked in the name of a flow that runs in another process.
pub(crate) fn round_of(
    desk: &Desk,
    session: &Session,
    call: CallId,
    asks: Vec<AskRecord>,
    binding: &Binding,
) -> Result<InputRequiredResult, ErrorData> {
    let mut requests = InputRequests::new();
    let round = asks.len() as u32;
    for record in asks {
        let showing = Showing::of_record(record);
        if let Some(surface) = session.surface(desk, showing.id(), showing.ask()) {
            let request = elicitation(session, &showing, &surface)?;
            requests.insert(showing.key.clone(), request);
        }
    }
    Ok(sealed(desk, requests, call, round, binding))
}

fn sealed(
    desk: &Desk,
    requests: InputRequests,
    call: CallId,
    round: u32,
    binding: &Binding,
) -> InputRequiredResult {
    let expires = later(desk.now(), desk.inner.settings.state_lifetime);
    let state = desk.inner.seal.seal(call, round, binding, expires);
    InputRequiredResult::new(Some(requests), Some(state))
}

fn elicitation(
    session: &Session,
    showing: &Showing,
    surface: &Surface,
) -> Result<InputRequest, ErrorData> {
    let params = match surface {
        Surface::Form(lowered) => wire::form_params(session, showing, lowered),
        Surface::Url(address) => {
            let mut params = wire::url_params(session, showing, address);
            params["elicitationId"] = format!("{DROPPED_ID}{}", showing.id()).into();
            params
        }
    };
    input_request(json!({ "method": wire::ELICIT, "params": params }))
}

fn input_request(request: Value) -> Result<InputRequest, ErrorData> {
    serde_json::from_value(request).map_err(|error| {
        tracing::error!(%error, "a question has no form on the wire");
        ErrorData::internal_error("The question could not be put on the wire.", None)
    })
}
