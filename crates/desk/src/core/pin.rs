//! The PIN that a yes to a dangerous ask needs.
//!
//! It belongs to a person. A person whom the page knows by name has their own in the vault of the desk's journal.
//! For whoever has none there, the binary keeps one with the journal of the account that it runs in, so that no flag
//! or variable that names another journal leads around it ([`PinPlace`]); one that an older program set in the desk's
//! own journal counts where that place has none.
//!
//! Its hash is in the vault. That a PIN was set, and the digest of its hash, is an event. Where one of the two is lost
//! or another one, the PIN is missing, and everything is refused: it is never taken for none.

use super::{
    desk::Desk,
    judge::Replier,
    pin_hash::{hash, verify},
    pin_place::Keeper,
    pin_state::{CHANGING, State, is_any_named, place, state},
    pin_tries::pause,
    reply_result::ReplyResult,
};
use crate::{AskError, PinError, error::SHORTEST_PIN};
use holdpoint_ask::{AskId, Digest};
use holdpoint_journal::{EventKind, JournalError};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

/// The PIN of a person: see [`Desk::pin`] and [`Desk::pin_of`].
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let desk = holdpoint::Desk::open("memory:").await?;
/// desk.pin().set(None, "4711").await?;
/// assert!(desk.pin().is_set().await?);
/// desk.pin().clear("4711").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Pin {
    desk: Desk,
    person: Option<String>,
}

impl Desk {
    /// The PIN that a yes to a dangerous ask needs, if one is set: of whoever the desk does not know by name.
    pub fn pin(&self) -> Pin {
        self.pin_for(None)
    }

    /// The PIN of this person, whom the page knows by name. Where they have none of their own, the one of
    /// [`Self::pin`] counts for them.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let desk = holdpoint::Desk::open("memory:").await?;
    /// desk.pin_of("ann").set(None, "4711").await?;
    /// assert!(!desk.pin_of("bob").is_set().await?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn pin_of(&self, person: &str) -> Pin {
        self.pin_for(Some(person.to_owned()))
    }

    fn pin_for(&self, person: Option<String>) -> Pin {
        let desk = self.clone();
        Pin { desk, person }
    }
}

