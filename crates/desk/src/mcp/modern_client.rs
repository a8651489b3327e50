//! A modern client: it is asked by the result of its request, and calls again with the answers.

use super::{
    outgoing::Outgoing,
    request_state::{Sealed, StateSealer},
    wire,
};
use crate::{
    Desk, Session, Showing,
    clock::later,
    core::{departure::Departure, judge::Received},
    flow::{
        call::Call,
        client::{Client, Reach},
        rounds::RoundItem,
        surface::Surface,
    },
};
use holdpoint_ask::{CallId, Raiser};
use holdpoint_journal::{AskRecord, CallBinding};
use jiff::Timestamp;
use rmcp::{
    ErrorData,
    model::{InputRequest, InputRequests, InputRequiredResult},
};
use serde_json::{Value, json};
use std::sync::Arc;

/// A client that is asked in rounds.
pub(crate) struct ModernClient(pub Arc<Session>);

impl Client for ModernClient {
    fn reach(&self) -> Reach {
        Reach::Rounds
    }

    fn session(&self) -> Option<&Arc<Session>> {
        Some(&self.0)
    }

    fn with_session(&self, session: Arc<Session>) -> Option<Arc<dyn Client>> {
        Some(Arc::new(Self(session)))
    }

    fn read_reply(&self, reply: Value, raiser: &Raiser) -> Received {
        wire::read_reply(reply, Some(raiser), Timestamp::UNIX_EPOCH).0
    }
}

/// What a modern client is asked now, and the sealed name of the call.
pub(crate) fn round(
    sealer: &StateSealer,
    call: &Call,
    binding: CallBinding,
    outgoing: Option<&Outgoing>,
) -> Result<InputRequiredResult, ErrorData> {
    let mut requests = InputRequests::new();
    let departure = Arc::<Departure>::default();
    let session = &call.asked_session();
    // At one moment: what is asked later is not in this round, and not answered by it.
    let (now, (round, items)) = call.rounds(|rounds| {
        let now = call.desk.now();
        (now, rounds.send_out(now, &departure))
    });
    let mut last_ask = None;
    for (key, item) in items {
        let request = match item {
            RoundItem::Input { method, params } => {
                input_request(json!({ "method": method, "params": params }))?
            }
            RoundItem::Ask(open) => {
                let showing = open.showing();
                last_ask = last_ask.max(Some(open.id()));
                let surface = session.surface_as_before(&call.desk, &showing);
                let Some(surface) = surface else { continue };
                elicitation(session, &showing, &surface)?
            }
        };
        requests.insert(key, request);
    }
    let sealed = Sealed {
        round,
        last_ask,
        at: now,
    };
    let result = seal(sealer, &call.desk, requests, call.id, sealed, binding);
    if let (Some(outgoing), Some(state)) = (outgoing, &result.request_state) {
        outgoing.expect(state, &departure);
    }
    Ok(result)
}

/// What a modern client is asked in the name of a flow that runs in another process; none where it
/// can show nothing of it.
pub(crate) fn round_from_records(
    sealer: &StateSealer,
    desk: &Desk,
    session: &Session,
    call: CallId,
    asks: Vec<AskRecord>,
    binding: CallBinding,
) -> Result<Option<InputRequiredResult>, ErrorData> {
    let mut requests = InputRequests::new();
    let (now, mut last_ask) = (desk.now(), None);
    let asks = asks.into_iter();
    for record in asks.filter(|record| !record.taken_from_client) {
        let showing = Showing::as_opened(record);
        if let Some(surface) = session.surface_as_before(desk, &showing) {
            let request = elicitation(session, &showing, &surface)?;
            last_ask = last_ask.max(Some(showing.id()));
            requests.insert(showing.key.clone(), request);
        }
    }
    if requests.is_empty() {
        return Ok(None);
    }
    let sealed = Sealed {
        round: requests.len() as u32,
        last_ask,
        at: now,
    };
    Ok(Some(seal(sealer, desk, requests, call, sealed, binding)))
}

fn seal(
    sealer: &StateSealer,
    desk: &Desk,
    requests: InputRequests,
    call: CallId,
    sealed: Sealed,
    binding: CallBinding,
) -> InputRequiredResult {
    let expires = later(sealed.at, desk.settings().state_lifetime);
    let state = sealer.seal(call, sealed, binding, expires);
    InputRequiredResult::new(Some(requests), Some(state))
}

/// An ask as a modern client is sent it.
fn elicitation(
    session: &Session,
    showing: &Showing,
    surface: &Surface,
) -> Result<InputRequest, ErrorData> {
    let params = match surface {
        Surface::Form(lowered) => wire::form_params(session, showing, lowered),
        Surface::Url(address) => {
            let mut params = wire::url_params(session, showing, address);
            // The protocol has no id here any more; rmcp and some clients do not read it without one.
            if !session.profile.wants_elicitation_id {
                params["elicitationId"] = format!("{}{}", wire::DROPPED_ID, showing.id()).into();
            }
            params
        }
    };
    input_request(json!({ "method": wire::ELICIT, "params": params }))
}

fn input_request(request: Value) -> Result<InputRequest, ErrorData> {
    serde_json::from_value(request).map_err(|error| {
        tracing::error!(%error, "a question could not be written as MCP wants it");
        ErrorData::internal_error("The question could not be sent to the client.", None)
    })
}
