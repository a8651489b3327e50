//! rmcp's HTTP sessions, with questions in order and a note of when each left: also where a stream that broke off is
//! resumed and what it held is sent again.

use super::{ordered_transport::OrderedTransport, outgoing::leaving};
use futures::{Stream, StreamExt};
use rmcp::{
    model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage},
    transport::streamable_http_server::session::{
        EventStore, RestoreOutcome, ServerSseMessage, SessionId, SessionManager,
        local::LocalSessionManager,
    },
};
use std::sync::Arc;

/// rmcp's sessions. What they stream is noted as it is taken for a connection.
pub(crate) struct NotedSessions(pub Arc<LocalSessionManager>);

type Inner = LocalSessionManager;
type Error = <Inner as SessionManager>::Error;

fn note(message: &ServerSseMessage) {
    if let Some(message) = message.message.as_deref()
        && let JsonRpcMessage::Request(request) = message
        && let Some(departure) = leaving(&request.request)
    {
        departure.note();
    }
}

impl SessionManager for NotedSessions {
    type Error = Error;
    type Transport = OrderedTransport<<Inner as SessionManager>::Transport>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Error> {
        let (id, transport) = self.0.create_session().await?;
        Ok((id, OrderedTransport::new(transport)))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Error> {
        self.0.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Error> {
        self.0.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Error> {
        self.0.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Error> {
        Ok(self.0.create_stream(id, message).await?.inspect(note))
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Error> {
        self.0.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Error> {
        Ok(self.0.create_standalone_stream(id).await?.inspect(note))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Error> {
        Ok(self.0.resume(id, last_event_id).await?.inspect(note))
    }

    async fn restore_session(
        &self,
        id: SessionId,
    ) -> Result<RestoreOutcome<Self::Transport>, Error> {
        Ok(match self.0.restore_session(id).await? {
            RestoreOutcome::Restored(transport) => {
                RestoreOutcome::Restored(OrderedTransport::new(transport))
            }
            RestoreOutcome::AlreadyPresent => RestoreOutcome::AlreadyPresent,
            _ => RestoreOutcome::NotSupported,
        })
    }

    fn event_store(&self) -> Option<Arc<dyn EventStore>> {
        self.0.event_store()
    }
}
