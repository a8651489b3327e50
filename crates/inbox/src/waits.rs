//! How many requests of one program wait at once: each holds a connection, and people need some too.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The most requests of one token that wait at once.
const MOST: usize = 32;

/// The requests that wait, by token.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waits(Arc<Mutex<HashMap<String, usize>>>);

/// One request that waits, until it is dropped.
#[derive(Debug)]
pub(crate) struct Wait {
    waits: Waits,
    token: String,
}

impl Waits {
    /// One more of this token; none where too many wait already.
    pub fn begin(&self, token: &str) -> Option<Wait> {
        let mut all = self.all();
        let count = all.entry(token.to_owned()).or_default();
        if *count >= MOST {
            return None;
        }
        *count += 1;
        Some(Wait {
            waits: self.clone(),
            token: token.to_owned(),
        })
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        let mut all = self.waits.all();
        if let Some(count) = all.get_mut(&self.token) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.token);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_has_its_own_count() {
        let waits = Waits::default();
        let held: Vec<_> = (0..MOST).map(|_| waits.begin("ci").unwrap()).collect();
        assert!(waits.begin("ci").is_none());
        assert!(waits.begin("other").is_some());
        drop(held);
        assert!(waits.begin("ci").is_some());
        assert!(
            waits.all().is_empty(),
            "nothing stays of those that have ended"
        );
    }
}
