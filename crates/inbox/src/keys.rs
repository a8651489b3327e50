//! The page's key, and what it becomes: a cookie that only reads, and a token that answers.

use hmac::{Hmac, Mac};
use holdpoint::journal::{JournalError, Vault};
use sha2::Sha256;
use std::fmt;

/// The key that opens the page, with the cookie and the token that are made of it. They are the
/// same in every process that has the journal, and after a restart.
#[derive(Clone)]
pub struct Keys {
    key: String,
    cookie: String,
    token: String,
    name: String,
}

impl Keys {
    /// Those of this journal.
    ///
    /// # Errors
    /// When its key cannot be read.
    pub async fn of(journal: &dyn Vault) -> Result<Self, JournalError> {
        let key = journal.key("page").await?;
        Ok(Self {
            cookie: derived(&key, "cookie"),
            token: derived(&key, "token"),
            name: derived(&key, "journal"),
            key: hex(&key),
        })
    }

    /// The key as it stands behind `#key=` in the page's address, for a person's eyes only.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What names the journal to another process, and tells nothing else.
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

/// Whether two texts are the same, in a time that tells nothing of where they differ.
pub(crate) fn same(one: &str, other: &str) -> bool {
    // Both are hashed under a key of the moment, so that their bytes cannot be found one by one.
    let key: [u8; 32] = rand::random();
    derived(&key, one) == derived(&key, other)
}

fn derived(key: &[u8; 32], purpose: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a MAC takes a key of any length");
    mac.update(purpose.as_bytes());
    hex(&mac.finalize().into_bytes())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
