//! Serves HTTP so that nobody takes it from the others: connections that say nothing, send slowly, do
//! not read, or come in great number are closed, and the next one finds a place.

use crate::{
    connections::{Connections, Place},
    file_limit,
    slow_client::{ReceivedBody, SentBody, WatchedStream},
    tls::Tls,
};
use axum::{Router, body::Body, serve::Listener};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{convert::Infallible, net::IpAddr, pin::pin, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

/// How long a TLS handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// What a connection may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many may be open at once. The next one takes the place of one that says nothing.
    pub connections: usize,
    /// How long the head of a request may take, from the connection's beginning or from the end of
    /// the request before it.
    pub head: Duration,
    /// How long a client may send nothing of a body that it began, or read nothing of an answer.
    pub stalled: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // The rest is for the journal, for git and for the other server of this process.
            connections: (file_limit::current() / 4).clamp(16, 4096),
            head: Duration::from_secs(20),
            stalled: Duration::from_secs(30),
        }
    }
}

/// How connections are taken.
#[derive(Debug, Clone, Default)]
pub struct HttpServer {
    /// The certificate and its key, for TLS.
    pub tls: Option<Tls>,
    /// The only addresses that connections are taken from; all where it is empty.
    pub only_from: Vec<IpAddr>,
    /// What each may take.
    pub limits: Limits,
}

impl HttpServer {
    /// Serves until `stop` fires and what was under way then has ended.
    pub async fn serve(self, mut listener: TcpListener, app: Router, stop: CancellationToken) {
        let open = Connections::new(self.limits.connections);
        let server = Arc::new(self);
        let mut under_way = JoinSet::new();
        loop {
            let (stream, from) = tokio::select! {
                // Axum's own way to go on after a connection that failed.
                accepted = Listener::accept(&mut listener) => accepted,
                () = stop.cancelled() => break,
            };
            while under_way.try_join_next().is_some() {}
            if !server.takes(from.ip()) {
                tracing::warn!(%from, "a connection was refused: it does not come from the proxy");
                continue;
            }
            // Without a place it is closed; everybody else is being served.
            if let Some(place) = open.admit() {
                let (server, app, stop) = (server.clone(), app.clone(), stop.clone());
                under_way.spawn(async move { server.connection(stream, app, place, stop).await });
            }
        }
        drop(listener);
        while under_way.join_next().await.is_some() {}
    }

    fn takes(&self, from: IpAddr) -> bool {
        self.only_from.is_empty() || self.only_from.contains(&from.to_canonical())
    }

    async fn connection(
        &self,
        stream: TcpStream,
        app: Router,
        place: Place,
        stop: CancellationToken,
    ) {
        // An event is a small write after another one: held back until the client acknowledges that, it would come
        // 40 ms late.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection may be slow");
        }
        let Some(tls) = &self.tls else {
            return self.speak(stream, app, place, stop).await;
        };
        let handshake = tokio::time::timeout(HANDSHAKE, tls.accept(stream));
        let done = tokio::select! {
            done = handshake => done,
            () = place.closed() => return,
            () = stop.cancelled() => return,
        };
        if let Ok(Ok(stream)) = done {
            self.speak(stream, app, place, stop).await;
        }
    }

    async fn speak<S>(&self, stream: S, app: Router, place: Place, stop: CancellationToken)
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let stalled = self.limits.stalled;
        let stream = WatchedStream::new(stream, place.state(), stalled);
        let service = service_fn(|request: hyper::Request<Incoming>| {
            let state = place.state();
            let request =
                request.map(|body| Body::new(ReceivedBody::new(body, state.clone(), stalled)));
            let answered = tower_service::Service::call(&mut app.clone(), request);
            async move {
                let Ok(response) = answered.await;
                Ok::<_, Infallible>(response.map(|body| SentBody::new(body, state)))
            }
        });
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.head)
            .serve_connection(TokioIo::new(stream), service);
        let mut serving = pin!(serving);
        tokio::select! {
            _ = serving.as_mut() => return,
            () = place.closed() => return,
            () = stop.cancelled() => serving.as_mut().graceful_shutdown(),
        }
        tokio::select! {
            _ = serving => {}
            () = place.closed() => {}
        }
    }
}
