//! The PIN that a yes to a dangerous ask needs.
//!
//! It belongs to the person: the binary keeps it with the journal of the person's account, so that no flag
//! or variable that names another journal leads around it ([`PinPlace`]). A PIN that an older program set
//! in the desk's own journal counts where the person's own place has none.
//!
//! Its hash lies beside the journal. That a PIN was set, and the digest of its hash, is an event. Where
//! one of the two is lost or another one, the PIN is missing, and everything is refused: it is never
//! taken for none.
//!
//! A try is recorded before it is judged, on the condition that no other try came in between. So of many
//! tries at once, in many processes, only as many are judged as the waiting time allows.

use super::{
    desk::Desk,
    judge::Replier,
    pin_hash::{hash, verify},
    pin_place::Keeper,
    reply_result::ReplyResult,
};
use crate::{AskError, PinError, error::SHORTEST_PIN};
use holdpoint_ask::{AskId, Digest};
use holdpoint_journal::{Event, EventKind, JournalEngine, JournalError, Write, Written};
use serde_json::{Value, json};
use std::{sync::atomic::Ordering, time::Duration};

const NAME: &str = "pin";
/// The first line of what lies beside the journal while a PIN is being set or cleared: until the event
/// is there, nothing has changed, and no crash locks anybody out.
const CHANGING: &str = "changing";
/// So many wrong ones cost nothing: people mistype.
const FREE_TRIES: u32 = 3;
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);
/// Enough to see how many wrong ones came in a row; more of them wait the longest anyway.
const LOOK_BACK: usize = 48;
/// How often a try that others were faster than is begun again.
const MOST_RACES: usize = 100;

const SETTING: [EventKind; 2] = [EventKind::PinSet, EventKind::PinCleared];
const TRYING: [EventKind; 5] = EventKind::PIN;

/// The PIN of a desk's person: see [`Desk::pin`].
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
}

impl Desk {
    /// The PIN that a yes to a dangerous ask needs, if one is set.
    pub fn pin(&self) -> Pin {
        Pin { desk: self.clone() }
    }
}

/// What is known of a PIN in one place.
#[derive(Debug)]
enum State {
    /// None was set, or it was cleared.
    None,
    /// It is checked with this hash.
    Set(String),
    /// One was set, and its hash or its event is lost.
    Missing,
}

