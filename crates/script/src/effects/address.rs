//! The address that a script fetches, and whether its file declares it.

use super::Refused;
use crate::{Permissions, yield_error::short};
use url::{Host, Url};

/// Why an address cannot be fetched.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AddressError {
    #[error("{address} is not a valid address: {source}")]
    Invalid {
        address: String,
        source: url::ParseError,
    },
    #[error("{0} is neither http nor https")]
    Scheme(String),
    #[error("an address must not hold a user or a password: use a header")]
    Credentials,
}

/// Parses an address of a web server.
pub(super) fn parse(text: &str) -> Result<Url, AddressError> {
    let shown = short(text);
    let url = Url::parse(text).map_err(|source| AddressError::Invalid {
        address: shown.clone(),
        source,
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(AddressError::Scheme(shown));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressError::Credentials);
    }
    Ok(url)
}

/// Checks that a file declares this host: with a port only that one, without every one.
pub(super) fn check_declared(url: &Url, declared: &Permissions) -> Result<(), Refused> {
    let host = url.host().map(|host| match host {
        Host::Ipv6(ip) => format!("[{ip}]"),
        other => other.to_string(),
    });
    let host = host.unwrap_or_default().to_lowercase();
    let port = url.port_or_known_default().unwrap_or_default();
    let with_port = format!("{host}:{port}");
    let is = |name: &String| {
        let name = name.to_lowercase();
        name == host || name == with_port || format!("[{name}]") == host
    };
    if declared.net.iter().any(is) {
        return Ok(());
    }
    Err(Refused::Undeclared {
        verb: "reach",
        name: with_port,
        key: "net",
        entry: host,
    })
}
