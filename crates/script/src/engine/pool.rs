//! The lines of one file that take new calls.

use super::{
    Limits,
    line::{Line, SOON},
};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// How many lines take new calls.
const OPEN: usize = 4;
/// Where it would wait for longer than this, a new call has a line opened: about as long as it takes to make
/// a realm.
const SHORT: Duration = Duration::from_millis(5);

/// The lines of one file.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Arc<Line>>>);

impl Pool {
    /// A line for a new call: the shortest where it need not wait for long.
    pub(super) fn line(&self, file: &str, limits: Limits) -> Arc<Line> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|line| line.open());
        let bound = if lines.len() < OPEN { SHORT } else { SOON };
        let loads = lines.iter().map(|line| (line.load(), line));
        let short = loads.filter(|((_, time), _)| *time < bound);
        if let Some((_, line)) = short.min_by_key(|((length, _), _)| *length) {
            return Arc::clone(line);
        }
        let line = Arc::new(Line::new(file, limits));
        if lines.len() < OPEN {
            lines.push(Arc::clone(&line));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Said, Turn};

    /// Whether a new call joins a line where one of such stretches waits.
    async fn joins(takes: Duration) -> bool {
        let (pool, limits) = (Pool::default(), Limits::default());
        let line = pool.line("test.js", limits);
        let queue = || {
            let work = move |_: &_| {
                std::thread::sleep(takes);
                let (logs, said) = (Vec::new(), Said::Returned(().into()));
                Ok((None, Turn { logs, said }))
            };
            line.queue(false, 1, Box::new(work))
        };
        queue().await.unwrap().unwrap();
        let waits = queue();
        let joined = Arc::ptr_eq(&line, &pool.line("test.js", limits));
        waits.await.unwrap().unwrap();
        joined
    }

    #[tokio::test]
    async fn a_line_of_slow_stretches_is_made_no_longer() {
        assert!(joins(Duration::ZERO).await);
        assert!(!joins(SHORT * 8).await);
    }
}
