//! The key of each browser that a person let in, and the token that it makes of it.
//!
//! To a browser, whoever listens on the page's port is the page, also while Holdpoint does not. So a browser
//! keeps its key where no script can read it, and only shows what the key makes of the number of this hosting,
//! which is new each time that the page is served: what anybody learns at the port is good for nothing later.
//! A key is for one port, or for one address that several processes serve, and cookies, which go to every port of a
//! host, are not used.

use crate::{
    keys::same,
    opening_keys::{from_hex, hex},
};
use hmac::{Hmac, KeyInit as _, Mac};
use sha2::Sha256;
use std::{io, time::Duration};

/// How long a browser stays let in.
const LIFE: Duration = Duration::from_secs(365 * 24 * 3600);
const NUMBER: usize = 16;

/// A browser that was let in: its number, and its key.
#[derive(Clone)]
pub struct Browser {
    /// Tells it from others, and says until when it is let in.
    pub number: String,
    /// Its key, in hexadecimal digits.
    pub key: String,
}

impl std::fmt::Debug for Browser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Browser(…)")
    }
}

impl Browser {
    /// Lets a browser in at this place, from now, a number of seconds.
    pub(crate) fn let_in(secret: &[u8; 32], place: &[u8], now: u64) -> io::Result<Self> {
        let mut random = [0; NUMBER];
        getrandom::fill(&mut random)?;
        let ends = u32::try_from((now + LIFE.as_secs()) / 60).unwrap_or(u32::MAX);
        let mut number = random.to_vec();
        number.extend(ends.to_be_bytes());
        Ok(Self {
            key: hex(&key_of(secret, &number, place)),
            number: hex(&number),
        })
    }

    /// What it shows of itself while the page is served under this number, as `page/browser_key.js` makes it.
    pub fn token(&self, hosting: &str) -> String {
        let key = from_hex(&self.key).unwrap_or_default();
        format!("{}.{}", self.number, hex(&sign(&key, hosting)))
    }
}

/// Whether this is the token of a browser that was let in at this place, made for this hosting.
pub(crate) fn is_let_in(
    secret: &[u8; 32],
    place: &[u8],
    hosting: &str,
    token: &str,
    now: u64,
) -> bool {
    let Some((number, signed)) = token.split_once('.') else {
        return false;
    };
    let Some(bytes) = from_hex(number).filter(|bytes| hex(bytes) == number) else {
        return false;
    };
    let ends = bytes.split_at_checked(NUMBER);
    let Some(Ok(ends)) = ends.map(|(_, ends)| ends.try_into().map(u32::from_be_bytes)) else {
        return false;
    };
    let key = key_of(secret, &bytes, place);
    u64::from(ends) > now / 60 && same(&hex(&sign(&key, hosting)), signed)
}

fn key_of(secret: &[u8; 32], number: &[u8], place: &[u8]) -> [u8; 32] {
    mac(secret, &[b"browser", number, place])
}

fn sign(key: &[u8], hosting: &str) -> [u8; 32] {
    mac(key, &[b"holdpoint token ", hosting.as_bytes()])
}

/// What a key makes of these parts, one after the other.
pub(crate) fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a MAC takes a key of any length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: [u8; 32] = [7; 32];
    const NOW: u64 = 1_800_000_000;

    #[test]
    fn a_token_is_good_for_one_hosting_at_one_port() {
        let place = 4653_u16.to_be_bytes();
        let browser = Browser::let_in(&SECRET, &place, NOW).unwrap();
        let token = browser.token("one");
        let good = |port: u16, hosting, token: &str, now| {
            is_let_in(&SECRET, &port.to_be_bytes(), hosting, token, now)
        };
        assert!(good(4653, "one", &token, NOW));
        assert!(!good(4653, "two", &token, NOW), "the next hosting");
        assert!(!good(4654, "one", &token, NOW), "another port");
        assert!(!good(4653, "one", &token, NOW + LIFE.as_secs()), "too old");
        assert!(
            !is_let_in(&[8; 32], &place, "one", &token, NOW),
            "another journal"
        );
        for at in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
            let altered = String::from_utf8(bytes).unwrap();
            assert!(!good(4653, "one", &altered, NOW), "altered at {at}");
        }
        for wrong in [
            "",
            ".",
            &token.to_uppercase(),
            "00.00",
            &token[1..],
            &format!("{token}00"),
            "ä.ä",
        ] {
            assert!(!good(4653, "one", wrong, NOW), "{wrong}");
        }
    }
}
