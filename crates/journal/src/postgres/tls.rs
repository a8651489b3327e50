//! How a connection is kept secret, and from whom: libpq's `sslmode`, and what is safe where nothing is said.

use super::{
    connection_url::Parameters,
    password::check_private,
    tls_stream::{Connect, Stream},
};
use holdpoint_workspace::Environment;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio_postgres::{Socket, config::SslMode, tls::MakeTlsConnect};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore,
        SignatureScheme,
        client::{
            danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
            verify_server_cert_signed_by_trust_anchor, verify_server_name,
        },
        crypto::{WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature},
        pki_types::{
            CertificateDer, InvalidDnsNameError, PrivateKeyDer, ServerName, UnixTime,
            pem::PemObject,
        },
        server::ParsedCertificate,
    },
};

/// What is asked of the server before anything is told to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mode {
    /// No TLS.
    Disable,
    /// TLS with whoever answers, where the server offers it.
    Prefer,
    /// TLS with whoever answers.
    Require,
    /// The server's certificate is signed by one that is trusted.
    VerifyCa,
    /// And it names the host of the address.
    VerifyFull,
}

impl Mode {
    /// What the address says; where it says nothing, everything is asked of a host that is not this one.
    ///
    /// # Errors
    /// When it is none of libpq's, in words.
    pub fn of(parameters: &Parameters, is_local: bool) -> Result<Self, String> {
        Ok(match parameters.get("sslmode").map(String::as_str) {
            None if is_local => Self::Prefer,
            None => Self::VerifyFull,
            Some("disable") => Self::Disable,
            Some("allow" | "prefer") => Self::Prefer,
            Some("require") => Self::Require,
            Some("verify-ca") => Self::VerifyCa,
            Some("verify-full") => Self::VerifyFull,
            Some(_) => {
                return Err(
                    "`sslmode` must be disable, allow, prefer, require, verify-ca or \
                            verify-full"
                        .to_owned(),
                );
            }
        })
    }

    /// As the protocol knows it; who answers is seen to by the certificate's verifier.
    pub fn negotiated(self) -> SslMode {
        match self {
            Self::Disable => SslMode::Disable,
            Self::Prefer => SslMode::Prefer,
            _ => SslMode::Require,
        }
    }

    /// Whether the server has to show who it is.
    pub fn verifies(self) -> bool {
        self >= Self::VerifyCa
    }
}

/// Makes the TLS side of connections.
#[derive(Clone)]
pub(super) struct MakeTls {
    connector: TlsConnector,
    /// What it asks of the server.
    pub mode: Mode,
}

impl MakeTls {
    /// What the address says of TLS.
    ///
    /// # Errors
    /// When a certificate or a key cannot be used, in words.
    pub fn new(
        parameters: &Parameters,
        is_local: bool,
        environment: &Environment,
    ) -> Result<Self, String> {
        let mut mode = Mode::of(parameters, is_local)?;
        let roots = Roots::of(parameters, environment)?;
        if roots == Roots::System && mode < Mode::VerifyFull {
            if parameters.contains_key("sslmode") {
                return Err(
                    "`sslrootcert=system` needs `sslmode=verify-full`: anybody has a \
                            certificate that the system trusts"
                        .to_owned(),
                );
            }
            mode = Mode::VerifyFull;
        }
        // As libpq has it: who names whom to trust wants it checked.
        if mode == Mode::Require && matches!(roots, Roots::File(_)) {
            mode = Mode::VerifyCa;
        }
        let provider = ring::default_provider();
        let verifier = Verifier {
            trusted: if mode.verifies() {
                Some(roots.load()?)
            } else {
                None
            },
            checks_name: mode == Mode::VerifyFull,
            algorithms: provider.signature_verification_algorithms,
        };
        let unusable = |error: Error| format!("TLS cannot be used: {error}");
        let builder = ClientConfig::builder_with_provider(Arc::new(provider))
            .with_safe_default_protocol_versions()
            .map_err(unusable)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let mut config = match own_certificate(parameters)? {
            Some((chain, key)) => builder
                .with_client_auth_cert(chain, key)
                .map_err(unusable)?,
            None => builder.with_no_client_auth(),
        };
        config.alpn_protocols = vec![b"postgresql".to_vec()];
        Ok(Self {
            connector: Arc::new(config).into(),
            mode,
        })
    }
}

