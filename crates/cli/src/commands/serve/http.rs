//! Serving over streamable HTTP.

use axum::Router;
use holdpoint::{Holdpoint, HttpService, http_settings};
use holdpoint_inbox::http_server::HttpServer;
use rmcp::{ServerHandler, transport::StreamableHttpServerConfig};
use std::{net::SocketAddr, time::Duration};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// A request with a larger body is refused.
pub const LARGEST_BODY: usize = 4 * 1024 * 1024;

/// How long requests that are under way may take to end.
const GRACE: Duration = Duration::from_secs(3);

/// Serves `/mcp` to clients of both protocol eras until `stop` is there. Asks that are open then
/// stay open in the journal: nobody has answered them.
///
/// # Errors
/// When the listener fails.
pub async fn run<H: ServerHandler>(
    listener: TcpListener,
    server: Holdpoint<H>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    let stopping = CancellationToken::new();
    let settings = settings(listener.local_addr()?).with_cancellation_token(stopping.clone());
    let app = Router::new().route_service("/mcp", HttpService::new(server, settings));
    let told = stopping.clone();
    tokio::spawn(async move {
        stop.await;
        tracing::info!("stopping; open asks stay open");
        told.cancel();
    });
    let served = HttpServer::default().serve(listener, app, stopping.clone());
    tokio::select! {
        () = served => {}
        () = async { stopping.cancelled().await; tokio::time::sleep(GRACE).await } => {}
    }
    Ok(())
}

/// Requests must name this machine as their host, as a page that was rebound to it does not, and
/// none may come from a page of another origin.
fn settings(address: SocketAddr) -> StreamableHttpServerConfig {
    let settings = http_settings().with_max_request_body_bytes(LARGEST_BODY);
    match address.ip() {
        ip if ip.is_loopback() => settings,
        // Every name of this machine is fine then, and nobody knows them all.
        ip if ip.is_unspecified() => settings.disable_allowed_hosts(),
        ip => settings.with_allowed_hosts([ip.to_string()]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_that_a_request_may_name() {
        let check = |address: &str, hosts: &[&str]| {
            let settings = settings(address.parse().unwrap());
            assert_eq!(settings.allowed_hosts, hosts, "{address}");
            assert_eq!(settings.max_request_body_bytes, LARGEST_BODY);
        };
        check("127.0.0.1:1", &["localhost", "127.0.0.1", "::1"]);
        check("[::1]:1", &["localhost", "127.0.0.1", "::1"]);
        check("192.168.1.5:1", &["192.168.1.5"]);
        check("0.0.0.0:1", &[]);
    }
}
