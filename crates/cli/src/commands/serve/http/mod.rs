//! Serving over streamable HTTP: who may call, and from where.
//!
//! | module | holds |
//! |---|---|
//! | [`callers`] | who calls: the server's key, named tokens, an issuer's tokens |
//! | [`access_tokens`], [`signing_keys`] | checking an issuer's tokens, with its keys |
//! | [`resource_metadata`] | telling clients which issuer that is |

pub mod access_tokens;
pub mod callers;
pub mod resource_metadata;
pub mod signing_keys;

use super::{page, server_key::server_key};
use crate::config::Config;
use access_tokens::AccessTokens;
use anyhow::bail;
use axum::{Router, http::request::Parts, middleware::from_fn_with_state};
use callers::{Callers, Principal};
use holdpoint::{Holdpoint, HttpService, http_settings, journal::JournalEngine};
use holdpoint_inbox::{http_server::HttpServer, tokens::Tokens};
use rmcp::{ServerHandler, transport::StreamableHttpServerConfig};
use std::{net::SocketAddr, sync::Arc, time::Duration};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// A request with a larger body is refused.
pub const LARGEST_BODY: usize = 4 * 1024 * 1024;

/// How long requests that are under way may take to end.
const GRACE: Duration = Duration::from_secs(3);

/// How callers are let in.
#[derive(Debug)]
pub struct HttpDoor {
    connections: HttpServer,
    config: DoorConfig,
}

/// What is set about it.
#[derive(Debug)]
struct DoorConfig {
    key: bool,
    issuer: Option<crate::config::Issuer>,
    audience: Option<String>,
}

impl HttpDoor {
    /// The door that the configuration describes, at this address.
    ///
    /// # Errors
    /// When other machines could reach it without TLS, or callers would not say who they are.
    pub fn new(config: &Config, address: SocketAddr) -> anyhow::Result<Self> {
        let tls = page::tls(config)?;
        let proxied = !config.behind_proxy.is_empty();
        let reached = !address.ip().is_loopback() || proxied;
        if reached && tls.is_none() && !proxied {
            bail!(
                "{address} can be reached from other machines: give it a certificate with --inbox-cert \
                 and --inbox-key, or name your TLS proxy with `behind_proxy` in your own file, or use \
                 127.0.0.1"
            );
        }
        if reached && !config.http_key && config.issuer.is_none() {
            bail!(
                "callers from other machines must say who they are: remove `http_key = false` from \
                 your own file, or set `auth.issuer` there"
            );
        }
        if config.issuer.is_some() && config.audience.is_none() && address.ip().is_unspecified() {
            bail!(
                "tokens are given for one address, and {address} stands for many: set `auth.audience` \
                 to the one that callers use, such as https://ask.example.com/mcp"
            );
        }
        Ok(Self {
            connections: HttpServer {
                tls,
                only_from: config.behind_proxy.clone(),
                ..HttpServer::default()
            },
            config: DoorConfig {
                key: config.http_key,
                issuer: config.issuer.clone(),
                audience: config.audience.clone(),
            },
        })
    }

    /// Where callers of this machine find the server.
    ///
    /// # Errors
    /// When the listener has no address.
    pub fn url(&self, listener: &TcpListener) -> std::io::Result<String> {
        let scheme = match self.connections.tls {
            Some(_) => "https",
            None => "http",
        };
        Ok(format!("{scheme}://{}/mcp", listener.local_addr()?))
    }

