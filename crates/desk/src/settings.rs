//! What can be set about a desk.

use std::time::Duration;

/// How a desk behaves. The defaults are the ones that Holdpoint documents.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How long an ask waits that names no time of its own; none for no deadline.
    pub timeout: Option<Duration>,
    /// How long an ask waits that no client shows, only the inbox.
    pub inbox_timeout: Option<Duration>,
    /// How long a call is held open while only the inbox shows its asks.
    pub hold: Duration,
    /// How often a waiting client gets a sign of life.
    pub keep_alive: Duration,
    /// A reply that comes faster than this, on whatever surface, was not a person's; for what is
    /// dangerous see [`Settings::reading_time`].
    pub fast_reply: Duration,
    /// How many asks one principal may have open.
    pub max_open_asks: usize,
    /// Dangerous asks go to the inbox only, because a client may answer for the person.
    pub dangerous_by_inbox_only: bool,
    /// How long a sealed `requestState` is good.
    pub state_lifetime: Duration,
    /// How often an invalid reply is asked again before the ask ends `invalid`.
    pub reasks: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            timeout: Some(Duration::from_secs(300)),
            inbox_timeout: Some(Duration::from_secs(86_400)),
            hold: Duration::from_secs(45),
            keep_alive: Duration::from_secs(10),
            fast_reply: Duration::from_millis(400),
            max_open_asks: 1_000,
            dangerous_by_inbox_only: false,
            state_lifetime: Duration::from_secs(2 * 86_400),
            reasks: 2,
        }
    }
}

impl Settings {
    /// How long an ask must be in view before a reply counts: what is dangerous takes two and a half
    /// times as long to read.
    pub fn reading_time(&self, dangerous: bool) -> Duration {
        if dangerous {
            self.fast_reply * 5 / 2
        } else {
            self.fast_reply
        }
    }
}

/// The shortest time that an ask may wait.
pub const SHORTEST: Duration = Duration::from_secs(5);
/// The longest time that an ask may wait.
pub const LONGEST: Duration = Duration::from_secs(86_400);