impl std::fmt::Debug for MakeTls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MakeTls({:?})", self.mode)
    }
}

impl MakeTlsConnect<Socket> for MakeTls {
    type Stream = Stream;
    type TlsConnect = Connect;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Connect, InvalidDnsNameError> {
        // A socket of this machine has no host, and no TLS; a name has to be given all the same.
        let name = if host.is_empty() { "localhost" } else { host };
        Ok(Connect {
            connector: self.connector.clone(),
            name: ServerName::try_from(name)?.to_owned(),
        })
    }
}

/// Whose signature counts.
#[derive(Debug, PartialEq, Eq)]
enum Roots {
    /// Those that the address, or the person's folder for PostgreSQL, has.
    File(PathBuf),
    /// Those of the operating system, by name.
    System,
    /// Those of the operating system, because nothing is said.
    Unsaid,
}

impl Roots {
    fn of(parameters: &Parameters, environment: &Environment) -> Result<Self, String> {
        match parameters.get("sslrootcert").map(String::as_str) {
            Some("system") => Ok(Self::System),
            Some(path) => absolute("sslrootcert", path).map(Self::File),
            None => {
                let own = environment.home();
                let own = own.map(|home| home.join(".postgresql/root.crt"));
                let own = own.filter(|path| path.is_file());
                Ok(own.map_or(Self::Unsaid, Self::File))
            }
        }
    }

    fn load(&self) -> Result<Trusted, String> {
        let certificates = match self {
            Self::File(path) => read_certificates("sslrootcert", path)?,
            Self::System | Self::Unsaid => rustls_native_certs::load_native_certs().certs,
        };
        let mut roots = RootCertStore::empty();
        let (added, _) = roots.add_parsable_certificates(certificates.iter().cloned());
        match (added, self) {
            (0, Self::File(path)) => Err(format!(
                "`sslrootcert`: {} has no certificate that can be used",
                path.display()
            )),
            (0, _) => Err(
                "this system trusts no certificates, so the server's cannot be checked: \
                           install its CA certificates, or name a file with `sslrootcert`"
                    .to_owned(),
            ),
            (_, Self::File(_)) => Ok(Trusted {
                roots,
                certificates,
            }),
            (_, _) => Ok(Trusted {
                roots,
                certificates: Vec::new(),
            }),
        }
    }
}

/// The certificates whose signature counts.
#[derive(Debug)]
struct Trusted {
    roots: RootCertStore,
    /// Those of a file: a server may show one of them itself, as one that signed its own certificate does.
    certificates: Vec<CertificateDer<'static>>,
}

/// The certificate by which the role logs in.
type OwnCertificate = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

fn own_certificate(parameters: &Parameters) -> Result<Option<OwnCertificate>, String> {
    let (chain, key) = match (parameters.get("sslcert"), parameters.get("sslkey")) {
        (None, None) => return Ok(None),
        (Some(chain), Some(key)) => (absolute("sslcert", chain)?, absolute("sslkey", key)?),
        _ => return Err("`sslcert` and `sslkey` go together".to_owned()),
    };
    check_private(&key)?;
    let chain = read_certificates("sslcert", &chain)?;
    let read = PrivateKeyDer::from_pem_file(&key);
    let read = read.map_err(|error| format!("`sslkey`: {}: {error}", key.display()))?;
    Ok(Some((chain, read)))
}

fn read_certificates(name: &str, path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
    read.map_err(|error| format!("`{name}`: {}: {error}", path.display()))
}

