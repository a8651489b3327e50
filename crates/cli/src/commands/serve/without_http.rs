//! No HTTP: this build was made without it (the feature `http`).

use crate::{built_without, config::Config};
use holdpoint::{Holdpoint, journal::JournalEngine};
use rmcp::ServerHandler;
use std::{net::SocketAddr, sync::Arc};
use tokio::net::TcpListener;

/// How callers are let in: they are not.
#[derive(Debug)]
pub enum HttpDoor {}

impl HttpDoor {
    /// # Errors
    /// Always.
    pub fn new(_: &Config, _: SocketAddr) -> anyhow::Result<Self> {
        Err(built_without::error("HTTP", "http"))
    }

    /// Never called.
    ///
    /// # Errors
    /// Never.
    pub fn url(&self, _: &TcpListener) -> std::io::Result<String> {
        match *self {}
    }

    /// Never called.
    ///
    /// # Errors
    /// Never.
    pub async fn serve<H: ServerHandler>(
        self,
        _: TcpListener,
        _: Arc<dyn JournalEngine>,
        _: Holdpoint<H>,
        _: impl Future<Output = ()> + Send + 'static,
    ) -> anyhow::Result<()> {
        match self {}
    }
}
