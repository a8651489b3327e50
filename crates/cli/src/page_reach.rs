//! Whether the page answers at the address under which others know it.

use serde_json::Value;
use std::{io::ErrorKind, time::Duration};
use ureq::{Agent, Error};

/// A page that people can use answers sooner.
const PATIENCE: Duration = Duration::from_secs(5);
/// No answer of ours has more bytes.
const LONGEST: u64 = 4096;

/// Why nobody reaches it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What happened.
    pub what: String,
    /// What to do about just that.
    pub fix: String,
    /// Browsers may get further than we do.
    pub is_uncertain: bool,
}

/// Asks it, and gives its version.
///
/// # Errors
/// With what is wrong, and what to do about it.
pub async fn ask(address: &str) -> Result<String, Fault> {
    let url = format!("{address}/api/health");
    let asked = tokio::task::spawn_blocking(move || request(&url)).await;
    asked.unwrap_or_else(|_| Err(fault("it could not be asked", "run this again")))
}

fn request(url: &str) -> Result<String, Fault> {
    let config = Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .build();
    let mut answer = Agent::new_with_config(config)
        .get(url)
        .call()
        .map_err(unreached)?;
    let header = |name: &str| {
        let value = answer.headers().get(name)?;
        Some(value.to_str().ok()?.to_owned())
    };
    let (is_ours, location) = (header("holdpoint-api").is_some(), header("location"));
    let status = answer.status().as_u16();
    if let (200, true) = (status, is_ours) {
        let body = answer
            .body_mut()
            .with_config()
            .limit(LONGEST)
            .read_to_string();
        let health: Value = serde_json::from_str(&body.unwrap_or_default()).unwrap_or_default();
        return Ok(health["holdpoint"]
            .as_str()
            .unwrap_or("of an unknown version")
            .to_owned());
    }
    Err(refused(status, is_ours, location))
}

/// Something answered, and it was not the page.
fn refused(status: u16, is_ours: bool, location: Option<String>) -> Fault {
    match (status, is_ours, location) {
        (_, true, _) => fault(
            format!("the page is there and refuses the request ({status})"),
            "let the proxy pass the header `Host` on as it came",
        ),
        (502..=504, ..) => fault(
            format!("the proxy answers {status}: it reaches no page behind it"),
            "start a client, or `holdpoint inbox --web`; and let the proxy forward to where the page listens",
        ),
        (300..=399, _, Some(location)) => fault(
            format!("it sends to {location}"),
            "set `inbox_url` to the address at which the page ends up, or let the proxy forward without that",
        ),
        (401 | 403, ..) => Fault {
            is_uncertain: true,
            ..fault(
                format!("something before the page asks who is there ({status})"),
                "open the address in a browser: behind that login it may be fine",
            )
        },
        _ => fault(
            format!("something else answers there ({status})"),
            "let the proxy forward every path of that host to the page, or correct `inbox_url`",
        ),
    }
}

/// Nothing answered.
fn unreached(error: Error) -> Fault {
    match error {
        Error::HostNotFound => fault(
            "the name of its host is not known here",
            "correct `inbox_url`, or give that name an address in the DNS",
        ),
        Error::Timeout(_) => fault(
            format!("it does not answer within {} s", PATIENCE.as_secs()),
            "look for a firewall before it, or for a proxy that is stuck",
        ),
        Error::Io(error) if error.kind() == ErrorKind::ConnectionRefused => fault(
            "nothing listens there",
            "start the proxy, or correct `inbox_url`",
        ),
        Error::Tls(_) => untrusted(&error),
        #[cfg(feature = "http")]
        Error::Rustls(_) => untrusted(&error),
        Error::Io(ref inner) if inner.to_string().contains("certificate") => untrusted(&error),
        error => fault(
            format!("it cannot be reached: {error}"),
            "check the way there: the network, the proxy, `inbox_url`",
        ),
    }
}

fn untrusted(error: &Error) -> Fault {
    Fault {
        is_uncertain: true,
        ..fault(
            format!("its certificate is not trusted here: {error}"),
            "let the proxy send a certificate for that name with its whole chain; one of an authority of your \
             own is only known to browsers that you told",
        )
    }
}

fn fault(what: impl Into<String>, fix: &str) -> Fault {
    Fault {
        what: what.into(),
        fix: fix.to_owned(),
        is_uncertain: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_its_own_tip() {
        let check = |fault: Fault, what: &str, fix: &str| {
            assert!(fault.what.contains(what), "{fault:?}");
            assert!(fault.fix.contains(fix), "{fault:?}");
        };
        check(refused(403, true, None), "refuses", "`Host`");
        check(refused(502, false, None), "no page behind", "inbox --web");
        check(
            refused(302, false, Some("https://x".into())),
            "https://x",
            "inbox_url",
        );
        check(refused(401, false, None), "asks who", "browser");
        check(refused(404, false, None), "something else", "every path");
        check(unreached(Error::HostNotFound), "not known", "DNS");
        let io = |kind: ErrorKind| Error::Io(kind.into());
        check(
            unreached(io(ErrorKind::ConnectionRefused)),
            "nothing listens",
            "start the proxy",
        );
        let tls = Error::Io(std::io::Error::other(
            "invalid peer certificate: UnknownIssuer",
        ));
        check(unreached(tls), "not trusted", "chain");
    }
}
