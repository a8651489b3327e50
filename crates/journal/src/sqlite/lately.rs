//! The rows that were looked at or written lately: what an ask's end needs is mostly there still.

use crate::row::{AskRow, CallRow};
use holdpoint_ask::{AskId, CallId};
use std::{collections::HashMap, hash::Hash};

/// How many of a kind are kept at most.
const MOST: usize = 1024;

/// Rows as this process's last transaction left them. It is forgotten as soon as another process may
/// have changed them, and with every transaction that was undone.
#[derive(Debug, Default)]
pub(super) struct Lately {
    pub calls: Rows<CallId, CallRow>,
    pub asks: Rows<AskId, AskRow>,
}

#[derive(Debug)]
pub(super) struct Rows<I, R>(HashMap<I, R>);

impl<I: Eq + Hash, R: Clone> Rows<I, R> {
    pub fn get(&self, id: I) -> Option<R> {
        self.0.get(&id).cloned()
    }

    pub fn keep(&mut self, id: I, row: R) {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(id, row);
    }

    /// It has changed; mostly nobody wants it again.
    pub fn forget(&mut self, id: I) {
        self.0.remove(&id);
    }
}

impl<I, R> Default for Rows<I, R> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}
