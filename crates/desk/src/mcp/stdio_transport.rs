//! Messages as lines on a pair of pipes.
//!
//! rmcp writes each message by itself. Here what is sent while others are on their way goes out with
//! them in one write: under load that is one for dozens, and the client wakes up once for them.

use super::stdio_decoder::{Line, StdioDecoder};
use crate::sync::lock;
use futures::StreamExt;
use rmcp::{
    ErrorData, RoleServer,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use std::{
    io,
    sync::{Arc, Mutex as SyncMutex},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    sync::Mutex,
};
use tokio_util::codec::FramedRead;

/// How much is read at once.
const READ: usize = 32 << 10;

/// A transport over what is read and what is written.
pub(crate) struct StdioTransport<R, W>
where
    R: AsyncRead,
    W: AsyncWrite + Send + Unpin + 'static,
{
    incoming: FramedRead<R, StdioDecoder>,
    out: Arc<Out<W>>,
}

impl<R, W> StdioTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub fn new(read: R, write: W) -> Self {
        let out = Arc::new(Out {
            queued: SyncMutex::default(),
            pipe: Mutex::new(Pipe {
                write: Some(write),
                rest: Vec::new(),
                written: 0,
            }),
        });
        Self {
            incoming: FramedRead::with_capacity(read, StdioDecoder::default(), READ),
            out,
        }
    }
}

impl<R, W> Transport<RoleServer> for StdioTransport<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        // In the order of sending, whichever of them is written first.
        let queued = self.out.queue(&item);
        let out = self.out.clone();
        async move {
            queued?;
            out.write().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            match self.incoming.next().await? {
                Ok(Line::Message(message)) => return Some(*message),
                Ok(Line::Refused) => {
                    let refusal = ErrorData::invalid_request("Invalid request", None);
                    let refusal = self.send(TxJsonRpcMessage::<RoleServer>::error(refusal, None));
                    // A client that does not read its replies is read from all the same.
                    tokio::spawn(refusal);
                }
                Err(error) => {
                    tracing::error!(%error, "cannot read from the client");
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        let written = self.out.write().await;
        self.out.pipe.lock().await.write = None;
        written
    }
}

/// What goes out.
struct Out<W> {
    queued: SyncMutex<Vec<u8>>,
    pipe: Mutex<Pipe<W>>,
}

struct Pipe<W> {
    /// None once it is closed or broken.
    write: Option<W>,
    /// What is being written, and how much of it was: whoever comes next goes on there.
    rest: Vec<u8>,
    written: usize,
}

impl<W: AsyncWrite + Unpin> Out<W> {
    fn queue(&self, message: &TxJsonRpcMessage<RoleServer>) -> io::Result<()> {
        let mut queued = lock(&self.queued);
        let length = queued.len();
        if let Err(error) = serde_json::to_writer(&mut *queued, message) {
            queued.truncate(length);
            return Err(error.into());
        }
        queued.push(b'\n');
        Ok(())
    }

    /// Writes all that is queued; what another has written already needs no more.
    async fn write(&self) -> io::Result<()> {
        let mut pipe = self.pipe.lock().await;
        loop {
            if pipe.written == pipe.rest.len() {
                pipe.written = 0;
                pipe.rest.clear();
                std::mem::swap(&mut pipe.rest, &mut *lock(&self.queued));
            }
            let Pipe {
                write,
                rest,
                written,
            } = &mut *pipe;
            let Some(open) = write else {
                rest.clear();
                *written = 0;
                lock(&self.queued).clear();
                return Err(io::Error::new(
                    io::ErrorKind::NotConnected,
                    "the client is gone",
                ));
            };
            if rest.is_empty() {
                return open.flush().await;
            }
            match open.write(&rest[*written..]).await {
                Ok(0) => *write = None,
                Ok(count) => *written += count,
                Err(error) => {
                    *write = None;
                    return Err(error);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::{CustomNotification, JsonRpcMessage, ServerNotification};
    use serde_json::{Value, json};
    use std::{
        pin::Pin,
        task::{Context, Poll},
    };
    use tokio::io::{AsyncBufReadExt, BufReader, DuplexStream, duplex, empty};

    fn message(n: usize) -> TxJsonRpcMessage<RoleServer> {
        let custom = CustomNotification::new("counted", Some(json!({ "n": n })));
        JsonRpcMessage::notification(ServerNotification::CustomNotification(custom))
    }

    async fn check_numbers(far: DuplexStream, wanted: usize) {
        let mut lines = BufReader::new(far).lines();
        for n in 0..wanted {
            let line = lines.next_line().await.unwrap().unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            assert_eq!(message["params"]["n"], n, "{line}");
        }
    }

    #[tokio::test]
    async fn lines_come_out_whole_and_in_order_however_little_fits() {
        let (near, far) = duplex(7);
        let mut lines = StdioTransport::new(empty(), near);
        let mut sends = Vec::new();
        for n in 0..100 {
            sends.push(tokio::spawn(lines.send(message(n))));
        }
        check_numbers(far, 100).await;
        for send in sends {
            send.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn a_send_that_is_dropped_halfway_breaks_no_line() {
        let (near, far) = duplex(7);
        let mut lines = StdioTransport::new(empty(), near);
        let mut first = Box::pin(lines.send(message(0)));
        assert!(futures::poll!(&mut first).is_pending(), "seven bytes fit");
        drop(first);
        let second = tokio::spawn(lines.send(message(1)));
        check_numbers(far, 2).await;
        second.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn what_is_ready_together_is_written_at_once() {
        #[derive(Clone, Default)]
        struct Writes(Arc<SyncMutex<Vec<usize>>>);
        impl AsyncWrite for Writes {
            fn poll_write(
                self: Pin<&mut Self>,
                _: &mut Context<'_>,
                bytes: &[u8],
            ) -> Poll<io::Result<usize>> {
                lock(&self.0).push(bytes.iter().filter(|byte| **byte == b'\n').count());
                Poll::Ready(Ok(bytes.len()))
            }
            fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
                Poll::Ready(Ok(()))
            }
            fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
                Poll::Ready(Ok(()))
            }
        }
        let writes = Writes::default();
        let mut lines = StdioTransport::new(empty(), writes.clone());
        let mut sends = Vec::new();
        for n in 0..10 {
            sends.push(lines.send(message(n)));
        }
        for send in sends {
            send.await.unwrap();
        }
        assert_eq!(*lock(&writes.0), [10]);
    }

    #[tokio::test]
    async fn a_client_that_is_gone_is_a_fault_for_every_sender() {
        let (near, far) = duplex(7);
        drop(far);
        let mut lines = StdioTransport::new(empty(), near);
        for n in 0..3 {
            assert!(lines.send(message(n)).await.is_err());
        }
    }

    #[tokio::test]
    async fn what_is_no_message_is_refused_between_the_lines() {
        let (near, far) = duplex(1024);
        let mut lines = StdioTransport::new(&b"{\"jsonrpc\":\"2.0\",\"id\":1}\n"[..], near);
        assert!(lines.receive().await.is_none(), "there is no more to read");
        let mut out = BufReader::new(far).lines();
        let line = out.next_line().await.unwrap().unwrap();
        let refusal: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(refusal["error"]["code"], -32600, "{line}");
    }
}
