//! A client's open request, as a call's flow sees it.
#![allow(deprecated)] // Older clients still have a log.

use crate::flow::active_request::Requester;
use futures::{FutureExt, future::BoxFuture};
use rmcp::{
    Peer, RoleServer,
    model::{
        LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken,
        RequestId,
    },
    service::RequestContext,
};
use serde_json::Value;

/// A client's open request, and what can be sent along with it.
pub(crate) struct OpenRequest {
    id: RequestId,
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    /// From which level on it wants to be sent log lines.
    log: Option<LoggingLevel>,
}

impl OpenRequest {
    /// `log` is the level from which on the client wants log lines.
    pub fn new(context: &RequestContext<RoleServer>, log: Option<LoggingLevel>) -> Self {
        Self {
            id: context.id.clone(),
            peer: context.peer.clone(),
            token: context.meta.get_progress_token(),
            log,
        }
    }
}

impl Requester for OpenRequest {
    fn is(&self, request: &RequestId) -> bool {
        self.id == *request
    }

    fn wants_log(&self, level: LoggingLevel) -> bool {
        self.log.is_some_and(|log| log as u8 <= level as u8)
    }

    fn wants_progress(&self) -> bool {
        self.token.is_some()
    }

    fn send_log(&self, level: LoggingLevel, message: Value) -> BoxFuture<'static, ()> {
        let peer = self.peer.clone();
        let param = LoggingMessageNotificationParam::new(level, message);
        async move { drop(peer.notify_logging_message(param).await) }.boxed()
    }

    fn send_progress(
        &self,
        progress: f64,
        total: Option<f64>,
        message: Option<String>,
    ) -> BoxFuture<'static, ()> {
        let Some(token) = self.token.clone() else {
            return std::future::ready(()).boxed();
        };
        let mut param = ProgressNotificationParam::new(token, progress);
        param.total = total;
        param.message = message;
        let peer = self.peer.clone();
        async move { drop(peer.notify_progress(param).await) }.boxed()
    }
}
