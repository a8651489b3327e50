//! The page's key, and what is derived from it: a cookie that only reads, a token that answers.

use hmac::{Hmac, Mac};
use holdpoint::{
    Digest,
    journal::{JournalError, Vault},
};
use sha2::Sha256;
use std::fmt;
use subtle::ConstantTimeEq;

/// The key that opens the page, with the cookie and the token that are derived from it. They are the
/// same in every process that has the journal, and after a restart.
#[derive(Clone)]
pub struct Keys {
    key: String,
    cookie: String,
    token: String,
    name: String,
}

impl Keys {
    /// Reads the key of this journal.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn open(journal: &dyn Vault) -> Result<Self, JournalError> {
        let key = journal.key("page").await?;
        Ok(Self {
            cookie: derive(&key, "cookie"),
            token: derive(&key, "token"),
            name: derive(&key, "journal"),
            key: Digest::from_bytes(key).to_string(),
        })
    }

    /// The key as it stands behind `#key=` in the page's address, for a person's eyes only.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What names the journal to another process, and says nothing else about it.
    pub fn journal(&self) -> &str {
        &self.name
    }

    pub(crate) fn cookie(&self) -> &str {
        &self.cookie
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys(…)")
    }
}

/// Whether two texts are the same, in a time that says nothing about where they differ.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

fn derive(key: &[u8; 32], purpose: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a MAC takes a key of any length");
    mac.update(purpose.as_bytes());
    Digest::from_bytes(mac.finalize().into_bytes().into()).to_string()
}
