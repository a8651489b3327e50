//! TLS, for a page that other machines can reach.

use axum::serve::Listener;
use std::{
    fmt, fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
    server::TlsStream,
};

/// How long a TLS handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How many handshakes may be under way, and how many connections may wait.
const WAITING: usize = 64;

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
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tls(…)")
    }
}

/// Accepts connections whose handshake is done; a slow one holds up no other.
pub(crate) struct TlsListener {
    address: io::Result<SocketAddr>,
    accepted: mpsc::Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    task: tokio::task::JoinHandle<()>,
}

impl TlsListener {
    pub fn new(mut listener: TcpListener, tls: Tls) -> Self {
        let address = listener.local_addr();
        let acceptor = TlsAcceptor::from(tls.config);
        let (give, accepted) = mpsc::channel(WAITING);
        let places = Arc::new(tokio::sync::Semaphore::new(WAITING));
        let task = tokio::spawn(async move {
            loop {
                let Ok(place) = places.clone().acquire_owned().await else {
                    return;
                };
                // Axum's own way to go on after a connection that failed.
                let (stream, from) = Listener::accept(&mut listener).await;
                let (acceptor, give) = (acceptor.clone(), give.clone());
                tokio::spawn(async move {
                    let handshake = tokio::time::timeout(HANDSHAKE, acceptor.accept(stream));
                    if let Ok(Ok(stream)) = handshake.await {
                        let _ = give.send((stream, from)).await;
                    }
                    drop(place);
                });
            }
        });
        Self {
            address,
            accepted,
            task,
        }
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        match self.accepted.recv().await {
            Some(connection) => connection,
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        match &self.address {
            Ok(address) => Ok(*address),
            Err(error) => Err(error.kind().into()),
        }
    }
}

impl Drop for TlsListener {
    fn drop(&mut self) {
        self.task.abort();
    }
}
