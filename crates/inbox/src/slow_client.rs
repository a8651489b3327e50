//! Watches a client that neither sends nor reads, and gives up on it after a while.

use crate::connections::ConnectionState;
use axum::body::Body as AnyBody;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Sleep,
};

/// Counts how long something makes no progress.
struct Patience {
    limit: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl Patience {
    fn new(limit: Duration) -> Self {
        Self {
            limit,
            waiting: None,
        }
    }

    /// Whether it has lasted too long. Called while there is no progress.
    fn is_over(&mut self, cx: &mut Context<'_>) -> bool {
        let limit = self.limit;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        waiting.as_mut().poll(cx).is_ready()
    }

    fn progress(&mut self) {
        self.waiting = None;
    }
}

/// A stream that fails when its client leaves unread what it is sent.
pub(crate) struct WatchedStream<S> {
    stream: S,
    state: Arc<ConnectionState>,
    patience: Patience,
}

impl<S> WatchedStream<S> {
    pub fn new(stream: S, state: Arc<ConnectionState>, limit: Duration) -> Self {
        Self {
            stream,
            state,
            patience: Patience::new(limit),
        }
    }

    fn watch<T>(&mut self, cx: &mut Context<'_>, sent: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        self.state.set_stalled(sent.is_pending());
        if sent.is_ready() {
            self.patience.progress();
        } else if self.patience.is_over(cx) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        sent
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WatchedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WatchedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(cx, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.watch(cx, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_flush(cx);
        self.watch(cx, sent)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.watch(cx, sent)
    }
}

/// The body of a request, which fails when its client sends no more of it. A connection has work once
/// its request is whole.
pub(crate) struct ReceivedBody {
    body: Incoming,
    state: Arc<ConnectionState>,
    patience: Patience,
}

impl ReceivedBody {
    pub fn new(body: Incoming, state: Arc<ConnectionState>, limit: Duration) -> Self {
        state.speaks();
        state.set_working(body.is_end_stream());
        Self {
            body,
            state,
            patience: Patience::new(limit),
        }
    }
}

impl Body for ReceivedBody {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if polled.is_pending() && self.patience.is_over(cx) {
            let error = io::Error::new(io::ErrorKind::TimedOut, "the body did not come");
            return Poll::Ready(Some(Err(error.into())));
        }
        let frame = ready!(polled);
        self.patience.progress();
        if frame.is_none() || self.body.is_end_stream() {
            self.state.set_working(true);
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer; when it is dropped, the connection waits for its client again.
pub(crate) struct SentBody {
    body: AnyBody,
    state: Arc<ConnectionState>,
}

impl SentBody {
    pub fn new(body: AnyBody, state: Arc<ConnectionState>) -> Self {
        Self { body, state }
    }
}

impl Body for SentBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for SentBody {
    fn drop(&mut self) {
        self.state.set_working(false);
    }
}
