//! An ask that may end elsewhere while a person types.

use super::print_notice;
use holdpoint::{AskId, Decision, Desk};
use holdpoint_ask::describe;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Tells a person who types that the ask has ended elsewhere.
pub struct AskWatcher {
    /// Fires when the ask has ended, however that came about.
    pub over: CancellationToken,
    /// What ends it now is the person's own reply, which they see anyway.
    ours: Arc<AtomicBool>,
    /// Whether it is told on the first line of the screen.
    aloud: Arc<AtomicBool>,
    ended: watch::Receiver<Option<Decision>>,
    watching: tokio::task::JoinHandle<()>,
}

impl AskWatcher {
    /// Watches this ask, and tells its end.
    pub fn new(desk: &Desk, id: AskId) -> Self {
        let watcher = Self::silent(desk, id);
        watcher.tell(true);
        watcher
    }

    /// Watches this ask; [`Self::ended`] has its end.
    pub fn silent(desk: &Desk, id: AskId) -> Self {
        let over = CancellationToken::new();
        let (journal, fired) = (Arc::clone(desk.journal()), over.clone());
        let ours = Arc::new(AtomicBool::new(false));
        let silent = ours.clone();
        let aloud = Arc::new(AtomicBool::new(false));
        let tells = aloud.clone();
        let (tell, ended) = watch::channel(None);
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
                if !silent.load(Ordering::SeqCst) && tells.load(Ordering::SeqCst) {
                    let how = describe::decision_on(&record.ask.form, &decision);
                    print_notice(&format!("{how} – press Esc"));
                }
                tell.send_replace(Some(decision));
                return;
            }
        });
        Self {
            over,
            ours,
            aloud,
            ended,
            watching,
        }
    }

    /// Whether its end is told on the first line of the screen from now on.
    pub fn tell(&self, aloud: bool) {
        self.aloud.store(aloud, Ordering::SeqCst);
    }

    /// Its end, once there is one.
    pub fn ended(&self) -> watch::Receiver<Option<Decision>> {
        self.ended.clone()
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
