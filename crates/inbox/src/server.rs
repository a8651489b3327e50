//! The page's routes, and the server for them.

use crate::{
    Inbox, Keys, api,
    api::presence::FirstGiven,
    assets,
    gate::{self, Gate},
    http_server::HttpServer,
    key_attempts::KeyAttempts,
    open_asks::OpenAsks,
    opening_keys::hex,
    people::People,
    public_address::PublicAddress,
    scripts::{Runs, Scripts},
    tokens::Tokens,
    waits::Waits,
};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware::from_fn_with_state,
    routing::{get, post},
};
use holdpoint::{Desk, journal::JournalError};
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::compression::{
    CompressionLayer, Predicate,
    predicate::{NotForContentType, SizeAbove},
};

/// A request with a larger body is refused; a file may be larger.
pub(crate) const LARGEST_BODY: usize = 256 * 1024;
/// An answer with its comments and an edited text may be this large.
const LARGEST_REVIEW: usize = 4 * 1024 * 1024;

/// A question with all that belongs to it may be this large, whatever of it is escaped; it has limits of its own.
const LARGEST_ASK: usize = 1024 * 1024;

/// What is smaller is not worth compressing.
const SMALLEST_COMPRESSED: u16 = 1024;

/// The page over a desk.
#[derive(Debug)]
pub struct Page {
    desk: Desk,
    keys: Keys,
    inbox: Inbox,
    scripts: Option<Arc<dyn Scripts>>,
    runs: Arc<Runs>,
    pub(crate) key_attempts: KeyAttempts,
    pub(crate) tokens: Tokens,
    pub(crate) people: People,
    pub(crate) first_given: FirstGiven,
    pub(crate) open_asks: OpenAsks,
    pub(crate) waits: Waits,
    /// Fires when the page is no longer served.
    pub(crate) stop: CancellationToken,
}

/// Where the page is served.
#[derive(Debug, Clone)]
pub struct Site {
    /// The address that is listened on.
    pub address: SocketAddr,
    /// It speaks TLS.
    pub tls: bool,
    /// The one address under which people know the page, where a proxy stands before it.
    pub public: Option<PublicAddress>,
}

/// A page that is being served.
#[derive(Debug)]
pub struct Served {
    /// Where.
    pub site: Site,
    /// What opens it.
    pub keys: Keys,
}

impl Page {
    /// Makes the page over this desk, whose answers are recorded as the inbox's user's.
    ///
    /// # Errors
    /// When the page's key cannot be read.
    pub async fn new(
        desk: Desk,
        inbox: Inbox,
        stop: CancellationToken,
    ) -> Result<Arc<Self>, JournalError> {
        Self::with_scripts(desk, inbox, None, stop).await
    }

    /// Makes the page over this desk, with scripts that people can run on it.
    ///
    /// # Errors
    /// As [`Page::new`].
    pub async fn with_scripts(
        desk: Desk,
        inbox: Inbox,
        scripts: Option<Arc<dyn Scripts>>,
        stop: CancellationToken,
    ) -> Result<Arc<Self>, JournalError> {
        Ok(Arc::new(Self {
            keys: Keys::open(desk.journal().as_ref()).await?,
            tokens: Tokens::new(desk.journal().clone()),
            people: People::new(desk.journal().clone()),
            desk,
            inbox,
            scripts,
            runs: Arc::default(),
            key_attempts: KeyAttempts::default(),
            first_given: FirstGiven::default(),
            open_asks: OpenAsks::default(),
            waits: Waits::default(),
            stop,
        }))
    }

    pub(crate) fn desk(&self) -> &Desk {
        &self.desk
    }

