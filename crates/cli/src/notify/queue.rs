//! A queue of notifications, in the order of their time.

use std::collections::BTreeMap;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Ended ones are looked for only above this many.
const CLEAN_ABOVE: usize = 64;

/// Notifications that are due later. What ended before its time is dropped, at the latest when as
/// many again have come in.
#[derive(Debug)]
pub struct Queue<T> {
    waiting: BTreeMap<(Instant, u64), (CancellationToken, T)>,
    count: u64,
    clean_at: usize,
}

impl<T> Queue<T> {
    /// Adds one for that time, unless it has ended by then. True where it is the next one.
    pub fn push(&mut self, at: Instant, ended: CancellationToken, what: T) -> bool {
        if self.waiting.len() >= self.clean_at {
            self.waiting.retain(|_, (ended, _)| !ended.is_cancelled());
            self.clean_at = CLEAN_ABOVE.max(self.waiting.len() * 2);
        }
        self.count += 1;
        let place = (at, self.count);
        self.waiting.insert(place, (ended, what));
        self.waiting.keys().next() == Some(&place)
    }

    /// When the next one is due; none where there is none.
    pub fn due_at(&mut self) -> Option<Instant> {
        while let Some(first) = self.waiting.first_entry() {
            if !first.get().0.is_cancelled() {
                return Some(first.key().0);
            }
            first.remove();
        }
        None
    }

    /// The next one, if it is due now.
    pub fn take(&mut self, now: Instant) -> Option<(CancellationToken, T)> {
        let due = self.due_at().is_some_and(|at| at <= now);
        due.then(|| self.waiting.pop_first())
            .flatten()
            .map(|(_, what)| what)
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self {
            waiting: BTreeMap::new(),
            count: 0,
            clean_at: CLEAN_ABOVE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_next_one_comes_first_and_what_ended_never() {
        let now = Instant::now();
        let after = |seconds| now + Duration::from_secs(seconds);
        let mut queue = Queue::default();
        let ended = CancellationToken::new();
        assert!(queue.push(after(20), CancellationToken::new(), "later"));
        assert!(queue.push(after(0), ended.clone(), "ended"));
        assert!(queue.push(
            after(0) - Duration::from_secs(1),
            CancellationToken::new(),
            "first"
        ));
        assert!(!queue.push(after(20), CancellationToken::new(), "last"));
        ended.cancel();
        let mut take = |at| queue.take(at).map(|(_, what)| what);
        assert_eq!(take(now), Some("first"));
        assert_eq!(take(now), None);
        assert_eq!(take(after(20)), Some("later"));
        assert_eq!(take(after(20)), Some("last"));
        assert_eq!(queue.due_at(), None);
    }

    #[test]
    fn what_was_answered_in_time_is_not_kept() {
        let at = Instant::now() + Duration::from_secs(20);
        let mut queue = Queue::default();
        for _ in 0..10_000 {
            let ended = CancellationToken::new();
            queue.push(at, ended.clone(), ());
            ended.cancel();
        }
        assert!(
            queue.waiting.len() <= CLEAN_ABOVE,
            "{}",
            queue.waiting.len()
        );
    }
}
