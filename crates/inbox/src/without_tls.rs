//! No TLS: this build was made without it (the feature `tls`).

use std::{io, path::Path};
use tokio::net::TcpStream;

/// A certificate with its key: there is none.
#[derive(Debug, Clone)]
pub enum Tls {}

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// There is nothing to use it with.
    #[error(
        "this program was built without TLS (the feature `http`), so no certificate can be used"
    )]
    BuiltWithout,
}

impl Tls {
    /// # Errors
    /// Always.
    pub fn load(_: &Path, _: &Path) -> Result<Self, TlsError> {
        Err(TlsError::BuiltWithout)
    }

    /// Never called.
    pub(crate) async fn accept(&self, _: TcpStream) -> io::Result<TcpStream> {
        match *self {}
    }
}
