//! Slows down those who guess the page's key.

use crate::api::error::ApiError;
use axum::http::StatusCode;
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

impl KeyAttempts {
    /// The right key was given. A person must get in at once, however many others try; the count begins
    /// anew.
    pub fn forgive(&self) {
        if let Ok(mut wrong) = self.wrong.try_lock() {
            *wrong = 0;
        }
    }

    /// Refuses a wrong key, after a while that is longer each time.
    pub async fn refuse(&self) -> ApiError {
        let Ok(_waiting) = self.waiting.try_acquire() else {
            return ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "slow_down",
                "Too many wrong keys at once. Wait a moment and try again.",
            );
        };
        let mut wrong = self.wrong.lock().await;
        tokio::time::sleep(LONGEST.min(FIRST * 2u32.pow((*wrong).min(10)))).await;
        *wrong += 1;
        ApiError::new(
            StatusCode::UNAUTHORIZED,
            "no_key",
            "This is not the page's key. Run `holdpoint inbox --web` and open the address that it prints.",
        )
    }
}