impl Pin {
    /// Whether one counts for this person that is set, or was set and is missing.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub async fn is_set(&self) -> Result<bool, JournalError> {
        Ok(self.current().await?.is_some())
    }

    /// Sets it. A PIN that counts already is needed to change it.
    ///
    /// # Errors
    /// When the old one is wrong or missing, the new one too short, or the record cannot be kept.
    pub async fn set(&self, old: Option<&str>, new: &str) -> Result<(), PinError> {
        if new.chars().count() < SHORTEST_PIN {
            return Err(PinError::TooShort);
        }
        let before = self.prove(old).await?;
        let new = hash(new.to_owned()).await?;
        let check = Digest::hash_bytes(new.as_bytes());
        let keeper = match &self.person {
            Some(person) => self.desk.own_keeper().of(person),
            None => self.desk.inner.pin_place.make(&self.desk).await?,
        };
        let old = match state(&keeper).await? {
            State::Set(hash) => hash,
            _ => String::new(),
        };
        // Both are there until the event says which one counts.
        store(&keeper, Some([CHANGING, &old, &new].join("\n"))).await?;
        let set = json!({ "check": check });
        keeper
            .note(&self.desk, EventKind::PinSet, None, set)
            .await?;
        store(&keeper, Some(new)).await?;
        if let Some(before) = before.filter(|before| before.is_own && !keeper.is_own) {
            self.clear_in(&before).await?;
        }
        self.desk.reload_pin().await?;
        Ok(())
    }

    /// Clears it.
    ///
    /// # Errors
    /// When none is set, it is the wrong one, or the record cannot be kept.
    pub async fn clear(&self, old: &str) -> Result<(), PinError> {
        let of_this = |keeper: &Keeper| keeper.person == self.person;
        let current = self.current().await?.map(|(keeper, _)| keeper);
        // What counts for somebody without an own one is not theirs to clear.
        current.filter(of_this).ok_or(PinError::NotSet)?;
        let proved = self.prove(Some(old)).await?.filter(of_this);
        self.clear_in(&proved.ok_or(PinError::NotSet)?).await?;
        self.desk.reload_pin().await?;
        Ok(())
    }

    /// Checks the PIN that counts, where one is set, before something that only its person may do; what that is,
    /// is on record with the try.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let desk = holdpoint::Desk::open("memory:").await?;
    /// desk.pin().give(None, "a token").await?;
    /// desk.pin().set(None, "4711").await?;
    /// assert!(desk.pin().give(None, "a token").await.is_err());
    /// assert!(desk.pin().give(Some("0000"), "a token").await.is_err());
    /// desk.pin().give(Some("4711"), "a token").await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When it is the wrong one or missing, or only other people have one.
    pub async fn give(&self, given: Option<&str>, what_for: &str) -> Result<(), PinError> {
        if !self.is_set().await? {
            // Named persons have PINs: what is nobody's word must not lead around them.
            let others = is_any_named(&self.desk.own_keeper()).await?;
            return if others {
                Err(PinError::Nameless)
            } else {
                Ok(())
            };
        }
        let given = given.ok_or(PinError::Needed)?;
        self.check(given, None, json!({ "for": what_for })).await
    }

    async fn clear_in(&self, keeper: &Keeper) -> Result<(), JournalError> {
        if let State::Set(hash) = state(keeper).await? {
            store(keeper, Some([CHANGING, &hash].join("\n"))).await?;
        }
        keeper
            .note(&self.desk, EventKind::PinCleared, None, json!({}))
            .await?;
        store(keeper, None).await
    }

    /// Checks the PIN that counts, and gives where it is; none where none is set.
    async fn prove(&self, old: Option<&str>) -> Result<Option<Keeper>, PinError> {
        let Some((keeper, _)) = self.current().await? else {
            return Ok(None);
        };
        let old = old.ok_or(PinError::Needed)?;
        self.check(old, None, json!({ "for": "changing it" }))
            .await?;
        Ok(Some(keeper))
    }

    /// The PIN that counts, and where it is: this person's own, or else the account's, or else that of the
    /// desk's journal.
    async fn current(&self) -> Result<Option<(Keeper, State)>, JournalError> {
        let own = self.person.as_ref();
        let own = own.map(|person| self.desk.own_keeper().of(person));
        let others = self.desk.inner.pin_place.find(&self.desk).await?;
        for keeper in own.into_iter().chain(others) {
            match state(&keeper).await? {
                State::None => {}
                state => return Ok(Some((keeper, state))),
            }
        }
        Ok(None)
    }

    /// Whether this is the PIN. Every try is recorded first, and a wrong one slows the next one down.
    async fn check(&self, given: &str, ask: Option<AskId>, body: Value) -> Result<(), PinError> {
        // Those of one process need not race each other.
        let _turn = self.desk.inner.pin_turn.lock().await;
        let (keeper, hash) = match self.current().await? {
            Some((keeper, State::Set(hash))) => (keeper, hash),
            Some(_) => return Err(PinError::Missing),
            None => return Err(PinError::NotSet),
        };
        let tries = keeper.reserve_try(&self.desk, ask, &body).await?;
        if verify(given.to_owned(), hash).await? {
            let given = keeper.note(&self.desk, EventKind::PinGiven, ask, body);
            return Ok(given.await?);
        }
        keeper.note_wrong(&self.desk, ask, body).await?;
        Err(PinError::Wrong {
            retry_after: pause(tries),
        })
    }
}

async fn store(keeper: &Keeper, value: Option<String>) -> Result<(), JournalError> {
    let value = value.map(String::into_bytes);
    let place = place(keeper.person.as_deref());
    keeper.journal.store(&place, value).await
}

impl Desk {
    /// Checks the PIN that came with a yes to a dangerous ask, where PINs are set; gives why the yes does not
    /// count, or nothing where it does.
    pub(crate) async fn check_pin(
        &self,
        ask: AskId,
        from: &Replier,
    ) -> Result<Option<ReplyResult>, AskError> {
        let pin = self.pin_for(from.person.clone());
        if !pin.is_set().await? {
            return match from.person {
                // Theirs to set; the others' PINs are not theirs.
                Some(_) => Ok(None),
                // Named persons have PINs: what is nobody's word must not lead around them.
                None => Err(AskError::Pin(PinError::Nameless)),
            };
        }
        let Some(given) = &from.pin else {
            return Ok(Some(ReplyResult::PinNeeded));
        };
        let body = json!({ "channel": from.channel, "by": from.name });
        match pin.check(given, Some(ask), body).await {
            Ok(()) => Ok(None),
            Err(PinError::Wrong { retry_after }) => Ok(Some(ReplyResult::WrongPin { retry_after })),
            Err(PinError::Journal(error)) => Err(error.into()),
            Err(other) => Err(AskError::Pin(other)),
        }
    }

    /// Reads again whether anybody has a PIN: then dangerous asks go to the inbox only.
    pub(crate) async fn reload_pin(&self) -> Result<bool, JournalError> {
        let set = self.pin().is_set().await? || is_any_named(&self.own_keeper()).await?;
        self.inner.pin_set.store(set, Ordering::Relaxed);
        Ok(set)
    }
}
