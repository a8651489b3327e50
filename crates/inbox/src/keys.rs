//! The page's key, and what is derived from it: the keys that open it once, a cookie that only reads, a
//! token that answers.

use crate::opening_keys::{self, Opening, SpentKeys};
use hmac::{Hmac, Mac};
use holdpoint::{
    Digest,
    journal::{JournalError, Vault},
};
use jiff::Timestamp;
use sha2::Sha256;
use std::fmt;
use subtle::ConstantTimeEq;

/// The page's key, which is shown to nobody, and what is derived from it. It is the same in every process
/// that has the journal, and after a restart.
#[derive(Clone)]
pub struct Keys {
    key: [u8; 32],
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
        Ok(Self::new(journal.key("page").await?))
    }

    /// All that is derived from this key.
    pub fn new(key: [u8; 32]) -> Self {
        Self {
            cookie: derive(&key, "cookie"),
            token: derive(&key, "token"),
            name: derive(&key, "journal"),
            key,
        }
    }

    /// Makes a key to stand behind `#key=` in the page's address, for a person's eyes only. It opens the
    /// page once, within a day.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn opening_key(&self) -> std::io::Result<String> {
        opening_keys::make(&self.key, now())
    }

    /// Spends an opening key.
    pub(crate) async fn spend(
        &self,
        key: &str,
        spent: &SpentKeys,
        journal: &dyn Vault,
    ) -> Result<Opening, JournalError> {
        spent.spend(&self.key, key.trim(), now(), journal).await
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
pub fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

fn now() -> u64 {
    u64::try_from(Timestamp::now().as_second()).unwrap_or_default()
}

fn derive(key: &[u8; 32], purpose: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a MAC takes a key of any length");
    mac.update(purpose.as_bytes());
    Digest::from_bytes(mac.finalize().into_bytes().into()).to_string()
}
