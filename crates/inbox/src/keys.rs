//! The page's key, and what it proves: the keys that open the page once, the keys of browsers that were let
//! in, and that a page is this journal's. Each person who is known by name has keys of their own.

use crate::{
    browser_keys::{self, Browser, mac},
    opening_keys::{self, Opening, hex},
    people::Person,
};
use holdpoint::journal::{JournalError, Vault};
use jiff::Timestamp;
use std::{fmt, io};
use subtle::ConstantTimeEq;

/// Stands between a person's name and what proves that it is theirs. No name has it.
const OF: char = '~';
/// For how long tokens are made with the same number where several processes serve one address, in seconds.
const SHARED_HOSTING: u64 = 24 * 3600;

/// The page's key, which is shown to nobody. It is the same in every process that has the journal, and
/// after a restart.
#[derive(Clone)]
pub struct Keys {
    key: [u8; 32],
    /// Whose keys these are; none where they are of whoever has the journal.
    person: Option<String>,
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
        Self { key, person: None }
    }

    /// The keys of this person, made of the page's key.
    pub fn of(&self, person: &Person) -> Self {
        let parts = [b"person", person.number.as_bytes(), person.name.as_bytes()];
        Self {
            key: mac(&self.key, &parts),
            person: Some(person.name.clone()),
        }
    }

    /// Makes a key to stand behind `#key=` in the page's address, for a person's eyes only. It opens the
    /// page once, within a day.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn opening_key(&self) -> io::Result<String> {
        opening_keys::make(&self.key, now()).map(|key| self.name(key))
    }

    /// Spends an opening key.
    pub(crate) async fn spend(
        &self,
        key: &str,
        journal: &dyn Vault,
    ) -> Result<Opening, JournalError> {
        opening_keys::spend(&self.key, unnamed(key.trim()), now(), journal).await
    }

    /// Lets a browser in at this place.
    pub(crate) fn let_in(&self, place: &[u8]) -> io::Result<Browser> {
        let mut browser = Browser::let_in(&self.key, place, now())?;
        browser.number = self.name(browser.number);
        Ok(browser)
    }

    /// Whether a browser that was let in at this place made this token, for this hosting.
    pub(crate) fn is_let_in(&self, place: &[u8], hosting: &str, token: &str) -> bool {
        browser_keys::is_let_in(&self.key, place, hosting, unnamed(token), now())
    }

    /// The numbers of hosting that count now at an address that several processes serve, the current one first:
    /// the days around this one, since their clocks differ.
    pub(crate) fn shared_hostings(&self, place: &[u8]) -> [String; 3] {
        let day = now() / SHARED_HOSTING;
        [day, day.saturating_sub(1), day + 1]
            .map(|day| hex(&mac(&self.key, &[b"hosting", &day.to_be_bytes(), place])))
    }

    /// Proves that this journal's page is at this port, to whoever chose the challenge. The port is in it, so
    /// that the answer of one page is of no use at another port.
    pub(crate) fn prove(&self, port: u16, challenge: &str) -> String {
        let port = port.to_be_bytes();
        hex(&mac(&self.key, &[b"page", &port, challenge.as_bytes()]))
    }

    fn name(&self, text: String) -> String {
        match &self.person {
            Some(person) => format!("{person}{OF}{text}"),
            None => text,
        }
    }
}

/// Whose key or token this claims to be; none where it is of nobody in particular.
pub(crate) fn claimed_person(shown: &str) -> Option<&str> {
    shown.split_once(OF).map(|(person, _)| person)
}

fn unnamed(shown: &str) -> &str {
    shown.split_once(OF).map_or(shown, |(_, rest)| rest)
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
