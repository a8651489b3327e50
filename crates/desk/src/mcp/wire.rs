//! Asks and replies as MCP writes them.

use crate::{Session, Showing, core::judge::Received};
use holdpoint_ask::{ElicitResult, Lowered, Raiser, Revision, visible};
use serde_json::{Map, Value, json};

/// The method of an ask.
pub(crate) const ELICIT: &str = "elicitation/create";

/// Marks an `elicitationId` that must not reach the wire: the transports drop it.
pub(crate) const DROPPED_ID: &str = "holdpoint-dropped-";

/// The parameters of an ask that is shown as a form.
pub(crate) fn form_params(session: &Session, showing: &Showing, lowered: &Lowered) -> Value {
    let mut params = Map::new();
    if session.revision != Some(Revision::V2025_06_18) {
        params.insert("mode".into(), "form".into());
    }
    params.insert("message".into(), message(session, showing).into());
    params.insert(
        "requestedSchema".into(),
        Value::Object(lowered.schema().clone()),
    );
    Value::Object(params)
}

/// The parameters of an ask that sends the person to an address. Only 2025-11-25 has an id in it.
pub(crate) fn url_params(session: &Session, showing: &Showing, address: &str) -> Value {
    json!({
        "mode": "url",
        "message": message(session, showing),
        "url": address,
        "elicitationId": showing.id().to_string(),
    })
}

/// What the client is to show, with nothing hidden in it. What is dangerous is never cut.
fn message(session: &Session, showing: &Showing) -> String {
    let text = showing.text();
    let text = visible(&text);
    match session.profile.max_message {
        Some(most) if text.chars().count() > most && !showing.ask().dangerous => {
            let start: String = text.chars().take(most.saturating_sub(1)).collect();
            format!("{start}…")
        }
        _ => text.into_owned(),
    }
}

/// Reads a client's reply. What is not a reply at all is garbled, and never an answer.
pub(crate) fn read_reply(reply: Value, raiser: Option<&Raiser>) -> Received {
    match ElicitResult::read(reply) {
        Ok(ElicitResult { action, content }) => {
            let content = match raiser {
                Some(raiser) => raiser.raise(&content),
                None => Map::new(),
            };
            Received::Reply(action.with(content, None))
        }
        Err(why) => Received::Garbled(why.to_string()),
    }
}