impl Pin {
    /// Whether one is set, or was set and is missing.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub async fn is_set(&self) -> Result<bool, JournalError> {
        Ok(self.current().await?.is_some())
    }

    /// Sets it. A PIN that is set already is needed to change it.
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
        let keeper = self.desk.inner.pin_place.make(&self.desk).await?;
        let old = match state(&*keeper.journal).await? {
            State::Set(hash) => hash,
            _ => String::new(),
        };
        // Both are there until the event says which one counts.
        store(&keeper, Some([CHANGING, &old, &new].join("\n"))).await?;
        self.note(&keeper, EventKind::PinSet, None, json!({ "check": check }))
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
        let keeper = self.prove(Some(old)).await?.ok_or(PinError::NotSet)?;
        self.clear_in(&keeper).await?;
        self.desk.reload_pin().await?;
        Ok(())
    }

    async fn clear_in(&self, keeper: &Keeper) -> Result<(), JournalError> {
        if let State::Set(hash) = state(&*keeper.journal).await? {
            store(keeper, Some([CHANGING, &hash].join("\n"))).await?;
        }
        self.note(keeper, EventKind::PinCleared, None, json!({}))
            .await?;
        store(keeper, None).await
    }

    /// Checks the PIN that is set, and gives where it is; none where none is set.
    async fn prove(&self, old: Option<&str>) -> Result<Option<Keeper>, PinError> {
        let Some((keeper, _)) = self.current().await? else {
            return Ok(None);
        };
        let old = old.ok_or(PinError::Needed)?;
        self.check(old, None, json!({ "for": "changing it" }))
            .await?;
        Ok(Some(keeper))
    }

    /// The PIN that counts, and where it is: the person's own, or else that of the desk's journal.
    async fn current(&self) -> Result<Option<(Keeper, State)>, JournalError> {
        for keeper in self.desk.inner.pin_place.find(&self.desk).await? {
            match state(&*keeper.journal).await? {
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
        let tries = self.reserve(&keeper, ask, &body).await?;
        if verify(given.to_owned(), hash).await? {
            self.note(&keeper, EventKind::PinGiven, ask, body).await?;
            return Ok(());
        }
        let mut body = body;
        body["tried"] = true.into();
        self.note(&self.desk.own_keeper(), EventKind::WrongPin, ask, body)
            .await?;
        Err(PinError::Wrong {
            retry_after: pause(tries),
        })
    }

    /// Records that a PIN is tried, if one may be tried now; gives how many tries in a row that makes.
    async fn reserve(
        &self,
        keeper: &Keeper,
        ask: Option<AskId>,
        body: &Value,
    ) -> Result<u32, PinError> {
        for _ in 0..MOST_RACES {
            let history = keeper.journal.guard_events(&TRYING, LOOK_BACK).await?;
            let tries = tries_in_a_row(&history);
            if let Some(retry_after) = self.wait(&history, tries) {
                return Err(PinError::Wrong { retry_after });
            }
            let reserve = Write::NotePin {
                after: history.first().map_or(0, |event| event.seq),
                ask: ask.filter(|_| keeper.is_own),
                kind: EventKind::PinTried,
                body: body.clone(),
                at: self.desk.now(),
            };
            if keeper.journal.commit(vec![reserve]).await? == [Written::Applied(true)] {
                return Ok(tries + 1);
            }
        }
        Err(PinError::Wrong {
            retry_after: Duration::from_secs(1),
        })
    }

    fn wait(&self, history: &[Event], tries: u32) -> Option<Duration> {
        let last = history.iter().find(|event| is_try(event))?;
        let since = self.desk.now().duration_since(last.at);
        let since = Duration::try_from(since).unwrap_or_default();
        pause(tries)
            .checked_sub(since)
            .filter(|left| !left.is_zero())
    }

    async fn note(
        &self,
        keeper: &Keeper,
        kind: EventKind,
        ask: Option<AskId>,
        body: Value,
    ) -> Result<(), JournalError> {
        let note = Write::Note {
            call: None,
            ask: ask.filter(|_| keeper.is_own),
            kind,
            body,
            at: self.desk.now(),
        };
        keeper.journal.commit(vec![note]).await.map(drop)
    }
}

/// What a journal and what lies beside it say of a PIN: both must, and the same.
async fn state(journal: &dyn JournalEngine) -> Result<State, JournalError> {
    let last = journal.guard_events(&SETTING, 1).await?;
    let stored = journal.load(NAME).await?.unwrap_or_default();
    let stored = String::from_utf8_lossy(&stored);
    Ok(match last.first() {
        Some(event) if event.kind == EventKind::PinSet => {
            let check = &event.body["check"];
            let fits = |line: &&str| json!(Digest::hash_bytes(line.as_bytes())) == *check;
            match stored.lines().find(fits) {
                Some(hash) => State::Set(hash.to_owned()),
                None => State::Missing,
            }
        }
        _ if stored.is_empty() || stored.lines().next() == Some(CHANGING) => State::None,
        // A hash, and no event says that it was set: that event is lost.
        _ => State::Missing,
    })
}

async fn store(keeper: &Keeper, value: Option<String>) -> Result<(), JournalError> {
    let value = value.map(String::into_bytes);
    keeper.journal.store(NAME, value).await
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
    pub(crate) async fn reload_pin(&self) -> Result<bool, JournalError> {
        let set = self.pin().is_set().await?;
        self.inner.pin_set.store(set, Ordering::Relaxed);
        Ok(set)
    }
}

/// How many tries came since the last right one, or since it was set.
fn tries_in_a_row(history: &[Event]) -> u32 {
    use EventKind::{PinTried, WrongPin};
    let in_a_row = history
        .iter()
        .take_while(|event| matches!(event.kind, PinTried | WrongPin));
    in_a_row.filter(|event| is_try(event)).count() as u32
}

/// Whether it is a try, and not only what came of one. An older program recorded wrong ones alone.
fn is_try(event: &Event) -> bool {
    match event.kind {
        EventKind::WrongPin => event.body.get("tried").is_none(),
        kind => kind == EventKind::PinTried,
    }
}

/// How long a try has to wait after so many wrong ones in a row.
fn pause(wrong: u32) -> Duration {
    match wrong.checked_sub(FREE_TRIES) {
        None | Some(0) => Duration::ZERO,
        Some(more) => Duration::from_secs(1 << more.min(20)).min(LONGEST_WAIT),
    }
}
