//! The server and the proxy that tests rely on.
#![cfg(unix)]

mod proxy;
mod server;
