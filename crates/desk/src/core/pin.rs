//! The PIN that a yes to a dangerous ask needs.
//!
//! Its hash lies beside the journal. That a PIN was set, and the digest of its hash, is an event: where
//! the hash is missing or another one, everything is refused, so removing the file is no way around it.
//! Wrong tries are events too, so that guessing is slowed down across processes and restarts.

use super::{desk::Desk, judge::Replier, settle::ReplyResult};
use crate::{AskError, PinError, error::SHORTEST_PIN};
use argon2::{
    Argon2, PasswordHash, PasswordHasher, PasswordVerifier,
    password_hash::{SaltString, rand_core::OsRng},
};
use holdpoint_ask::{AskId, Digest};
use holdpoint_journal::{Event, EventKind, JournalError, Write};
use serde_json::{Value, json};
use std::{sync::atomic::Ordering, time::Duration};

const NAME: &str = "pin";
/// So many wrong ones cost nothing: people mistype.
const FREE_TRIES: u32 = 3;
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);
/// Enough to see how many wrong ones came in a row; more of them wait the longest anyway.
const LOOK_BACK: usize = 24;

const SETTING: [EventKind; 2] = [EventKind::PinSet, EventKind::PinCleared];
const TRYING: [EventKind; 4] = [
    EventKind::PinSet,
    EventKind::PinCleared,
    EventKind::WrongPin,
    EventKind::PinGiven,
];

/// The PIN of a desk's journal: see [`Desk::pin`].
#[derive(Debug, Clone)]
pub struct Pin {
    desk: Desk,
}

impl Desk {
    /// The PIN that a yes to a dangerous ask needs, if one is set.
    pub fn pin(&self) -> Pin {
        Pin { desk: self.clone() }
    }
}

impl Pin {
    /// Whether one is set.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub async fn is_set(&self) -> Result<bool, JournalError> {
        let last = self.desk.journal().guard_events(&SETTING, 1).await?;
        Ok(last.first().is_some_and(|e| e.kind == EventKind::PinSet))
    }

    /// Sets it. A PIN that is set already is needed to change it.
    ///
    /// # Errors
    /// When the old one is wrong or missing, the new one too short, or the record cannot be kept.
    pub async fn set(&self, old: Option<&str>, new: &str) -> Result<(), PinError> {
        if new.chars().count() < SHORTEST_PIN {
            return Err(PinError::TooShort);
        }
        self.prove(old).await?;
        let new = hash(new.to_owned()).await?;
        let check = Digest::hash_bytes(new.as_bytes());
        // Both are there until the event says which one counts: no crash locks anybody out.
        let both = [self.hash().await?.unwrap_or_default(), new].join("\n");
        let journal = self.desk.journal();
        journal.store(NAME, Some(both.into_bytes())).await?;
        self.note(EventKind::PinSet, None, json!({ "check": check }))
            .await?;
        self.desk.reload_pin().await?;
        Ok(())
    }

    /// Clears it.
    ///
    /// # Errors
    /// When none is set, it is the wrong one, or the record cannot be kept.
    pub async fn clear(&self, old: &str) -> Result<(), PinError> {
        if !self.is_set().await? {
            return Err(PinError::NotSet);
        }
        self.prove(Some(old)).await?;
        self.note(EventKind::PinCleared, None, json!({})).await?;
        self.desk.journal().store(NAME, None).await?;
        self.desk.reload_pin().await?;
        Ok(())
    }

    async fn prove(&self, old: Option<&str>) -> Result<(), PinError> {
        match (self.is_set().await?, old) {
            (false, _) => Ok(()),
            (true, None) => Err(PinError::Needed),
            (true, Some(old)) => self.check(old, None, json!({ "for": "changing it" })).await,
        }
    }

    /// Whether this is the PIN. A wrong one is recorded, and slows the next one down.
    async fn check(&self, given: &str, ask: Option<AskId>, body: Value) -> Result<(), PinError> {
        // One at a time: tries that run side by side would all be the first.
        let _turn = self.desk.inner.pin_turn.lock().await;
        let history = self.history().await?;
        let wrong_before = wrong_in_a_row(&history);
        if let Some(retry_after) = self.wait(&history, wrong_before) {
            return Err(PinError::Wrong { retry_after });
        }
        let hash = self.hash().await?.ok_or(PinError::Missing)?;
        if verify(given.to_owned(), hash).await {
            if wrong_before > 0 {
                self.note(EventKind::PinGiven, ask, body).await?;
            }
            return Ok(());
        }
        self.note(EventKind::WrongPin, ask, body).await?;
        Err(PinError::Wrong {
            retry_after: pause(wrong_before + 1),
        })
    }

    fn wait(&self, history: &[Event], wrong: u32) -> Option<Duration> {
        let last = history.iter().find(|e| e.kind == EventKind::WrongPin)?;
        let since = self.desk.now().duration_since(last.at);
        let since = Duration::try_from(since).unwrap_or_default();
        pause(wrong)
            .checked_sub(since)
            .filter(|left| !left.is_zero())
    }

    async fn history(&self) -> Result<Vec<Event>, JournalError> {
        self.desk.journal().guard_events(&TRYING, LOOK_BACK).await
    }

    /// What a PIN is checked with: the one that the event is about. Another one that somebody put
    /// in its place is as good as none.
    async fn hash(&self) -> Result<Option<String>, JournalError> {
        let last = self.desk.journal().guard_events(&SETTING, 1).await?;
        let check = match last.first() {
            Some(event) if event.kind == EventKind::PinSet => event.body["check"].clone(),
            _ => return Ok(None),
        };
        let stored = self.desk.journal().load(NAME).await?.unwrap_or_default();
        let stored = String::from_utf8(stored).unwrap_or_default();
        let fits = |line: &&str| json!(Digest::hash_bytes(line.as_bytes())) == check;
        Ok(stored.lines().find(fits).map(str::to_owned))
    }

    async fn note(
        &self,
        kind: EventKind,
        ask: Option<AskId>,
        body: Value,
    ) -> Result<(), JournalError> {
        let note = Write::Note {
            call: None,
            ask,
            kind,
            body,
            at: self.desk.now(),
        };
        self.desk.journal().commit(vec![note]).await.map(drop)
    }
}

