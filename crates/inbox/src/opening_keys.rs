//! The key in the page's address: each is good for one opening, by one browser.
//!
//! An address is copied, logged, kept in a history and sent to a phone. So a key is spent by the first
//! browser that brings it, and ends by itself after a day. It carries its own proof: any process that has
//! the journal's key can make one, and every one that serves the page knows which are spent.

use hmac::{Hmac, KeyInit as _, Mac};
use holdpoint::journal::{JournalError, Vault};
use sha2::Sha256;
use std::{collections::BTreeMap, io, time::Duration};
use subtle::ConstantTimeEq;

/// How long a key that nobody used is good.
const LIFE: Duration = Duration::from_secs(24 * 3600);
/// For how many minutes after its end a used key is remembered: another machine's clock may be behind, and must not
/// take it for one that nobody used.
const REMEMBERED: u64 = 24 * 60;
/// Below which name in the vault each used key is, by when it ends and its number.
const USED: &str = "used-keys";
/// Where older programs keep theirs, in one list.
const OLDER_LIST: &str = "spent-page-keys";

const NONCE: usize = 16;
const PROOF: usize = 16;

/// What a key is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    /// It opens the page, and is spent now.
    Opened,
    /// A browser brought it before.
    Spent,
    /// It was not used in time.
    Expired,
    /// It is none of ours.
    Wrong,
}

/// Makes a key, which is good from now, a number of seconds.
pub(crate) fn make(secret: &[u8; 32], now: u64) -> io::Result<String> {
    let mut nonce = [0; NONCE];
    getrandom::fill(&mut nonce)?;
    let ends = u32::try_from((now + LIFE.as_secs()) / 60).unwrap_or(u32::MAX);
    let mut key = nonce.to_vec();
    key.extend(ends.to_be_bytes());
    key.extend(proof(secret, &key));
    Ok(hex(&key))
}

/// Spends a key, durably before this says so. Of several browsers that bring it at once, to whatever process, one
/// gets in.
pub(crate) async fn spend(
    secret: &[u8; 32],
    key: &str,
    now: u64,
    journal: &dyn Vault,
) -> Result<Opening, JournalError> {
    let Some((nonce, ends)) = read(secret, key) else {
        return Ok(Opening::Wrong);
    };
    let minute = now / 60;
    let used = format!("{USED}/{ends:08x}.{nonce}");
    if journal.load(&used).await?.is_some() || older_list(journal).await?.contains_key(&nonce) {
        return Ok(Opening::Spent);
    }
    if u64::from(ends) <= minute {
        return Ok(Opening::Expired);
    }
    forget(minute, journal).await?;
    if journal.create(&used, Vec::new()).await? {
        Ok(Opening::Opened)
    } else {
        Ok(Opening::Spent)
    }
}

/// Forgets the used keys that ended by themselves long ago.
async fn forget(minute: u64, journal: &dyn Vault) -> Result<(), JournalError> {
    for name in journal.names(USED).await? {
        let ends = name.strip_prefix(USED).and_then(|rest| rest.get(1..9));
        let ends = ends.and_then(|ends| u64::from_str_radix(ends, 16).ok());
        if ends.is_some_and(|ends| ends + REMEMBERED <= minute) {
            journal.store(&name, None).await?;
        }
    }
    Ok(())
}

/// The used keys that an older program wrote down.
async fn older_list(journal: &dyn Vault) -> Result<BTreeMap<String, u32>, JournalError> {
    let Some(bytes) = journal.load(OLDER_LIST).await? else {
        return Ok(BTreeMap::new());
    };
    // Which keys were used must be known; otherwise none opens.
    serde_json::from_slice(&bytes).map_err(|error| {
        JournalError::read(format!(
            "the list of used page keys ({OLDER_LIST}) cannot be read"
        ))
        .with_source(error)
    })
}

/// The number of a key that is ours, and the minute in which it ends.
fn read(secret: &[u8; 32], key: &str) -> Option<(String, u32)> {
    let bytes = from_hex(key)?;
    let (said, given) = bytes.split_at_checked(NONCE + 4)?;
    if given.len() != PROOF || !bool::from(proof(secret, said).ct_eq(given)) {
        return None;
    }
    let (nonce, ends) = said.split_at(NONCE);
    Some((hex(nonce), u32::from_be_bytes(ends.try_into().ok()?)))
}