/// The path of a file, which means the same wherever a server is started.
///
/// # Errors
/// When it is relative, in words.
pub(super) fn absolute(name: &str, path: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(path);
    if path.is_absolute() {
        Ok(path)
    } else {
        Err(format!("`{name}` must be an absolute path"))
    }
}

/// Checks the server's certificate as far as is asked.
#[derive(Debug)]
struct Verifier {
    trusted: Option<Trusted>,
    checks_name: bool,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(trusted) = &self.trusted else {
            return Ok(ServerCertVerified::assertion());
        };
        let certificate = ParsedCertificate::try_from(shown)?;
        if !trusted.certificates.contains(shown) {
            verify_server_cert_signed_by_trust_anchor(
                &certificate,
                &trusted.roots,
                intermediates,
                now,
                self.algorithms.all,
            )?;
        }
        if self.checks_name {
            verify_server_name(&certificate, name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, shown, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, shown, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// What an error of TLS means, and what to do.
pub(super) fn describe(error: &Error) -> String {
    use CertificateError as Certificate;
    let what = match error {
        Error::InvalidCertificate(why) => match why {
            Certificate::UnknownIssuer => {
                "is signed by nobody who is trusted here: name the CA's certificate with \
                 `sslrootcert=FILE`"
            }
            Certificate::NotValidForName | Certificate::NotValidForNameContext { .. } => {
                "does not name the host of the address: use the name that it has, or \
                 `sslmode=verify-ca`"
            }
            Certificate::Expired | Certificate::ExpiredContext { .. } => "has expired: renew it",
            Certificate::NotValidYet | Certificate::NotValidYetContext { .. } => {
                "is not valid yet: check the clocks of both machines"
            }
            other => return format!("the server's certificate cannot be used: {other}"),
        },
        other => return format!("TLS with the server failed: {other}"),
    };
    format!("the server's certificate {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(said: &[(&str, &str)]) -> Parameters {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        said.iter().map(pair).collect()
    }

    fn make(said: &[(&str, &str)], is_local: bool) -> Result<Mode, String> {
        let home = Environment::new(Path::new("/nowhere"), []);
        MakeTls::new(&parameters(said), is_local, &home).map(|tls| tls.mode)
    }

    #[test]
    fn beyond_this_machine_everything_is_checked_unless_the_address_says_less() {
        let system = rustls_native_certs::load_native_certs().certs;
        if !system.is_empty() {
            assert_eq!(make(&[], false), Ok(Mode::VerifyFull));
            assert_eq!(
                make(&[("sslrootcert", "system")], true),
                Ok(Mode::VerifyFull)
            );
        }
        assert_eq!(make(&[], true), Ok(Mode::Prefer));
        for (said, wanted) in [
            ("disable", Mode::Disable),
            ("allow", Mode::Prefer),
            ("prefer", Mode::Prefer),
            ("require", Mode::Require),
        ] {
            for is_local in [true, false] {
                assert_eq!(make(&[("sslmode", said)], is_local), Ok(wanted));
            }
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let check = |said: &[(&str, &str)], wanted: &str| {
            let error = make(said, true).unwrap_err();
            assert!(error.contains(wanted), "{said:?}: {error}");
        };
        check(&[("sslmode", "on")], "`sslmode` must be");
        check(&[("sslmode", "")], "`sslmode` must be");
        let weak = [("sslmode", "require"), ("sslrootcert", "system")];
        check(&weak, "needs `sslmode=verify-full`");
        let relative = [("sslmode", "verify-ca"), ("sslrootcert", "ca.pem")];
        check(&relative, "absolute path");
        let missing = [("sslmode", "verify-ca"), ("sslrootcert", "/nowhere/ca")];
        check(&missing, "/nowhere/ca");
        let none = [("sslmode", "verify-ca"), ("sslrootcert", "/dev/null")];
        check(&none, "no certificate");
        check(&[("sslcert", "/c.pem")], "go together");
        check(&[("sslcert", "/c"), ("sslkey", "/k")], "`sslcert`");
    }
}
