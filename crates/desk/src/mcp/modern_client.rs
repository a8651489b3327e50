//! A modern client: it is asked by the result of its request, and calls again with the answers.

use super::{request_state::StateSealer, wire};
use crate::{
    Desk, Session, Showing,
    clock::later,
    core::judge::Received,
    flow::{
        call::Call,
        client::{Client, Reach},
        rounds::{RoundItem, Rounds},
        session::Surface,
    },
};
use holdpoint_ask::{CallId, Raiser};
use holdpoint_journal::{AskRecord, CallBinding};
use rmcp::{
    ErrorData,
    model::{InputRequest, InputRequests, InputRequiredResult},
};
use serde_json::{Value, json};

/// A client that is asked in rounds.
pub(crate) struct ModernClient;

impl Client for ModernClient {
    fn reach(&self) -> Reach {
        Reach::Rounds
    }

    fn read_reply(&self, reply: Value, raiser: Option<&Raiser>) -> Received {
        wire::read_reply(reply, raiser)
    }
}

/// What a modern client is asked now, and the sealed name of the call.
pub(crate) fn round(
    sealer: &StateSealer,
    call: &Call,
    binding: CallBinding,
) -> Result<InputRequiredResult, ErrorData> {
    let mut requests = InputRequests::new();
    let (round, items) = call.rounds(Rounds::send_out);
    for (key, item) in items {
        let request = match item {
            RoundItem::Input { method, params } => {
                input_request(json!({ "method": method, "params": params }))?
            }
            RoundItem::Ask(open) => {
                let (session, showing) = (&call.session, open.showing());
                let surface = session.surface_as_before(&call.desk, open.id(), open.ask());
                let Some(surface) = surface else { continue };
                elicitation(session, &showing, &surface)?
            }
        };
        requests.insert(key, request);
    }
    Ok(seal(sealer, &call.desk, requests, call.id, round, binding))
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
    let asks = asks.into_iter();
    for record in asks.filter(|record| !record.taken_from_client) {
        let showing = Showing::from_record(record);
        if let Some(surface) = session.surface(desk, showing.id(), showing.ask()) {
            let request = elicitation(session, &showing, &surface)?;
            requests.insert(showing.key.clone(), request);
        }
    }
    if requests.is_empty() {
        return Ok(None);
    }
    let round = requests.len() as u32;
    Ok(Some(seal(sealer, desk, requests, call, round, binding)))
}

fn seal(
    sealer: &StateSealer,
    desk: &Desk,
    requests: InputRequests,
    call: CallId,
    round: u32,
    binding: CallBinding,
) -> InputRequiredResult {
    let now = desk.now();
    let times = (now, later(now, desk.settings().state_lifetime));
    let state = sealer.seal(call, round, binding, times);
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
            params["elicitationId"] = format!("{}{}", wire::DROPPED_ID, showing.id()).into();
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
