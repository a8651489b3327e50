//! The one address under which people know a page that a proxy stands before.

use std::{fmt, net::IpAddr, str::FromStr};

/// An address such as `https://ask.example.com`: a scheme, a host and perhaps a port. Over plain HTTP it is one of
/// this machine, since everybody on the way could answer in a person's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicAddress {
    scheme: &'static str,
    /// The host, with the port where it is not the usual one, in small letters.
    authority: String,
}

impl PublicAddress {
    /// Whether a request that names this host means it.
    pub(crate) fn is_host(&self, host: &str) -> bool {
        let usual = if self.scheme == "https" {
            ":443"
        } else {
            ":80"
        };
        let host = host.strip_suffix(usual).unwrap_or(host);
        host.eq_ignore_ascii_case(&self.authority)
    }
}

impl FromStr for PublicAddress {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "an address such as https://ask.example.com, without a path";
        let (scheme, rest) = text.split_once("://").ok_or(EXPECTED)?;
        let scheme = match scheme {
            "https" => "https",
            "http" => "http",
            _ => return Err(EXPECTED),
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (authority, None),
        };
        let ip = host.strip_prefix('[').and_then(|ip| ip.strip_suffix(']'));
        let ip = ip.unwrap_or(host).parse::<IpAddr>();
        let name = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
        let is_host = ip.is_ok() || (!host.is_empty() && host.bytes().all(name));
        if !is_host || port.is_some_and(|port| port.parse::<u16>().is_err()) {
            return Err(EXPECTED);
        }
        let is_local =
            host.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip.is_loopback());
        if scheme == "http" && !is_local {
            return Err("an address with https: over plain HTTP others could read and change it");
        }
        let usual = if scheme == "https" { "443" } else { "80" };
        let port = port.filter(|port| *port != usual);
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        Ok(Self {
            scheme,
            authority: format!("{host}{port}").to_ascii_lowercase(),
        })
    }
}

impl fmt::Display for PublicAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.authority)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_names_a_host_is_an_address() {
        let check = |text: &str, shown: &str| {
            let read: PublicAddress = text.parse().unwrap();
            assert_eq!(read.to_string(), shown);
        };
        check("https://Ask.example.com", "https://ask.example.com");
        check("https://ask.example.com/", "https://ask.example.com");
        check("https://ask.example.com:443", "https://ask.example.com");
        check(
            "https://ask.example.com:8443",
            "https://ask.example.com:8443",
        );
        check("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443");
        check("http://localhost:8080", "http://localhost:8080");
        check("http://127.0.0.1:80", "http://127.0.0.1");
        for wrong in [
            "",
            "ask.example.com",
            "ftp://ask.example.com",
            "http://ask.example.com",
            "http://10.0.0.2",
            "https://",
            "https://a b",
            "https://user@ask.example.com",
            "https://ask.example.com/inbox",
            "https://ask.example.com?x",
            "https://ask.example.com:x",
            "https://ask.example.com:99999",
            "https://ask.example.com\r\nx",
        ] {
            assert!(wrong.parse::<PublicAddress>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn another_host_is_refused() {
        let address: PublicAddress = "https://ask.example.com".parse().unwrap();
        for fine in ["ask.example.com", "ASK.example.com", "ask.example.com:443"] {
            assert!(address.is_host(fine), "{fine}");
        }
        for wrong in [
            "",
            "example.com",
            "ask.example.com:80",
            "ask.example.com.evil",
            "127.0.0.1",
        ] {
            assert!(!address.is_host(wrong), "{wrong}");
        }
    }
}
