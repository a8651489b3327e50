//! An ask that may end elsewhere while a person types.

use super::print_notice;
use holdpoint::{AskId, Desk};
use holdpoint_ask::describe;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tokio_util::sync::CancellationToken;

/// Tells a person who types that the ask has ended elsewhere.
pub struct AskWatcher {
    /// Fires when the ask has ended, however that came about.
    pub over: CancellationToken,
    /// What ends it now is the person's own reply, which they see anyway.
    ours: Arc<AtomicBool>,
    watching: tokio::task::JoinHandle<()>,
}

impl AskWatcher {
    /// Watches this ask.
    pub fn new(desk: &Desk, id: AskId) -> Self {
        let over = CancellationToken::new();
        let (journal, fired) = (Arc::clone(desk.journal()), over.clone());
        let ours = Arc::new(AtomicBool::new(false));
        let silent = ours.clone();
        let mut commits = journal.commits();
        let watching = tokio::spawn(async move {
            while commits.changed().await.is_ok() {
                let Ok(Some(record)) = journal.ask(id).await else {
                    continue;
                };
                let Some(decision) = record.decision else {
                    continue;
                };
                fired.cancel();
                if !silent.load(Ordering::SeqCst) {
                    print_notice(&format!("{} – press Esc", describe::decision(&decision)));
                }
                return;
            }
        });
        Self {
            over,
            ours,
            watching,
        }
    }

    /// Does what may end the ask in the person's own name.
    pub async fn by_us<T>(&self, done: impl Future<Output = T>) -> T {
        self.ours.store(true, Ordering::SeqCst);
        let done = done.await;
        self.ours.store(false, Ordering::SeqCst);
        done
    }
}

impl Drop for AskWatcher {
    fn drop(&mut self) {
        self.watching.abort();
    }
}
