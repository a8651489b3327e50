//! Where the time comes from.

use jiff::{SignedDuration, Timestamp};
use std::{fmt, sync::Arc, time::Duration};
use tokio::time::Instant;

/// Shows the time; passed in, so that a five-minute deadline is tested in a millisecond.
///
/// ```
/// use holdpoint::Clock;
/// use std::time::Duration;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// tokio::time::pause();
/// let clock = Clock::tokio();
/// let before = clock.now();
/// tokio::time::advance(Duration::from_secs(300)).await;
/// assert_eq!(clock.now().duration_since(before).as_secs(), 300);
/// # }
/// ```
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self(Arc::new(|| to_millis(Timestamp::now())))
    }

    /// A clock that goes on as tokio's does, also when that is paused.
    pub fn tokio() -> Self {
        let (start, from) = (Timestamp::now(), Instant::now());
        Self(Arc::new(move || to_millis(later(start, from.elapsed()))))
    }

    /// A clock that shows what the function says.
    #[cfg(feature = "sqlite")]
    pub(crate) fn from_fn(time: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(time))
    }

    /// This clock, so much further on.
    pub(crate) fn ahead_by(
        self,
        offset: impl Fn() -> SignedDuration + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(move || {
            self.now()
                .saturating_add(offset())
                .unwrap_or(Timestamp::MAX)
        }))
    }

    /// Now, to the millisecond.
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }

    /// Waits until this clock shows `moment`, also across a machine's sleep.
    pub(crate) async fn reach(&self, moment: Timestamp) {
        loop {
            let left = moment.duration_since(self.now());
            let Ok(left) = Duration::try_from(left) else {
                return;
            };
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left.min(Duration::from_secs(60))).await;
        }
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// A moment so much later, or the last one that there is.
pub(crate) fn later(moment: Timestamp, by: Duration) -> Timestamp {
    moment.saturating_add(by).unwrap_or(Timestamp::MAX)
}

/// A moment so much earlier, or the first one that there is.
pub(crate) fn earlier(moment: Timestamp, by: Duration) -> Timestamp {
    moment.saturating_sub(by).unwrap_or(Timestamp::MIN)
}

fn to_millis(moment: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(moment.as_millisecond()).unwrap_or(moment)
}
