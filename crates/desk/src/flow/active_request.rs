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

    fn send_resource_updated(&self, uri: String) -> BoxFuture<'static, ()>;
}

/// The request that speaks for a call now, if one does, and how far its progress has come.
///
/// Lock order: its lock is held for one statement, and none is taken meanwhile.
#[derive(Default)]
pub(crate) struct ActiveRequest(Mutex<State>);

#[derive(Default)]
struct State {
    requester: Option<Arc<dyn Requester>>,
    progress: f64,
}

/// A sign of life moves progress by so little that it does not get in a flow's way.
const SIGN_OF_LIFE: f64 = 0.001;

impl ActiveRequest {
    /// This request speaks for the call from now on.
    pub fn attach(&self, requester: Arc<dyn Requester>) {
        *lock(&self.0) = State {
            requester: Some(requester),
            progress: 0.0,
        };
    }

    /// No request speaks for the call any more.
    pub fn detach(&self) {
        lock(&self.0).requester = None;
    }

    /// The request that speaks for the call now.
    pub fn get(&self) -> Option<Arc<dyn Requester>> {
        lock(&self.0).requester.clone()
    }

    /// Reports progress, if the client wants it. It only ever rises.
    pub async fn progress(&self, to: Option<f64>, total: Option<f64>, message: Option<String>) {
        let Some((requester, progress)) = self.advance(to) else {
            return;
        };
        requester.send_progress(progress, total, message).await;
    }

    fn advance(&self, to: Option<f64>) -> Option<(Arc<dyn Requester>, f64)> {
        let mut state = lock(&self.0);
        let requester = state
            .requester
            .clone()
            .filter(|requester| requester.wants_progress())?;
        state.progress = match to {
            Some(to) if to > state.progress => to,
            _ => state.progress + SIGN_OF_LIFE,
        };
        Some((requester, state.progress))
    }
}
