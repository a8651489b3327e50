//! Who watches a journal: the inboxes that are open on it now.

use std::{
    any::Any,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// An inbox of this process that watches a journal: a page that is served, or a list in a terminal. It
/// ends when this is dropped, and with the process, however that ends. See
/// [`Journal::watch`](crate::Journal::watch).
#[must_use = "the inbox watches only until this is dropped"]
pub struct Watcher {
    _held: Box<dyn Any + Send + Sync>,
}

impl Watcher {
    /// A watcher for as long as this is held; for engines.
    pub fn new(held: impl Any + Send + Sync) -> Self {
        let held = Box::new(held);
        Self { _held: held }
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

/// Counts the watchers of a journal that no other process has.
#[derive(Debug, Clone, Default)]
pub(crate) struct WatcherCount(Arc<AtomicUsize>);

impl WatcherCount {
    pub fn add(&self) -> Watcher {
        self.0.fetch_add(1, Ordering::SeqCst);
        Watcher::new(Counted(self.0.clone()))
    }

    pub fn is_any(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }
}

struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
