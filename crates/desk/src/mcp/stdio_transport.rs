//! Messages as lines on a pair of pipes.
//!
//! rmcp writes each message by itself. Here what is sent while others are on their way goes out with
//! them in one write: under load that is one for dozens, and the client wakes up once for them.
//!
//! A client that does not read is held back: while more than [`HELD_BACK`] waits for it, nothing more
//! is read from it, and signs of life and log lines for it are dropped. One for which [`MOST`] waits all
//! the same (of calls that it made before) is let go: what it was asked stays open for the person.

use super::{
    message_reader::StrictlyRead,
    outgoing::Outgoing,
    stdio_decoder::{Line, StdioDecoder},
};
use crate::{core::departure::Departure, sync::lock};
use futures::StreamExt;
use rmcp::{
    ErrorData, RoleServer,
    model::{GetExtensions, JsonRpcMessage, ServerNotification},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Mutex as SyncMutex},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    sync::{Mutex, watch},
};
use tokio_util::codec::FramedRead;

/// How much is read at once.
const READ: usize = 32 << 10;

/// How many bytes may wait for the client while more is read from it.
const HELD_BACK: usize = 1 << 20;

/// How many bytes may wait for the client at all.
const MOST: usize = 64 << 20;

/// From how many unanswered requests on each further one lets the others go first, so that their
/// answers are counted before more is read.
const MANY: usize = 32;

/// A transport over what is read and what is written.
pub(crate) struct StdioTransport<R, W>
where
    R: AsyncRead,
    W: AsyncWrite + Send + Unpin + 'static,
{
    incoming: FramedRead<R, StdioDecoder>,
    out: Arc<Out<W>>,
    outgoing: Outgoing,
    /// How many requests were read and not answered.
    unanswered: usize,
}

