//! Between a flow's task and the wire, for the time of one request.

use super::{request::CallReply, request_state::Binding, transport::DROPPED_ID, wire};
use crate::{
    Desk, Session, Showing,
    clock::later,
    core::open_ask::OpenAsk,
    flow::call::{Call, Wanted},
    flow::session::Surface,
    settings::LONGEST,
};
use holdpoint_ask::{AskId, CallId};
use holdpoint_journal::AskRecord;
use rmcp::{
    ErrorData,
    model::{InputRequest, InputRequests, InputRequiredResult, RequestId},
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// A request that is held while its call goes on.
pub(crate) struct HeldRequest {
    pub id: RequestId,
    /// Fires when its client gives it up.
    pub given_up: CancellationToken,
    /// Its client wants to hear of progress.
    pub wants_progress: bool,
}

/// Waits for what the client is to be told next: the flow's end, a round of asks, or that the
/// answer is still out.
pub(crate) async fn wait_for_reply(
    call: &Arc<Call>,
    request: &HeldRequest,
    binding: Option<&Binding>,
) -> Result<CallReply, ErrorData> {
    let mut changes = call.watch();
    let every = call.desk.inner.settings.keep_alive;
    let mut beat = request
        .wants_progress
        .then(|| Box::new(tokio::time::interval_at(Instant::now() + every, every)));
    let patience = HoldLimits::new(call, request.wants_progress);
    let mut look = std::pin::pin!(tokio::time::sleep_until(patience.next_look(Instant::now())));
    loop {
        changes.catch_up();
        if let Some(done) = call.done() {
            return Ok(CallReply::Done(done));
        }
        if call.session.modern && call.round_is_ready() && !patience.rounds_are_over(call) {
            let binding = binding.unwrap_or_else(|| call.binding());
            return round(call, binding).map(CallReply::Asked);
        }
        tokio::select! {
            () = changes.changed() => {}
            () = request.given_up.cancelled() => {
                Box::pin(call.give_up(&request.id)).await;
                return Err(ErrorData::internal_error("The request was given up.", None));
            }
            Some(_) = async { Some(beat.as_mut()?.tick().await) } => Box::pin(call.keep_alive()).await,
            () = &mut look => {
                if let Some(ask) = patience.over(call) {
                    call.let_go();
                    let page = call.desk.inner.page.as_ref().map(|page| page(ask));
                    return Ok(CallReply::pending(&call.request.method, ask, page));
                }
                look.as_mut().reset(patience.next_look(Instant::now()));
            }
        }
    }
}

/// How long a request is held while people are asked.
struct HoldLimits {
    since: Instant,
    /// While the client shows none of it.
    unseen: Duration,
    /// While the client shows some of it; as long as it takes where there is none.
    seen: Option<Duration>,
}

/// Clients take no more rounds than this in one call.
const ROUNDS: u32 = 8;

impl HoldLimits {
    fn new(call: &Call, has_token: bool) -> Self {
        let profile = &call.session.profile;
        let hold = call.desk.inner.settings.hold;
        let progress_helps = has_token && profile.progress_resets_clock;
        let aborts = profile.aborts_after.filter(|_| !progress_helps);
        let seen = aborts.map(|aborts| aborts.mul_f32(0.9));
        Self {
            since: Instant::now(),
            unseen: match seen {
                _ if progress_helps => LONGEST,
                Some(seen) => hold.min(seen),
                None => hold,
            },
            seen,
        }
    }

    fn next_look(&self, now: Instant) -> Instant {
        let limits = [Some(self.unseen), self.seen];
        let ahead = limits.into_iter().flatten().map(|limit| self.since + limit);
        ahead
            .filter(|at| *at > now)
            .min()
            .unwrap_or(now + self.unseen)
    }

    /// The ask whose answer the client is to come back for, if it has waited long enough.
    fn over(&self, call: &Call) -> Option<AskId> {
        let open = call.open_asks();
        let first = open.iter().map(|ask| ask.id()).min()?;
        let seen = open.iter().any(|ask| call.shows(ask)) && !self.rounds_are_over(call);
        let limit = if seen { self.seen? } else { self.unseen };
        (self.since.elapsed() >= limit).then_some(first)
    }

    /// Whether the client would take no further round, and somebody else can be asked.
    fn rounds_are_over(&self, call: &Call) -> bool {
        let asked = call.open_asks();
        let elsewhere = |ask: &Arc<OpenAsk>| call.desk.shown_elsewhere(ask.ask());
        call.state().rounds >= ROUNDS && !asked.is_empty() && asked.iter().all(elsewhere)
    }
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
    let now = desk.now();
    let times = (now, later(now, desk.inner.settings.state_lifetime));
    let state = desk.inner.seal.seal(call, round, binding, times);
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
