//! A transport that sends requests in the order in which they were made.

use rmcp::{
    RoleServer,
    model::JsonRpcMessage,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use tokio::sync::oneshot;

/// A transport that sends requests in the order in which they were made. rmcp sends each message in a task
/// of its own, and a runtime with several threads runs the newest task first: two questions of one round
/// would arrive reversed.
pub(crate) struct OrderedTransport<T> {
    transport: T,
    /// Closes when the request before has been sent.
    before: Option<oneshot::Receiver<()>>,
}

impl<T> OrderedTransport<T> {
    pub fn new(transport: T) -> Self {
        Self {
            transport,
            before: None,
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for OrderedTransport<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let turn = matches!(item, JsonRpcMessage::Request(_)).then(|| {
            let (sent, next) = oneshot::channel();
            (self.before.replace(next), sent)
        });
        let sending = self.transport.send(item);
        async move {
            let Some((before, sent)) = turn else {
                return sending.await;
            };
            if let Some(before) = before {
                let _ = before.await;
            }
            let result = sending.await;
            drop::<oneshot::Sender<()>>(sent);
            result
        }
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleServer>>> + Send {
        self.transport.receive()
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.transport.close()
    }
}
