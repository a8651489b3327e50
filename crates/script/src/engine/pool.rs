//! The queues of one file that take new calls.

use super::{
    Limits,
    realm_queue::{RealmQueue, SLOW_SEGMENT},
};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// How many queues take new calls.
const MOST_OPEN: usize = 4;
/// Where a new call would wait for longer than this, another queue is opened for it: about as long as it
/// takes to make a realm.
const SHORT_WAIT: Duration = Duration::from_millis(5);

/// The queues of one file.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Arc<RealmQueue>>>);

impl Pool {
    /// Picks a queue for a new call: the shortest of those where it need not wait for long.
    pub(super) fn pick(&self, file: &str, limits: Limits) -> Arc<RealmQueue> {
        let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|queue| queue.is_open());
        let bound = if queues.len() < MOST_OPEN {
            SHORT_WAIT
        } else {
            SLOW_SEGMENT
        };
        let loads = queues.iter().map(|queue| (queue.load(), queue));
        let short = loads.filter(|((_, time), _)| *time < bound);
        if let Some((_, queue)) = short.min_by_key(|((length, _), _)| *length) {
            return Arc::clone(queue);
        }
        let queue = Arc::new(RealmQueue::new(file, limits));
        if queues.len() < MOST_OPEN {
            queues.push(Arc::clone(&queue));
        }
        queue
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Turn, TurnEnd};

    /// Whether a new call joins a queue where a segment waits, and segments take this long.
    async fn joins(average: Duration) -> bool {
        let (pool, limits) = (Pool::default(), Limits::default());
        let queue = pool.pick("test.js", limits);
        queue.set_average(average);
        let work = |_: &_| {
            let (logs, end) = (Vec::new(), TurnEnd::Returned(().into()));
            Ok((None, Turn { logs, end }))
        };
        let waits = queue.push(false, 1, Box::new(work));
        let joined = Arc::ptr_eq(&queue, &pool.pick("test.js", limits));
        waits.await.unwrap().unwrap();
        joined
    }

    #[tokio::test]
    async fn a_queue_of_slow_segments_is_made_no_longer() {
        assert!(joins(Duration::ZERO).await);
        assert!(!joins(SHORT_WAIT * 8).await);
    }
}
