//! TLS, for what other machines can reach.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::net::TcpStream;
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
    server::TlsStream,
};

/// A certificate with its key.
#[derive(Clone)]
pub struct Tls {
    config: Arc<ServerConfig>,
}

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{} does not contain a {what} in PEM format", path.display())]
    Pem {
        /// Which.
        path: PathBuf,
        /// What is missing.
        what: &'static str,
    },
    /// The two do not fit together.
    #[error("the certificate and its key do not fit together")]
    Unfit(#[from] rustls::Error),
}

impl Tls {
    /// Reads the certificate chain and its key, both in PEM.
    ///
    /// # Errors
    /// When one of them cannot be read, or they do not fit together.
    pub fn load(cert: &Path, key: &Path) -> Result<Self, TlsError> {
        let read = |path: &Path| {
            fs::read(path).map_err(|source| TlsError::Read {
                path: path.to_owned(),
                source,
            })
        };
        let missing = |path: &Path, what| TlsError::Pem {
            path: path.to_owned(),
            what,
        };
        let chain = read(cert)?;
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&chain).collect();
        let chain = chain.ok().filter(|chain| !chain.is_empty());
        let chain = chain.ok_or_else(|| missing(cert, "certificate"))?;
        let private = PrivateKeyDer::from_pem_slice(&read(key)?);
        let private = private.map_err(|_| missing(key, "private key"))?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, private)?;
        Ok(Self {
            config: Arc::new(config),
        })
    }

    /// Shakes hands with a client.
    pub(crate) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        TlsAcceptor::from(self.config.clone()).accept(stream).await
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tls(…)")
    }
}
