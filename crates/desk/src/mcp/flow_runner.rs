//! Running flows again that were let go.

use super::{identify, request::Request, server::Server};
use crate::{
    author::context::CallServer,
    flow::{
        call::Call,
        release::{FlowRunner, Releasing},
    },
    mcp::server::FlowServer,
};
use holdpoint_journal::{CallRecord, JournalError};
use rmcp::{
    Peer, RoleServer, ServerHandler,
    model::RequestId,
    service::{RequestContext, RxJsonRpcMessage, TxJsonRpcMessage, serve_directly},
    transport::Transport,
};
use std::{future::ready, io, sync::Arc, time::Duration};

impl<H: ServerHandler> Server<H>
where
    FlowServer<H>: CallServer,
{
    /// Has the flow of this call let go once it has waited for so long. A client whose connection outlives its
    /// request is reached through it again.
    pub fn release_waiting(
        self: &Arc<Self>,
        call: &Call,
        context: &RequestContext<RoleServer>,
        after: Duration,
    ) {
        let alone = call.session.modern && identify::is_over_http(context);
        let runner: Arc<dyn FlowRunner> = if alone {
            self.clone()
        } else {
            let mut own = RequestContext::new(context.id.clone(), context.peer.clone());
            own.meta = context.meta.clone();
            Arc::new(OnConnection {
                server: self.clone(),
                context: own,
            })
        };
        let _ = call.releasing.set(Releasing { after, runner });
    }

    fn run_recorded(
        self: &Arc<Self>,
        call: &Arc<Call>,
        record: &CallRecord,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), JournalError> {
        let request = Request::from_record(record).ok_or_else(|| {
            JournalError::damaged(format!("the call {} does not name a request", record.id))
        })?;
        self.run(call, request, context);
        Ok(())
    }
}

/// Runs flows of a client whose request is over, and its connection with it.
impl<H: ServerHandler> FlowRunner for Server<H>
where
    FlowServer<H>: CallServer,
{
    fn run_again(
        self: Arc<Self>,
        call: &Arc<Call>,
        record: &CallRecord,
    ) -> Result<(), JournalError> {
        let peer = self.no_peer.get_or_init(no_peer);
        let context = RequestContext::new(RequestId::Number(0), peer.clone());
        self.run_recorded(call, record, &context)
    }
}

/// Runs a flow of a client whose connection is still there.
struct OnConnection<H> {
    server: Arc<Server<H>>,
    context: RequestContext<RoleServer>,
}

impl<H: ServerHandler> FlowRunner for OnConnection<H>
where
    FlowServer<H>: CallServer,
{
    fn run_again(
        self: Arc<Self>,
        call: &Arc<Call>,
        record: &CallRecord,
    ) -> Result<(), JournalError> {
        self.server.run_recorded(call, record, &self.context)
    }
}

/// A peer that reaches nobody.
fn no_peer() -> Peer<RoleServer> {
    struct NoHandler;
    impl ServerHandler for NoHandler {}
    serve_directly(NoHandler, NoTransport, None).peer().clone()
}

/// A transport that is closed.
struct NoTransport;

impl Transport<RoleServer> for NoTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        _item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        ready(Err(io::ErrorKind::NotConnected.into()))
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleServer>>> + Send {
        ready(None)
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        ready(Ok(()))
    }
}
