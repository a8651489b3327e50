//! Asks and replies as MCP writes them.

use crate::{Session, Showing, core::judge::Received};
use holdpoint_ask::{ElicitResult, Gesture, Lowered, Presence, Raiser, Revision};
use jiff::Timestamp;
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
    let message = session.form_message(showing.ask(), &showing.errors);
    params.insert("message".into(), message.into());
    params.insert(
        "requestedSchema".into(),
        Value::Object(lowered.schema().clone()),
    );
    Value::Object(params)
}

/// The parameters of an ask that sends the person to an address.
pub(crate) fn url_params(session: &Session, showing: &Showing, address: &str) -> Value {
    json!({
        "mode": "url",
        "message": session.url_message(showing.ask()),
        "url": address,
        "elicitationId": showing.id().to_string(),
    })
}

/// Reads a client's reply, with what shows that a person gave it. What is not a reply at all is garbled,
/// and never an answer.
pub(crate) fn read_reply(
    reply: Value,
    raiser: Option<&Raiser>,
    shown_at: Timestamp,
) -> (Received, Presence) {
    let mut presence = Presence::in_form(shown_at);
    let received = match ElicitResult::read(reply) {
        Ok(ElicitResult {
            action, content, ..
        }) => {
            let content = match raiser {
                Some(raiser) => {
                    if let Some(word) = raiser.typed_word(&content) {
                        presence.gesture = Some(Gesture::Word(word.to_owned()));
                    }
                    presence.left_out = raiser.left_out().to_vec();
                    raiser.raise(&content)
                }
                None => Map::new(),
            };
            Received::Reply(action.with(content, None))
        }
        Err(why) => Received::Garbled(why.to_string()),
    };
    (received, presence)
}
