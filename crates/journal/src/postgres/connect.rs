//! Where the database is, and how it is reached.

use crate::JournalError;
use std::{sync::Arc, time::Duration};
use tokio_postgres::{Client, Config, Connection, Socket, tls::MakeTlsConnect};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};

/// The half of a connection that has to be polled.
pub(super) type Link = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

/// The address of a database.
#[derive(Debug, Clone)]
pub(super) struct Address {
    pub config: Config,
    pub tls: MakeTls,
    /// The address without its password.
    pub shown: String,
}

/// What makes connections secret.
#[derive(Clone)]
pub(super) struct MakeTls(pub MakeRustlsConnect);

impl std::fmt::Debug for MakeTls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MakeTls")
    }
}

impl Address {
    /// Reads an address.
    pub fn parse(url: &str) -> Result<Self, JournalError> {
        let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
            JournalError::open("postgres:", "the address cannot be read").with_source(error)
        })?;
        config.application_name("holdpoint");
        config.connect_timeout(Duration::from_secs(10));
        let provider = Arc::new(ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| {
                JournalError::open("postgres:", "TLS cannot be used").with_source(error)
            })?
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth();
        Ok(Self {
            config,
            tls: MakeTls(MakeRustlsConnect::new(tls)),
            shown: "postgres:".to_owned(),
        })
    }

    /// Connects once.
    pub async fn connect(&self) -> Result<(Client, Link), tokio_postgres::Error> {
        self.config.connect(self.tls.0.clone()).await
    }
}