fn proof(secret: &[u8; 32], said: &[u8]) -> [u8; PROOF] {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a MAC takes a key of any length");
    mac.update(b"opening");
    mac.update(said);
    let whole = mac.finalize().into_bytes();
    std::array::from_fn(|at| whole[at])
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn from_hex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let pairs = (0..text.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint::journal::SqliteJournal;

    const SECRET: [u8; 32] = [7; 32];
    const NOW: u64 = 1_800_000_000;

    #[tokio::test]
    async fn a_key_is_for_one_use_in_every_process_that_serves_the_page() {
        let journal = SqliteJournal::in_memory().unwrap();
        let (one, other) = (make(&SECRET, NOW).unwrap(), make(&SECRET, NOW).unwrap());
        assert_ne!(one, other);
        let check = async |key: &str, now, wanted| {
            let got = spend(&SECRET, key, now, &journal).await.unwrap();
            assert_eq!(got, wanted, "{key}");
        };
        check(&one, NOW, Opening::Opened).await;
        check(&one, NOW, Opening::Spent).await;
        check(&one.to_uppercase(), NOW, Opening::Spent).await;
        check(&other, NOW + 24 * 3600, Opening::Expired).await;
        check(&other, NOW + 24 * 3600 - 120, Opening::Opened).await;
        assert_eq!(journal.names(USED).await.unwrap().len(), 2);
        // What ended by itself need not be remembered.
        let (late, later) = (NOW + 48 * 3600, NOW + 96 * 3600);
        for now in [late, later] {
            check(&make(&SECRET, now).unwrap(), now, Opening::Opened).await;
            assert_eq!(journal.names(USED).await.unwrap().len(), 1);
        }
        check(&one, later, Opening::Expired).await;
    }

    #[tokio::test]
    async fn a_used_key_stays_used_where_one_clock_is_ahead_of_the_other() {
        let journal = SqliteJournal::in_memory().unwrap();
        let key = make(&SECRET, NOW).unwrap();
        let used = spend(&SECRET, &key, NOW, &journal).await.unwrap();
        assert_eq!(used, Opening::Opened);
        // By one clock the key has ended; another machine's, a minute behind, says that it has not.
        let (ahead, behind) = (NOW + 24 * 3600, NOW + 24 * 3600 - 61);
        let other = make(&SECRET, ahead).unwrap();
        spend(&SECRET, &other, ahead, &journal).await.unwrap();
        let again = spend(&SECRET, &key, behind, &journal).await.unwrap();
        assert_eq!(again, Opening::Spent);
    }

    #[tokio::test]
    async fn what_an_older_program_spent_is_spent() {
        let journal = SqliteJournal::in_memory().unwrap();
        let key = make(&SECRET, NOW).unwrap();
        let (nonce, ends) = read(&SECRET, &key).unwrap();
        let list = serde_json::json!({ nonce: ends }).to_string();
        journal.store(OLDER_LIST, Some(list.into())).await.unwrap();
        let got = spend(&SECRET, &key, NOW, &journal).await.unwrap();
        assert_eq!(got, Opening::Spent);
        journal
            .store(OLDER_LIST, Some(b"?".to_vec()))
            .await
            .unwrap();
        spend(&SECRET, &key, NOW, &journal).await.unwrap_err();
    }

    #[tokio::test]
    async fn a_key_of_another_journal_or_an_altered_one_opens_nothing() {
        let journal = SqliteJournal::in_memory().unwrap();
        let key = make(&SECRET, NOW).unwrap();
        for at in 0..key.len() {
            let mut bytes = key.clone().into_bytes();
            bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
            let altered = String::from_utf8(bytes).unwrap();
            let got = spend(&SECRET, &altered, NOW, &journal).await.unwrap();
            assert_eq!(got, Opening::Wrong, "altered at {at}");
        }
        for wrong in ["", "00", "zz", &key[2..], &format!("{key}00"), "ä"] {
            let got = spend(&SECRET, wrong, NOW, &journal).await.unwrap();
            assert_eq!(got, Opening::Wrong, "{wrong}");
        }
        let foreign = spend(&[8; 32], &key, NOW, &journal).await.unwrap();
        assert_eq!(foreign, Opening::Wrong);
    }

    #[tokio::test]
    async fn of_two_browsers_at_once_one_gets_in() {
        let journal = SqliteJournal::in_memory().unwrap();
        let key = make(&SECRET, NOW).unwrap();
        let tries = (0..16).map(|_| spend(&SECRET, &key, NOW, &journal));
        let got = futures::future::join_all(tries).await;
        let opened = got.iter().filter(|got| matches!(got, Ok(Opening::Opened)));
        assert_eq!(opened.count(), 1);
    }
}
