//! The page's key, and what it proves: the keys that open the page once, the keys of browsers that were let
//! in, and that a page is this journal's.

use crate::{
    browser_keys::{self, Browser, mac},
    opening_keys::{self, Opening, SpentKeys, hex},
};
use holdpoint::journal::{JournalError, Vault};
use jiff::Timestamp;
use std::{fmt, io};
use subtle::ConstantTimeEq;

/// The page's key, which is shown to nobody. It is the same in every process that has the journal, and
/// after a restart.
#[derive(Clone)]
pub struct Keys {
    key: [u8; 32],
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
        Self { key }
    }

    /// Makes a key to stand behind `#key=` in the page's address, for a person's eyes only. It opens the
    /// page once, within a day.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn opening_key(&self) -> io::Result<String> {
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

    /// Lets a browser in at this port.
    pub(crate) fn let_in(&self, port: u16) -> io::Result<Browser> {
        Browser::let_in(&self.key, port, now())
    }

    /// Whether a browser that was let in at this port made this token, for this hosting.
    pub(crate) fn is_let_in(&self, port: u16, hosting: &str, token: &str) -> bool {
        browser_keys::is_let_in(&self.key, port, hosting, token, now())
    }

    /// Proves that this journal's page is at this port, to whoever chose the challenge. The port is in it, so
    /// that the answer of one page is of no use at another port.
    pub(crate) fn prove(&self, port: u16, challenge: &str) -> String {
        let port = port.to_be_bytes();
        hex(&mac(&self.key, &[b"page", &port, challenge.as_bytes()]))
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
