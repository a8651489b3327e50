//! Reading an address to listen on.

use std::net::SocketAddr;

/// An address with its port; `localhost` is 127.0.0.1.
pub fn parse_address(text: &str) -> Option<SocketAddr> {
    match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}").parse().ok(),
        None => text.parse().ok(),
    }
}
