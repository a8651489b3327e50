//! The last moment: whatever hangs, the harness is answered before it stops waiting, because some then go on.

use super::say;
use holdpoint_harness::{Harness, reply_to_failure};
use std::{
    io,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// How much longer than it was given the hook may take to say that nobody has answered: a harness waits ten seconds
/// longer than that.
const GRACE: Duration = Duration::from_secs(3);

/// Who answers: the decision, or who watches the clock. Only one of them does.
#[derive(Debug, Default)]
pub struct Deadline {
    payload: OnceLock<Vec<u8>>,
    answered: AtomicBool,
}

impl Deadline {
    /// Watches the clock from now on: a refusal is said, and the process ends, soon after this moment.
    ///
    /// # Errors
    /// When that cannot be done.
    pub fn watch(harness: Harness, until: Instant) -> io::Result<Arc<Self>> {
        let deadline = Arc::new(Self::default());
        let watched = deadline.clone();
        thread::Builder::new()
            .name("deadline".to_owned())
            .spawn(move || {
                thread::sleep((until + GRACE).saturating_duration_since(Instant::now()));
                watched.refuse(harness);
            })?;
        Ok(deadline)
    }

    /// Keeps what the harness said, by which it is answered.
    pub fn keep(&self, payload: Vec<u8>) -> &[u8] {
        self.payload.get_or_init(|| payload)
    }

    /// Takes the word: from here on only the caller answers. Does not return where a refusal was said already.
    pub fn take_word(&self) {
        while self.answered.swap(true, Ordering::SeqCst) {
            thread::park();
        }
    }

    fn refuse(&self, harness: Harness) {
        if self.answered.swap(true, Ordering::SeqCst) {
            return;
        }
        let payload = self.payload.get().map_or(&[][..], Vec::as_slice);
        let reason = "Holdpoint could not decide this: it took too long.";
        let code = say(&reply_to_failure(harness, payload, reason));
        std::process::exit(code.into());
    }
}