    /// Serves `/mcp` to clients of both protocol eras until `stop` is there. Asks that are open then
    /// stay open in the journal: nobody has answered them.
    ///
    /// # Errors
    /// When the listener or the journal fails.
    pub async fn serve<H: ServerHandler>(
        self,
        listener: TcpListener,
        journal: Arc<dyn JournalEngine>,
        server: Holdpoint<H>,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> anyhow::Result<()> {
        let stopping = CancellationToken::new();
        let url = self.url(&listener)?;
        let resource = self.config.audience.clone().unwrap_or(url);
        let settings = self
            .settings(listener.local_addr()?)
            .with_cancellation_token(stopping.clone());
        let server = server.principal(|known| {
            let parts = known.get::<Parts>()?;
            Some(parts.extensions.get::<Principal>()?.0.clone())
        });
        let callers = Arc::new(self.callers(journal, &resource).await?);
        let mut app = Router::new()
            .route_service("/mcp", HttpService::new(server, settings))
            .route_layer(from_fn_with_state(callers, callers::identify));
        if let Some(issuer) = &self.config.issuer {
            app = app.merge(resource_metadata::routes(&resource, issuer.as_str()));
        }
        let told = stopping.clone();
        tokio::spawn(async move {
            stop.await;
            tracing::info!("stopping; open asks stay open");
            told.cancel();
        });
        let served = self.connections.serve(listener, app, stopping.clone());
        tokio::select! {
            () = served => {}
            () = async { stopping.cancelled().await; tokio::time::sleep(GRACE).await } => {}
        }
        Ok(())
    }

    async fn callers(
        &self,
        journal: Arc<dyn JournalEngine>,
        resource: &str,
    ) -> anyhow::Result<Callers> {
        let key = if self.config.key {
            Some(server_key(journal.as_ref()).await?)
        } else {
            None
        };
        let issued = self.config.issuer.clone().map(|issuer| {
            let resource = resource.to_owned();
            (AccessTokens::new(issuer, resource.clone()), resource)
        });
        Ok(Callers {
            // Without a key and an issuer nobody else could be let in: see `new`.
            anonymous: !self.config.key && issued.is_none(),
            key,
            tokens: Tokens::new(journal),
            issued,
        })
    }

    /// Requests must name this machine as their host, as a page that was rebound to it does not, and
    /// none may come from a page of another origin.
    fn settings(&self, address: SocketAddr) -> StreamableHttpServerConfig {
        let settings = http_settings().with_max_request_body_bytes(LARGEST_BODY);
        let proxied = !self.connections.only_from.is_empty();
        if address.ip().is_loopback() && !proxied {
            return settings;
        }
        // Everybody who comes this far has shown a key or a token, which no rebound page has; and
        // nobody knows all names of a machine or of the proxy in front of it.
        settings.disable_allowed_hosts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door(config: Config, address: &str) -> anyhow::Result<HttpDoor> {
        HttpDoor::new(&config, address.parse().unwrap())
    }

    #[test]
    fn beyond_loopback_tls_and_authentication_or_no_start() {
        let check = |config: Config, address: &str, wanted: Option<&str>| {
            let said = door(config, address).err().map(|error| error.to_string());
            match (said, wanted) {
                (None, None) => {}
                (Some(said), Some(wanted)) => assert!(said.contains(wanted), "{said}"),
                (said, _) => panic!("{address}: {said:?}, not {wanted:?}"),
            }
        };
        let usual = Config::default;
        let open = || Config {
            http_key: false,
            ..usual()
        };
        let proxied = |config| Config {
            behind_proxy: vec!["192.0.2.1".parse().unwrap()],
            ..config
        };
        let issuer = |config| Config {
            issuer: "https://id.example.com".parse().ok(),
            ..config
        };
        check(usual(), "127.0.0.1:0", None);
        check(open(), "127.0.0.1:0", None);
        check(usual(), "0.0.0.0:0", Some("certificate"));
        check(usual(), "192.168.1.5:0", Some("certificate"));
        check(issuer(usual()), "192.168.1.5:0", Some("certificate"));
        check(proxied(usual()), "192.168.1.5:0", None);
        check(proxied(open()), "192.168.1.5:0", Some("who they are"));
        // A proxy on this machine brings strangers to loopback.
        check(proxied(open()), "127.0.0.1:0", Some("who they are"));
        check(proxied(issuer(open())), "192.168.1.5:0", None);
        check(proxied(issuer(usual())), "0.0.0.0:0", Some("auth.audience"));
    }

    #[test]
    fn the_hosts_that_a_request_may_name() {
        let loopback = door(Config::default(), "127.0.0.1:1").unwrap();
        let settings = loopback.settings("127.0.0.1:1".parse().unwrap());
        assert_eq!(settings.allowed_hosts, ["localhost", "127.0.0.1", "::1"]);
        assert_eq!(settings.max_request_body_bytes, LARGEST_BODY);
    }
}