impl<R, W> StdioTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub fn new(read: R, write: W) -> Self {
        let out = Arc::new(Out {
            queued: SyncMutex::default(),
            waiting: watch::Sender::new(0),
            pipe: Mutex::new(Pipe {
                write: Some(write),
                rest: Queued::default(),
                written: 0,
            }),
        });
        Self {
            incoming: FramedRead::with_capacity(read, StdioDecoder::default(), READ),
            out,
            outgoing: Outgoing::default(),
            unanswered: 0,
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
        if matches!(item, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)) {
            self.unanswered = self.unanswered.saturating_sub(1);
        }
        // In the order of sending, whichever of them is written first.
        let queued = if is_sign_of_life(&item) && self.out.is_full() {
            Ok(())
        } else {
            self.out.queue(&item, self.outgoing.departure(&item))
        };
        let out = self.out.clone();
        async move {
            queued?;
            out.write().await
        }
    }

    /// May be dropped at any await: nothing is lost.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.out.has_room().await?;
            if self.unanswered >= MANY {
                tokio::task::yield_now().await;
            }
            match self.incoming.next().await? {
                Ok(Line::Message(mut message)) => {
                    if let JsonRpcMessage::Request(request) = &mut *message {
                        let read = request.request.extensions_mut();
                        read.insert(StrictlyRead(self.outgoing.clone()));
                        self.unanswered += 1;
                    }
                    return Some(*message);
                }
                Ok(Line::Refused(refusal)) => {
                    let error = ErrorData::invalid_request(refusal.message(), None);
                    let error = TxJsonRpcMessage::<RoleServer>::error(error, refusal.id);
                    if self.out.queue(&error, None).is_ok() {
                        let out = self.out.clone();
                        tokio::spawn(async move { out.write().await });
                    }
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

/// What a client can do without: it says nothing that another message does not say later.
fn is_sign_of_life(message: &TxJsonRpcMessage<RoleServer>) -> bool {
    let JsonRpcMessage::Notification(message) = message else {
        return false;
    };
    #[allow(deprecated)] // Older clients still have a log.
    let dispensable = matches!(
        message.notification,
        ServerNotification::ProgressNotification(_)
            | ServerNotification::LoggingMessageNotification(_)
    );
    dispensable
}

/// What goes out.
struct Out<W> {
    queued: SyncMutex<Queued>,
    /// How many bytes are queued or being written; [`GONE`] once the client is.
    waiting: watch::Sender<usize>,
    pipe: Mutex<Pipe<W>>,
}

/// Stands for a client that is gone, or was let go.
const GONE: usize = usize::MAX;

/// Lines that go out, and what is to be noted where.
#[derive(Default)]
struct Queued {
    bytes: Vec<u8>,
    /// What is to be noted when so many of the bytes were written, in that order.
    departures: VecDeque<(usize, Arc<Departure>)>,
}

struct Pipe<W> {
    /// None once it is closed or broken.
    write: Option<W>,
    /// What is being written, and how much of it was: whoever comes next goes on there.
    rest: Queued,
    written: usize,
}

impl<W: AsyncWrite + Unpin> Out<W> {
    fn queue(
        &self,
        message: &TxJsonRpcMessage<RoleServer>,
        departure: Option<Arc<Departure>>,
    ) -> io::Result<()> {
        let waiting = *self.waiting.borrow();
        if waiting == GONE {
            return Err(gone());
        }
        if waiting > MOST {
            tracing::error!(
                "the client does not read: it is let go, and what it was asked stays open"
            );
            self.let_go();
            return Err(gone());
        }
        let mut queued = lock(&self.queued);
        let length = queued.bytes.len();
        if let Err(error) = serde_json::to_writer(&mut queued.bytes, message) {
            queued.bytes.truncate(length);
            return Err(error.into());
        }
        queued.bytes.push(b'\n');
        let end = queued.bytes.len();
        let departure = departure.map(|departure| (end, departure));
        queued.departures.extend(departure);
        drop(queued);
        let added = end - length;
        self.count(|waiting| waiting + added);
        Ok(())
    }

    /// Counts what waits, unless the client is gone.
    fn count(&self, change: impl FnOnce(usize) -> usize) {
        self.waiting.send_if_modified(|waiting| {
            let open = *waiting != GONE;
            if open {
                *waiting = change(*waiting);
            }
            open
        });
    }

    fn let_go(&self) {
        self.waiting.send_replace(GONE);
        *lock(&self.queued) = Queued::default();
    }

    fn is_full(&self) -> bool {
        *self.waiting.borrow() > HELD_BACK
    }

    /// Waits until the client has read enough to be read from again; none where it is gone while it
    /// is waited for.
    async fn has_room(&self) -> Option<()> {
        if !self.is_full() {
            return Some(());
        }
        let mut waiting = self.waiting.subscribe();
        let room = waiting.wait_for(|waiting| *waiting <= HELD_BACK || *waiting == GONE);
        let room = room.await.ok()?;
        (*room != GONE).then_some(())
    }

    /// Writes all that is queued; what another has written already needs no more.
    async fn write(&self) -> io::Result<()> {
        let mut pipe = self.pipe.lock().await;
        loop {
            if *self.waiting.borrow() == GONE {
                pipe.write = None;
            }
            if pipe.written == pipe.rest.bytes.len() {
                pipe.written = 0;
                pipe.rest.bytes.clear();
                // What was large once is not kept.
                pipe.rest.bytes.shrink_to(HELD_BACK);
                std::mem::swap(&mut pipe.rest, &mut *lock(&self.queued));
            }
            let Pipe {
                write,
                rest,
                written,
            } = &mut *pipe;
            let Some(open) = write else {
                *rest = Queued::default();
                *written = 0;
                self.let_go();
                return Err(gone());
            };
            if rest.bytes.is_empty() {
                return open.flush().await;
            }
            let mut waiting = self.waiting.subscribe();
            let count = tokio::select! {
                biased;
                count = open.write(&rest.bytes[*written..]) => count,
                _ = waiting.wait_for(|waiting| *waiting == GONE) => Ok(0),
            };
            match count {
                Ok(0) => *write = None,
                Ok(count) => {
                    *written += count;
                    rest.note_departures(*written);
                    self.count(|waiting| waiting.saturating_sub(count));
                }
                Err(error) => {
                    *write = None;
                    self.let_go();
                    return Err(error);
                }
            }
        }
    }
}

impl Queued {
    /// So much of it was written.
    fn note_departures(&mut self, written: usize) {
        while let Some((end, departure)) = self.departures.pop_front() {
            if end > written {
                self.departures.push_front((end, departure));
                return;
            }
            departure.note();
        }
    }
}

fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, "the client is gone")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::{
        CustomNotification, ProgressNotification, ProgressNotificationParam, ProgressToken,
        RequestId, ServerResult,
    };
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

    fn pings(how_many: usize) -> Vec<u8> {
        let ping = |id| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
        (0..how_many).map(ping).collect::<String>().into_bytes()
    }

    fn answer(id: i64, length: usize) -> TxJsonRpcMessage<RoleServer> {
        let result =
            ServerResult::CustomResult(rmcp::model::CustomResult::new("x".repeat(length).into()));
        JsonRpcMessage::response(result, RequestId::Number(id))
    }

    /// It floods the server with requests and reads no answer: reading stops, and goes on where it was
    /// as soon as the client reads.
    #[tokio::test]
    async fn a_client_that_does_not_read_is_held_back() {
        let (near, mut far) = duplex(4096);
        let mut lines = StdioTransport::new(std::io::Cursor::new(pings(1_000)), near);
        let mut read = 0;
        while let Some(message) = futures::poll!(Box::pin(lines.receive()))
            .is_ready()
            .then_some(())
        {
            let () = message;
            tokio::spawn(lines.send(answer(read, 100_000)));
            read += 1;
            assert!(read < 1_000, "nothing held it back");
            tokio::task::yield_now().await;
        }
        let waiting = *lines.out.waiting.borrow();
        assert!(
            (HELD_BACK..HELD_BACK + 200_000).contains(&waiting),
            "{waiting}"
        );
        assert!(read < 20, "{read} were read");
        // A sign of life is not worth the memory.
        let progress = ProgressNotificationParam::new(ProgressToken(RequestId::Number(1)), 1.0);
        let progress =
            ServerNotification::ProgressNotification(ProgressNotification::new(progress));
        drop(lines.send(JsonRpcMessage::notification(progress)));
        assert_eq!(*lines.out.waiting.borrow(), waiting);
        let reader = tokio::spawn(async move {
            let mut sink = tokio::io::sink();
            tokio::io::copy(&mut far, &mut sink).await.unwrap()
        });
        let next = tokio::time::timeout(std::time::Duration::from_secs(20), lines.receive()).await;
        assert!(matches!(next, Ok(Some(_))), "it goes on");
        drop(lines);
        assert!(reader.await.unwrap() > 0);
    }

    #[tokio::test]
    async fn a_client_that_never_reads_what_it_called_for_is_let_go() {
        let (near, _far) = duplex(4096);
        let mut lines = StdioTransport::new(std::io::Cursor::new(pings(10)), near);
        let mut sends = Vec::new();
        for id in 0..70 {
            sends.push(tokio::spawn(lines.send(answer(id, 1 << 20))));
        }
        for send in sends {
            let sent = tokio::time::timeout(std::time::Duration::from_secs(20), send).await;
            assert!(sent.unwrap().unwrap().is_err(), "nothing waits for ever");
        }
        assert!(lines.receive().await.is_none(), "its connection has ended");
        assert!(lock(&lines.out.queued).bytes.is_empty());
    }

    #[tokio::test]
    async fn lines_over_the_limit_get_an_error() {
        let (near, far) = duplex(4096);
        let mut long = vec![b' '; (16 << 20) + 1];
        long.push(b'\n');
        long.extend(pings(1));
        let mut lines = StdioTransport::new(std::io::Cursor::new(long), near);
        let message = lines.receive().await;
        assert!(
            matches!(message, Some(JsonRpcMessage::Request(_))),
            "{message:?}"
        );
        let mut out = BufReader::new(far).lines();
        let line = out.next_line().await.unwrap().unwrap();
        let refusal: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(refusal["error"]["code"], -32600, "{line}");
        assert!(line.contains("16 MiB"), "{line}");
    }
}
