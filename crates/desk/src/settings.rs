//! What can be set about a desk.

use std::time::Duration;

/// How a desk behaves. The defaults are the ones that Holdpoint documents.
///
/// ```
/// use holdpoint::Settings;
/// use std::time::Duration;
///
/// let settings = Settings::default()
///     .hold(Duration::from_secs(20))
///     .timeout(Duration::from_secs(600))
///     .inbox_timeout(None)
///     .keep_alive(Duration::from_secs(5))
///     .fast_reply(Duration::from_millis(800))
///     .max_open_asks(20)
///     .dangerous_by_inbox_only(true)
///     .state_lifetime(Duration::from_secs(3_600))
///     .reasks(1);
/// assert_eq!(settings.timeout, Some(Duration::from_secs(600)));
/// assert_eq!(settings.reading_time(true), Duration::from_secs(2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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

/// Each changes one of them.
impl Settings {
    /// How long an ask waits that names no time of its own; none for no deadline.
    pub fn timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.timeout = time.into();
        self
    }

    /// How long an ask waits that no client shows, only the inbox.
    pub fn inbox_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.inbox_timeout = time.into();
        self
    }

    /// How long a call is held open while only the inbox shows its asks.
    pub fn hold(mut self, time: Duration) -> Self {
        self.hold = time;
        self
    }

    /// How often a waiting client gets a sign of life.
    pub fn keep_alive(mut self, every: Duration) -> Self {
        self.keep_alive = every;
        self
    }

    /// A reply that comes faster than this was not a person's.
    pub fn fast_reply(mut self, time: Duration) -> Self {
        self.fast_reply = time;
        self
    }

    /// How many asks one principal may have open.
    pub fn max_open_asks(mut self, most: usize) -> Self {
        self.max_open_asks = most;
        self
    }

    /// Whether dangerous asks go to the inbox only.
    pub fn dangerous_by_inbox_only(mut self, only: bool) -> Self {
        self.dangerous_by_inbox_only = only;
        self
    }

    /// How long a sealed `requestState` is good.
    pub fn state_lifetime(mut self, time: Duration) -> Self {
        self.state_lifetime = time;
        self
    }

    /// How often an invalid reply is asked again.
    pub fn reasks(mut self, times: u32) -> Self {
        self.reasks = times;
        self
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
