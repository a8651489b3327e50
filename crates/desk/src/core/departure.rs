//! When a question last left for its client: what a reply's speed is counted from.

use crate::{clock::earlier, sync::lock};
use jiff::Timestamp;
use std::{sync::Mutex, time::Duration};
use tokio::time::Instant;

/// When a question last left for its client. A transport notes it, each time that it has handed the
/// question over; until then it was not shown.
///
/// It is on the process's own clock, so that setting the machine's makes no reply slow.
#[derive(Debug, Default)]
pub(crate) struct Departure(Mutex<Option<Instant>>);

impl Departure {
    /// It leaves now, perhaps once more.
    pub fn note(&self) {
        *lock(&self.0) = Some(Instant::now());
    }

    /// One that left then.
    pub fn at(left: Instant) -> Self {
        Self(Mutex::new(Some(left)))
    }

    /// When it last left; none where it did not yet.
    pub fn left(&self) -> Option<Instant> {
        *lock(&self.0)
    }

    /// Since when it is shown, for a reply that comes now. What never left is not shown before that.
    pub fn shown_at(&self, now: Timestamp) -> Timestamp {
        let left = self.left();
        earlier(now, left.map_or(Duration::ZERO, |left| left.elapsed()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;

    #[tokio::test(start_paused = true)]
    async fn it_counts_from_the_last_time_on_the_processs_own_clock() {
        let departure = Departure::default();
        let jumped = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(9);
        tokio::time::advance(Duration::from_secs(5)).await;
        assert_eq!(departure.shown_at(jumped), jumped, "it never left");
        departure.note();
        tokio::time::advance(Duration::from_secs(5)).await;
        let five = jumped - SignedDuration::from_secs(5);
        assert_eq!(departure.shown_at(jumped), five);
        departure.note();
        assert_eq!(departure.shown_at(jumped), jumped, "it left again");
    }
}
