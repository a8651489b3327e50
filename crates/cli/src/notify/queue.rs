//! A queue of notifications, in the order of their time.

use std::collections::BTreeMap;
use tokio::time::Instant;

/// Ended ones are looked for only above this many.
const CLEAN_ABOVE: usize = 64;

/// What may end before its time.
pub trait MayEnd {
    /// Whether it has.
    fn has_ended(&self) -> bool;
}

/// Notifications that are due later. What ended before its time is dropped, at the latest when as
/// many again have come in.
#[derive(Debug)]
pub struct Queue<T> {
    waiting: BTreeMap<(Instant, u64), T>,
    count: u64,
    clean_at: usize,
}

impl<T: MayEnd> Queue<T> {
    /// Adds one for that time, unless it has ended by then. True where it is the next one.
    pub fn push(&mut self, at: Instant, what: T) -> bool {
        if self.waiting.len() >= self.clean_at {
            self.waiting.retain(|_, what| !what.has_ended());
            self.clean_at = CLEAN_ABOVE.max(self.waiting.len() * 2);
        }
        self.count += 1;
        let place = (at, self.count);
        self.waiting.insert(place, what);
        self.waiting.keys().next() == Some(&place)
    }

    /// When the next one is due; none where there is none.
    pub fn due_at(&mut self) -> Option<Instant> {
        while let Some(first) = self.waiting.first_entry() {
            if !first.get().has_ended() {
                return Some(first.key().0);
            }
            first.remove();
        }
        None
    }

    /// The next one, if it is due now.
    pub fn take(&mut self, now: Instant) -> Option<T> {
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
    use std::{cell::Cell, rc::Rc, time::Duration};

    #[derive(Clone)]
    struct Told(&'static str, Rc<Cell<bool>>);

    impl MayEnd for Told {
        fn has_ended(&self) -> bool {
            self.1.get()
        }
    }

    fn told(what: &'static str) -> Told {
        Told(what, Rc::default())
    }

    #[test]
    fn the_next_one_comes_first_and_what_ended_never() {
        let now = Instant::now();
        let after = |seconds| now + Duration::from_secs(seconds);
        let mut queue = Queue::default();
        let ended = told("ended");
        assert!(queue.push(after(20), told("later")));
        assert!(queue.push(after(0), ended.clone()));
        assert!(queue.push(after(0) - Duration::from_secs(1), told("first")));
        assert!(!queue.push(after(20), told("last")));
        ended.1.set(true);
        let mut take = |at| queue.take(at).map(|told| told.0);
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
            let ended = told("answered");
            queue.push(at, ended.clone());
            ended.1.set(true);
        }
        assert!(
            queue.waiting.len() <= CLEAN_ABOVE,
            "{}",
            queue.waiting.len()
        );
    }
}
