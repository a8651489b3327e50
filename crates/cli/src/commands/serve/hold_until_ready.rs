//! Holding back requests that may ask somebody until the page is ready.

use rmcp::{
    RoleServer,
    model::{ClientRequest, JsonRpcMessage},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use tokio::sync::oneshot;

/// A transport whose client is greeted at once; the first request in whose course a person may be
/// asked waits, with all that comes after it, until `ready` was sent to or dropped.
pub struct HoldUntilReady<T> {
    transport: T,
    ready: Option<oneshot::Receiver<()>>,
    /// The request that waits. It is stored here because the receiving future may be dropped.
    waiting: Option<RxJsonRpcMessage<RoleServer>>,
}

impl<T> HoldUntilReady<T> {
    /// Wraps this transport.
    pub fn new(transport: T, ready: oneshot::Receiver<()>) -> Self {
        Self {
            transport,
            ready: Some(ready),
            waiting: None,
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for HoldUntilReady<T> {
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
        let mut transport = HoldUntilReady::new(holdpoint::over(lines, sink()), told);
        let id = |message: Option<RxJsonRpcMessage<RoleServer>>| match message {
            Some(JsonRpcMessage::Request(request)) => request.id.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(id(transport.receive().await), "1");
        for _ in 0..2 {
            // The future is dropped; the request is not lost.
            assert!(poll!(pin!(transport.receive())).is_pending());
        }
        ready.send(()).unwrap();
        assert_eq!(id(transport.receive().await), "2");
        assert_eq!(id(transport.receive().await), "3");
        assert!(transport.receive().now_or_never().flatten().is_none());
    }
}
