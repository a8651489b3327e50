//! The request that speaks for a call at the moment.
#![allow(deprecated)] // Older clients still have a log.

use crate::sync::lock;
use futures::future::BoxFuture;
use rmcp::model::{LoggingLevel, RequestId};
use serde_json::Value;
use std::sync::{Arc, Mutex};

/// A client's open request, and what can be sent along with it.
pub(crate) trait Requester: Send + Sync {
    /// Whether it is the request of this id.
    fn is(&self, request: &RequestId) -> bool;

    /// Whether the client wants log lines of this level.
    fn wants_log(&self, level: LoggingLevel) -> bool;

    /// Whether the client wants to hear of progress.
    fn wants_progress(&self) -> bool;

    fn send_log(&self, level: LoggingLevel, message: Value) -> BoxFuture<'static, ()>;

    fn send_progress(
        &self,
        progress: f64,
        total: Option<f64>,
        message: Option<String>,
    ) -> BoxFuture<'static, ()>;
}

/// The request that speaks for a call now, if one does, and how far its progress has come.
///
/// Lock order: its lock is held for one statement, and none is taken meanwhile.
#[derive(Default)]
pub(crate) struct ActiveRequest(Mutex<State>);

#[derive(Default)]
struct State {
    requester: Option<Arc<dyn Requester>>,
    progress: Progress,
}

/// How far a flow has come, as its client is told.
///
/// The protocol wants a number that rises with every message, and a sign of life says nothing of the
/// flow's own way. So each of them moves where the flow's way begins, by one: 3 of 10 is 4 of 11
/// after it, and what is left stays what it was.
#[derive(Default)]
struct Progress {
    signs_of_life: u32,
    own: f64,
    total: Option<f64>,
}

impl Progress {
    /// The next message: how far, and of how much.
    fn advance(&mut self, to: Option<f64>, total: Option<f64>) -> (f64, Option<f64>) {
        self.total = total.or(self.total);
        match to {
            Some(to) if to > self.own => self.own = to,
            _ => self.signs_of_life += 1,
        }
        let base = f64::from(self.signs_of_life);
        (base + self.own, self.total.map(|total| base + total))
    }
}

impl ActiveRequest {
    /// This request speaks for the call from now on.
    pub fn attach(&self, requester: Arc<dyn Requester>) {
        let mut state = lock(&self.0);
        state.requester = Some(requester);
        // The flow is where it was, and this client has heard no sign of life yet.
        state.progress.signs_of_life = 0;
    }

    /// No request speaks for the call any more.
    pub fn detach(&self) {
        lock(&self.0).requester = None;
    }

    /// The request that speaks for the call now.
    pub fn get(&self) -> Option<Arc<dyn Requester>> {
        lock(&self.0).requester.clone()
    }

    /// Reports progress, if the client wants it. It only ever rises; without a number it is a sign of
    /// life.
    pub async fn progress(&self, to: Option<f64>, total: Option<f64>, message: Option<String>) {
        let (requester, (progress, total)) = {
            let mut state = lock(&self.0);
            let next = state.progress.advance(to, total);
            (state.requester.clone(), next)
        };
        if let Some(requester) = requester.filter(|requester| requester.wants_progress()) {
            requester.send_progress(progress, total, message).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_life_and_a_flows_own_progress_rise_together() {
        let mut progress = Progress::default();
        let mut check = |to: Option<f64>, total: Option<f64>, wanted: (f64, Option<f64>)| {
            assert_eq!(progress.advance(to, total), wanted);
        };
        check(None, None, (1.0, None));
        check(None, None, (2.0, None));
        check(Some(3.0), Some(10.0), (5.0, Some(12.0)));
        // A sign of life brings the end no nearer.
        check(None, None, (6.0, Some(13.0)));
        check(Some(4.0), Some(10.0), (7.0, Some(13.0)));
        // What does not rise is a sign of life.
        check(Some(4.0), Some(10.0), (8.0, Some(14.0)));
        check(Some(1.0), Some(10.0), (9.0, Some(15.0)));
        check(Some(f64::NAN), None, (10.0, Some(16.0)));
        check(Some(10.0), Some(10.0), (16.0, Some(16.0)));
    }
}