impl Desk {
    /// Checks the PIN that came with a yes to a dangerous ask; gives why the yes does not count,
    /// or nothing where it does.
    pub(crate) async fn check_pin(
        &self,
        ask: AskId,
        from: &Replier,
    ) -> Result<Option<ReplyResult>, AskError> {
        let Some(given) = &from.pin else {
            return Ok(Some(ReplyResult::PinNeeded));
        };
        let body = json!({ "channel": from.channel, "by": from.name });
        match self.pin().check(given, Some(ask), body).await {
            Ok(()) => Ok(None),
            Err(PinError::Wrong { retry_after }) => Ok(Some(ReplyResult::WrongPin { retry_after })),
            Err(PinError::Journal(error)) => Err(error.into()),
            Err(other) => Err(AskError::Pin(other)),
        }
    }

    /// Reads again whether a PIN is set: then dangerous asks go to the inbox only.
    pub(crate) async fn reload_pin(&self) -> Result<(), JournalError> {
        let set = self.pin().is_set().await?;
        self.inner.pin_set.store(set, Ordering::Relaxed);
        Ok(())
    }
}

fn wrong_in_a_row(history: &[Event]) -> u32 {
    let wrong = history.iter().take_while(|e| e.kind == EventKind::WrongPin);
    wrong.count() as u32
}

/// How long a try has to wait after so many wrong ones in a row.
fn pause(wrong: u32) -> Duration {
    match wrong.checked_sub(FREE_TRIES) {
        None | Some(0) => Duration::ZERO,
        Some(more) => Duration::from_secs(1 << more.min(20)).min(LONGEST_WAIT),
    }
}

/// Hashing is slow on purpose, so it has a thread of its own.
async fn hash(pin: String) -> Result<String, JournalError> {
    let hashed = tokio::task::spawn_blocking(move || {
        let salt = SaltString::generate(&mut OsRng);
        let hash = Argon2::default().hash_password(pin.as_bytes(), &salt);
        hash.map(|hash| hash.to_string())
    });
    match hashed.await {
        Ok(Ok(hash)) => Ok(hash),
        _ => Err(JournalError::write("the PIN could not be hashed")),
    }
}

async fn verify(pin: String, hash: String) -> bool {
    let verified = tokio::task::spawn_blocking(move || {
        let hash = PasswordHash::new(&hash).ok()?;
        let argon = Argon2::default();
        argon.verify_password(pin.as_bytes(), &hash).ok()
    });
    matches!(verified.await, Ok(Some(())))
}