    /// What opens it.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    pub(crate) fn inbox(&self) -> &Inbox {
        &self.inbox
    }

    pub(crate) fn scripts(&self) -> Option<&Arc<dyn Scripts>> {
        self.scripts.as_ref()
    }

    pub(crate) fn runs(&self) -> &Arc<Runs> {
        &self.runs
    }

    /// Serves the page at this site until it is told to stop.
    pub async fn serve(self: Arc<Self>, server: HttpServer, listener: TcpListener, site: Site) {
        let stop = self.stop.clone();
        server.serve(listener, self.router(site), stop).await;
    }

    /// Makes the router of everything that is served at this site. Each is a hosting of its own, for which the
    /// tokens of browsers are made anew; but all those at one public address are one.
    ///
    /// # Panics
    /// When the system has no randomness.
    pub fn router(self: Arc<Self>, site: Site) -> Router {
        let mut number = [0; 32];
        getrandom::fill(&mut number).expect("the system has randomness");
        let gate = Gate {
            page: self,
            site,
            own_hosting: hex(&number).into(),
        };
        Router::new()
            .route("/", get(assets::page))
            .route("/ask/{id}", get(assets::page))
            .route("/history", get(assets::page))
            .route("/remembered", get(assets::remembered))
            .route("/stats", get(assets::stats))
            .route("/scripts", get(assets::scripts))
            .route("/scripts/{script}/{method}", get(assets::scripts))
            .route("/run/{id}", get(assets::scripts))
            .route("/assets/{file}", get(assets::file))
            .route("/api/health", get(api::session::health))
            .route("/api/session", post(api::session::open))
            .route("/api/openapi.json", get(api::openapi::read))
            .route(
                "/api/asks",
                get(api::open_list::list)
                    .post(api::own_asks::create)
                    .layer(DefaultBodyLimit::max(LARGEST_ASK)),
            )
            .route(
                "/api/asks/{id}",
                get(api::asks::one).delete(api::own_asks::withdraw),
            )
            .route("/api/asks/{id}/events", get(api::own_asks::events))
            .route("/api/asks/{id}/extend", post(api::extend::extend))
            .route("/api/asks/{id}/shown", post(api::presence::shown))
            .route(
                "/api/asks/{id}/files/{field}",
                post(api::files::upload).layer(DefaultBodyLimit::disable()),
            )
            .route(
                "/api/elicitation/respond",
                post(api::respond::respond).layer(DefaultBodyLimit::max(LARGEST_REVIEW)),
            )
            .route(
                "/api/elicitation/respond-many",
                post(api::respond_many::respond_many),
            )
            .route("/api/events", get(api::events::stream))
            .route("/api/log", get(api::history::list))
            .route("/api/log/odd", get(api::odd::list))
            .route("/api/first-steps", get(api::first_steps::read))
            .route("/api/remembered", get(api::remembered::list))
            .route("/api/remembered/{id}/revoke", post(api::remembered::revoke))
            .route("/api/stats", get(api::stats::count))
            .route("/api/scripts", get(api::scripts::list))
            .route(
                "/api/scripts/runs",
                get(api::runs::list).post(api::scripts::start),
            )
            .route("/api/scripts/runs/{id}", get(api::runs::one))
            .route("/api/scripts/runs/{id}/withdraw", post(api::runs::withdraw))
            .route("/api/scripts/runs/{id}/resume", post(api::runs::resume))
            .route(
                "/api/scripts/runs/{id}/artifacts/{number}",
                get(api::artifacts::one),
            )
            .fallback(assets::nothing_here)
            .layer(compression())
            .layer(from_fn_with_state(gate.clone(), gate::pass))
            .layer(DefaultBodyLimit::max(LARGEST_BODY))
            .with_state(gate)
    }
}

/// Compresses all but what is compressed already, and live events, which would wait for more.
fn compression() -> CompressionLayer<impl Predicate> {
    let size = SizeAbove::new(SMALLEST_COMPRESSED);
    let kind = NotForContentType::IMAGES.and(NotForContentType::SSE);
    CompressionLayer::new().compress_when(size.and(kind))
}

impl Site {
    /// Where a browser finds it: at its public address, or on this machine.
    pub fn url(&self) -> String {
        if let Some(public) = &self.public {
            return public.to_string();
        }
        let mut address = self.address;
        match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
            IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
            _ => {}
        }
        format!("{}://{address}", self.scheme())
    }

    /// What the keys of browsers are made for: a port, or the public address.
    pub(crate) fn place(&self) -> Vec<u8> {
        match &self.public {
            Some(public) => public.to_string().into_bytes(),
            None => self.address.port().to_be_bytes().to_vec(),
        }
    }

    pub(crate) fn scheme(&self) -> &'static str {
        if self.tls { "https" } else { "http" }
    }
}

impl Served {
    /// The address with a key that opens it once, for a person's eyes only.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn address_with_key(&self) -> std::io::Result<String> {
        Ok(format!(
            "{}/#key={}",
            self.site.url(),
            self.keys.opening_key()?
        ))
    }
}
