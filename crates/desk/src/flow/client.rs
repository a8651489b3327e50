//! The client behind a call, as far as a flow has to do with it.

use super::session::Session;
use crate::{
    Channel, ClientError, Desk,
    core::{judge::Received, open_ask::OpenAsk},
};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{AskId, Raiser};
use serde_json::Value;
use std::sync::Arc;

/// How a client is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Not at all.
    Nowhere,
    /// By the result of its request, after which it calls again with the answers.
    Rounds,
    /// By requests that it is sent while its own is open.
    Requests,
}

/// The client behind a call.
pub(crate) trait Client: Send + Sync {
    /// How it is asked.
    fn reach(&self) -> Reach;

    /// A channel to it for this ask, where it is asked by requests and can show it.
    fn channel(self: Arc<Self>, _desk: &Desk, _open: &OpenAsk) -> Option<Arc<dyn Channel>> {
        None
    }

    /// Who it is, where it can differ from who called first.
    fn session(&self) -> Option<&Arc<Session>> {
        None
    }

    /// Sends it a request that is not an ask, where it takes requests.
    fn request(
        self: Arc<Self>,
        _method: &'static str,
        _params: Value,
    ) -> BoxFuture<'static, Result<Value, ClientError>> {
        std::future::ready(Err(ClientError::Gone)).boxed()
    }

    /// Reads a reply to an ask as the client wrote it.
    fn read_reply(&self, reply: Value, raiser: &Raiser) -> Received;

    /// It has given up on its request: what was sent to it meanwhile is over.
    fn give_up(&self) {}

    /// The same client with this session, which is equal to its own; none where it has more than that.
    fn with_session(&self, _session: Arc<Session>) -> Option<Arc<dyn Client>> {
        None
    }

    /// Whether it has forms in view whose deliveries were dropped.
    fn has_forms(&self) -> bool {
        false
    }

    /// Waits until one of those forms was answered.
    fn form_answered(self: Arc<Self>) -> BoxFuture<'static, ()> {
        std::future::pending().boxed()
    }

    /// Takes the form of this ask out of its view, where it has one.
    fn withdraw_form(self: Arc<Self>, _ask: AskId) -> BoxFuture<'static, ()> {
        std::future::ready(()).boxed()
    }
}

/// No client, or one that nothing can be sent to.
pub(crate) struct NoClient;

impl Client for NoClient {
    fn reach(&self) -> Reach {
        Reach::Nowhere
    }

    fn read_reply(&self, _reply: Value, _raiser: &Raiser) -> Received {
        Received::Garbled("there is no client to read it from".to_owned())
    }
}
