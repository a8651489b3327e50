//! A cache of rows for the writer: what an ask's end needs was mostly read or written a moment ago.

use crate::rules::{AskRow, CallRow};
use holdpoint_ask::{AskId, CallId};
use std::{collections::HashMap, hash::Hash};

/// How many rows of a kind are cached at most.
const MAX_ROWS: usize = 1024;

/// Rows as this process's last transaction left them. It is emptied as soon as another process may
/// have changed them, and with every transaction that was rolled back.
#[derive(Debug, Default)]
pub(super) struct RowCache {
    pub calls: Rows<CallId, CallRow>,
    pub asks: Rows<AskId, AskRow>,
}

#[derive(Debug)]
pub(super) struct Rows<I, R>(HashMap<I, R>);

impl<I: Eq + Hash, R: Clone> Rows<I, R> {
    pub fn get(&self, id: I) -> Option<R> {
        self.0.get(&id).cloned()
    }

    pub fn insert(&mut self, id: I, row: R) {
        if self.0.len() >= MAX_ROWS {
            self.0.clear();
        }
        self.0.insert(id, row);
    }

    /// Removes a row that has changed; it is rarely needed again.
    pub fn remove(&mut self, id: I) {
        self.0.remove(&id);
    }
}

impl<I, R> Default for Rows<I, R> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}
