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
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore};

/// How long the first wrong key waits; each further one twice as long, up to the longest.
const FIRST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(8);
/// How many wrong keys may wait at once.
const WAITING: usize = 4;

/// Slows down wrong keys: they wait for one another, longer each time.
#[derive(Debug)]
pub(crate) struct KeyAttempts {
    wrong: Mutex<u32>,
    waiting: Semaphore,
}

impl Default for KeyAttempts {
    fn default() -> Self {
        Self {
            wrong: Mutex::new(0),
            waiting: Semaphore::new(WAITING),
        }
    }
}

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
    page.key_attempts.check(worth != Worth::Wrong).await?;
    match worth {
        Worth::Opened | Worth::Wrong => {}
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

impl KeyAttempts {
    async fn check(&self, right: bool) -> Result<(), ApiError> {
        if right {
            // A person must get in, however many others try; the count begins anew.
            if let Ok(mut wrong) = self.wrong.try_lock() {
                *wrong = 0;
            }
            return Ok(());
        }
        let Ok(_waiting) = self.waiting.try_acquire() else {
            let message = "Too many wrong keys at once. Wait a moment and try again.";
            return Err(ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "slow_down",
                message,
            ));
        };
        let mut wrong = self.wrong.lock().await;
        tokio::time::sleep(LONGEST.min(FIRST * 2u32.pow((*wrong).min(10)))).await;
        *wrong += 1;
        Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "no_key",
            "This is not the page's key. Run `holdpoint inbox --web` and open the address that it prints.",
        ))
    }
}

/// Tells another process that this is Holdpoint, and over which journal.
pub(crate) async fn health(State(gate): State<Gate>) -> Json<Value> {
    Json(json!({
        "holdpoint": env!("CARGO_PKG_VERSION"),
        "journal": gate.page.keys().journal(),
    }))
}
