//! Lets a browser in that brings an opening key; proves to other processes that this is their page.

use super::error::{ApiError, Body};
use crate::{gate::Gate, opening_keys::Opening as Worth};
use axum::{
    Json,
    extract::{Query, State},
    http::StatusCode,
};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
pub(crate) struct Opening {
    key: String,
}

/// Lets a browser in: trades the opening key for a key of its own.
pub(crate) async fn open(
    State(gate): State<Gate>,
    Body(opening): Body<Opening>,
) -> Result<Json<Value>, ApiError> {
    let page = &gate.page;
    let Some((keys, _)) = page.keys_of(opening.key.trim()).await? else {
        return Err(page.key_attempts.refuse().await);
    };
    let journal = page.desk().journal();
    match keys.spend(&opening.key, journal.as_ref()).await? {
        Worth::Opened => page.key_attempts.forgive(),
        Worth::Wrong => return Err(page.key_attempts.refuse().await),
        Worth::Spent => return Err(again("used_key", "has been used")),
        Worth::Expired => return Err(again("old_key", "is too old")),
    }
    let browser = keys.let_in(&gate.site.place());
    let browser = browser.map_err(|_| {
        let message = "The system has no randomness now: try again.";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", message)
    })?;
    let body = json!({ "browser": browser.number, "key": browser.key });
    Ok(Json(body))
}

/// A key of ours that opens nothing any more. It says so at once: nobody guessed it.
fn again(code: &'static str, what: &str) -> ApiError {
    let message = format!(
        "The key in this address {what}: each opens the page once, within a day. Run `holdpoint \
         inbox --web` again and open the address that it prints."
    );
    ApiError::new(StatusCode::UNAUTHORIZED, code, message)
}

#[derive(Deserialize)]
pub(crate) struct Challenge {
    challenge: Option<String>,
}

/// The most characters of a challenge.
const LONGEST_CHALLENGE: usize = 128;

/// Tells a browser under which number the page is served now, and proves to another process that this is the
/// page of its journal.
pub(crate) async fn health(
    State(gate): State<Gate>,
    Query(Challenge { challenge }): Query<Challenge>,
) -> Json<Value> {
    let challenge = challenge.filter(|challenge| challenge.len() <= LONGEST_CHALLENGE);
    let port = gate.site.address.port();
    let proof = challenge.map(|challenge| gate.page.keys().prove(port, &challenge));
    Json(json!({
        "holdpoint": env!("CARGO_PKG_VERSION"),
        "hosting": gate.hosting(),
        "proof": proof,
    }))
}
