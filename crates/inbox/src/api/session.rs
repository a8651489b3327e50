//! Trades the key for the cookie and the token; tells other processes that this is Holdpoint.

use super::error::{ApiError, Body};
use crate::{gate::Gate, opening_keys::Opening as Worth};
use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
pub(crate) struct Opening {
    key: String,
}

/// Trades the key for the cookie and the token.
pub(crate) async fn open(
    State(gate): State<Gate>,
    Body(opening): Body<Opening>,
) -> Result<Response, ApiError> {
    let (page, keys) = (&gate.page, gate.page.keys());
    let journal = page.desk().journal();
    let worth = keys.spend(&opening.key, &page.spent_keys, journal.as_ref());
    let worth = worth.await?;
    match worth {
        Worth::Opened => page.key_attempts.forgive(),
        Worth::Wrong => return Err(page.key_attempts.refuse().await),
        Worth::Spent => return Err(again("used_key", "has been used")),
        Worth::Expired => return Err(again("old_key", "is too old")),
    }
    let secure = if gate.site.tls { "; Secure" } else { "" };
    let cookie = format!(
        "{}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000{secure}",
        gate.site.cookie_name(),
        keys.cookie()
    );
    let body = Json(json!({ "token": keys.token() }));
    Ok(([(header::SET_COOKIE, cookie)], body).into_response())
}

/// A key of ours that opens nothing any more. It says so at once: nobody guessed it.
fn again(code: &'static str, what: &str) -> ApiError {
    let message = format!(
        "The key in this address {what}: each opens the page once, within a day. Run `holdpoint \
         inbox --web` again and open the address that it prints."
    );
    ApiError::new(StatusCode::UNAUTHORIZED, code, message)
}

/// Tells another process that this is Holdpoint, and over which journal.
pub(crate) async fn health(State(gate): State<Gate>) -> Json<Value> {
    Json(json!({
        "holdpoint": env!("CARGO_PKG_VERSION"),
        "journal": gate.page.keys().journal(),
    }))
}
