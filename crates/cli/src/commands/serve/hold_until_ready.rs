//! Greeting a client before everything is set up.

use rmcp::{
    RoleServer,
    model::{ClientRequest, JsonRpcMessage},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use tokio::sync::oneshot;

/// A transport whose client is greeted at once; the first request in whose course a person may be
/// asked waits, with all that comes after it, until `ready` was sent to or dropped.
pub struct Greeting<T> {
    transport: T,
    ready: Option<oneshot::Receiver<()>>,
    /// What waits. It is kept here since whoever receives may look away meanwhile.
    waiting: Option<RxJsonRpcMessage<RoleServer>>,
}

impl<T> Greeting<T> {
    /// This transport, until then.
    pub fn new(transport: T, ready: oneshot::Receiver<()>) -> Self {
        Self {
            transport,
            ready: Some(ready),
            waiting: None,
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Greeting<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.transport.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        if self.waiting.is_none() {
            let message = self.transport.receive().await?;
            if self.ready.is_none() || !may_ask(&message) {
                return Some(message);
            }
            self.waiting = Some(message);
        }
        if let Some(ready) = &mut self.ready {
            let _ = ready.await;
            self.ready = None;
        }
        self.waiting.take()
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.transport.close()
    }
}

fn may_ask(message: &RxJsonRpcMessage<RoleServer>) -> bool {
    let JsonRpcMessage::Request(request) = message else {
        return false;
    };
    matches!(
        request.request,
        ClientRequest::CallToolRequest(_)
            | ClientRequest::GetPromptRequest(_)
            | ClientRequest::ReadResourceRequest(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::{FutureExt, poll};
    use std::pin::pin;
    use tokio::io::sink;

    #[tokio::test]
    async fn what_may_ask_waits_and_nothing_before_it() {
        let lines = [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
        ];
        let lines = lines.join("\n") + "\n";
        let lines: &'static [u8] = Box::leak(lines.into_bytes().into_boxed_slice());
        let (ready, told) = oneshot::channel();
        let mut greeting = Greeting::new(holdpoint::over((lines, sink())), told);
        let id = |message: Option<RxJsonRpcMessage<RoleServer>>| match message {
            Some(JsonRpcMessage::Request(request)) => request.id.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(id(greeting.receive().await), "1");
        for _ in 0..2 {
            // Looked away from, it is not lost.
            assert!(poll!(pin!(greeting.receive())).is_pending());
        }
        ready.send(()).unwrap();
        assert_eq!(id(greeting.receive().await), "2");
        assert_eq!(id(greeting.receive().await), "3");
        assert!(greeting.receive().now_or_never().flatten().is_none());
    }
}
