//! Connections that say nothing, send slowly, do not read, or are many.

use axum::{
    Router,
    body::{Body, Bytes},
    routing::{get, post},
};
use futures::stream;
use holdpoint_inbox::{
    file_limit,
    http_server::{HttpServer, Limits},
};
use holdpoint_testkit::PATIENCE;
use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    time::timeout,
};
use tokio_util::sync::{CancellationToken, DropGuard};

const SHORT: Duration = Duration::from_millis(200);

struct Stand {
    address: SocketAddr,
    _stop: DropGuard,
}

impl Stand {
    async fn serve(app: Router, limits: Limits, only_from: Vec<IpAddr>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let server = HttpServer {
            tls: None,
            only_from,
            limits,
        };
        tokio::spawn(server.serve(listener, app, stop.clone()));
        Self {
            address,
            _stop: stop.drop_guard(),
        }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// What is answered to this, to the end of the connection.
    async fn exchange(&self, request: &str) -> String {
        let mut stream = self.connect().await;
        stream.write_all(request.as_bytes()).await.unwrap();
        read_to_end(&mut stream).await
    }
}

async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut seen = Vec::new();
    let read = timeout(PATIENCE, stream.read_to_end(&mut seen)).await;
    // A connection that was closed with something unread is reset.
    let _ = read.expect("the connection stays open");
    String::from_utf8(seen).unwrap()
}

const HELLO: &str = "GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

fn app() -> Router {
    Router::new()
        .route("/hello", get(|| async { "hello" }))
        .route("/take", post(|body: Bytes| async move { body }))
}

fn short() -> Limits {
    Limits {
        connections: 64,
        head: SHORT,
        stalled: SHORT,
    }
}

#[tokio::test]
async fn a_head_that_does_not_come_in_time_ends_the_connection() {
    let stand = Stand::serve(app(), short(), Vec::new()).await;
    for begun in [
        "",
        "GET /hello HTTP/1.1\r\n",
        "GET /hello HTTP/1.1\r\nHost: x\r\nA",
    ] {
        let answered = stand.exchange(begun).await;
        assert!(!answered.contains("200"), "{answered}");
    }
    assert!(stand.exchange(HELLO).await.ends_with("hello"));
}

#[tokio::test]
async fn a_body_that_does_not_come_ends_the_request() {
    let stand = Stand::serve(app(), short(), Vec::new()).await;
    let begun = "POST /take HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf";
    let answered = stand.exchange(begun).await;
    assert!(!answered.contains("200"), "{answered}");
    let whole =
        "POST /take HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\nhalf";
    assert!(stand.exchange(whole).await.ends_with("half"));
}

/// Tells when what holds it is dropped.
struct Told(mpsc::UnboundedSender<()>);

impl Drop for Told {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

#[tokio::test]
async fn an_event_stream_that_does_not_read_is_dropped() {
    let (dropped, mut told) = mpsc::unbounded_channel();
    let flood = move || {
        let told = Told(dropped.clone());
        async move {
            let chunks = stream::unfold(told, |told| async move {
                let chunk = Ok::<_, Infallible>(Bytes::from(vec![b'x'; 1 << 16]));
                Some((chunk, told))
            });
            Body::from_stream(chunks)
        }
    };
    let app = Router::new().route("/flood", get(flood));
    let stand = Stand::serve(app, short(), Vec::new()).await;
    let mut stream = stand.connect().await;
    let request = HELLO.replace("/hello", "/flood");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    // It reads no more, and the server gives up on it.
    let ended = timeout(PATIENCE, told.recv()).await;
    assert_eq!(ended.expect("the stream goes on"), Some(()));
}

#[tokio::test]
async fn silent_connections_beyond_the_limit_take_nothing_away() {
    file_limit::raise();
    let limits = Limits {
        connections: 32,
        ..Limits::default()
    };
    let stand = Stand::serve(app(), limits, Vec::new()).await;
    let mut silent = Vec::new();
    for _ in 0..200 {
        silent.push(stand.connect().await);
    }
    for _ in 0..10 {
        assert!(stand.exchange(HELLO).await.ends_with("hello"));
    }
}

#[tokio::test]
async fn work_that_is_under_way_is_not_given_up_for_silent_connections() {
    let (go, waiting) = (CancellationToken::new(), Arc::new(AtomicUsize::new(0)));
    let (gone, counted) = (go.clone(), waiting.clone());
    let slow = move || {
        let (go, waiting) = (gone.clone(), counted.clone());
        async move {
            waiting.fetch_add(1, Ordering::SeqCst);
            go.cancelled().await;
            "done"
        }
    };
    let limits = Limits {
        connections: 8,
        ..Limits::default()
    };
    let app = app().route("/slow", get(slow));
    let stand = Stand::serve(app, limits, Vec::new()).await;
    let mut worker = stand.connect().await;
    let request = HELLO.replace("/hello", "/slow");
    worker.write_all(request.as_bytes()).await.unwrap();
    let arrived = async {
        while waiting.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, arrived).await.unwrap();
    let mut silent = Vec::new();
    for _ in 0..40 {
        silent.push(stand.connect().await);
    }
    assert!(stand.exchange(HELLO).await.ends_with("hello"));
    go.cancel();
    assert!(read_to_end(&mut worker).await.ends_with("done"));
}

#[tokio::test]
async fn behind_a_proxy_only_the_proxy_is_answered() {
    let proxy = |ip: [u8; 4]| vec![IpAddr::from(Ipv4Addr::from(ip))];
    let other = Stand::serve(app(), short(), proxy([192, 0, 2, 1])).await;
    assert_eq!(other.exchange(HELLO).await, "");
    let own = Stand::serve(app(), short(), proxy([127, 0, 0, 1])).await;
    assert!(own.exchange(HELLO).await.ends_with("hello"));
}
