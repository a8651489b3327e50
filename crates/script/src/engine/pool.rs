//! The lines of one file that take new calls.

use super::{Limits, line::Line};
use std::sync::{Arc, Mutex, PoisonError};

/// How many lines take new calls.
const OPEN: usize = 4;

/// The lines of one file.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Arc<Line>>>);

impl Pool {
    /// A line for a new call: the first one that nothing holds up.
    pub(super) fn line(&self, file: &str, limits: Limits) -> Arc<Line> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|line| line.open());
        if let Some(line) = lines.iter().find(|line| !line.held_up()) {
            return Arc::clone(line);
        }
        let line = Arc::new(Line::new(file, limits));
        if lines.len() < OPEN {
            lines.push(Arc::clone(&line));
        }
        line
    }
}
