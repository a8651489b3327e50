//! An address of the user's.

use super::HookError;
use crate::config::Secret;
use hmac::{Hmac, KeyInit as _, Mac};
use jiff::Timestamp;
use sha2::Sha256;
use std::{fmt::Write as _, time::Duration};
use url::Url;

/// When the call was made, in seconds since 1970.
pub const TIMESTAMP: &str = "holdpoint-timestamp";
/// `sha256=` and the HMAC-SHA256 of the timestamp, a dot and the body.
pub const SIGNATURE: &str = "holdpoint-signature";

/// Posts this to the address, signed where there is a secret. Nothing is followed elsewhere.
pub fn post(
    url: &Url,
    secret: Option<&Secret>,
    json: &[u8],
    now: Timestamp,
    patience: Duration,
) -> Result<(), HookError> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(patience))
        .max_redirects(0)
        .user_agent(concat!("holdpoint/", env!("CARGO_PKG_VERSION")))
        .build()
        .into();
    let at = now.as_second().to_string();
    let mut request = agent
        .post(url.as_str())
        .header("content-type", "application/json")
        .header(TIMESTAMP, &at);
    if let Some(secret) = secret {
        request = request.header(SIGNATURE, sign(secret, &at, json));
    }
    match request.send(json) {
        Ok(response) if response.status().is_success() => Ok(()),
        Ok(response) => Err(HookError::Failed(response.status().to_string())),
        Err(ureq::Error::Timeout(_)) => Err(HookError::Late),
        Err(ureq::Error::StatusCode(code)) => Err(HookError::Failed(code.to_string())),
        Err(error) => Err(HookError::Failed(error.to_string())),
    }
}

fn sign(secret: &Secret, at: &str, json: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.0.as_bytes())
        .unwrap_or_else(|_| unreachable!("HMAC takes keys of every length"));
    mac.update(at.as_bytes());
    mac.update(b".");
    mac.update(json);
    let mut text = String::from("sha256=");
    for byte in mac.finalize().into_bytes() {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_covers_time_and_body() {
        // As `printf '1.{}' | openssl dgst -sha256 -hmac key` says.
        let secret = Secret("key".into());
        assert_eq!(
            sign(&secret, "1", b"{}"),
            "sha256=1ba6b8171186efc613e8bcc0cbdab2748f24984d7c5a84faa2637afa0e40d224"
        );
        assert_ne!(sign(&secret, "2", b"{}"), sign(&secret, "1", b"{}"));
    }
}
