//! The issuer of access tokens, by its address.

use std::str::FromStr;
use url::{Host, Url};

/// An issuer's address. Its name is compared letter by letter, so it stays as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issuer {
    written: String,
    url: Url,
}

impl Issuer {
    /// The name that its tokens must have.
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// Whether what is fetched from there comes from there: over TLS, or from this machine.
    pub fn is_safe(url: &Url) -> bool {
        let local = match url.host() {
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => return false,
        };
        url.scheme() == "https" || (url.scheme() == "http" && local)
    }

    /// Where it describes itself: as an OpenID provider, or as another authorization server (RFC 8414).
    pub fn metadata_addresses(&self) -> [String; 2] {
        let mut other = self.url.clone();
        let path = self.url.path().trim_end_matches('/');
        other.set_path(&format!("/.well-known/oauth-authorization-server{path}"));
        let own = self.written.trim_end_matches('/');
        [
            format!("{own}/.well-known/openid-configuration"),
            other.into(),
        ]
    }
}

impl FromStr for Issuer {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let url: Url = text.parse().map_err(|_| ())?;
        let plain = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
        if !plain || !Self::is_safe(&url) {
            return Err(());
        }
        Ok(Self {
            written: text.to_owned(),
            url,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_known_by_an_address_that_nobody_in_between_can_change() {
        for good in [
            "https://id.example.com",
            "http://127.0.0.1:9/x",
            "http://localhost:9",
            "http://[::1]:9",
        ] {
            assert!(good.parse::<Issuer>().is_ok(), "{good}");
        }
        for wrong in [
            "",
            "id.example.com",
            "http://id.example.com",
            "https://a?b",
            "https://a#b",
            "https://u@a",
            "file:///x",
            "http://127.0.0.1.example.com",
        ] {
            assert!(wrong.parse::<Issuer>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn where_an_issuer_describes_itself() {
        let issuer: Issuer = "https://id.example.com/team".parse().unwrap();
        assert_eq!(
            issuer.metadata_addresses(),
            [
                "https://id.example.com/team/.well-known/openid-configuration",
                "https://id.example.com/.well-known/oauth-authorization-server/team",
            ]
        );
    }
}
