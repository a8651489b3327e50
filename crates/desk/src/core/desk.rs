//! The one place that opens an ask, delivers it and settles it.

use super::{
    channel::Channel, end_signal::EndSignal, fetched_files::FetchedFiles, open_ask::OpenAsk,
    open_inboxes::OpenInboxes, pin_place::PinJournal, secret_box::SecretBox,
};
use crate::{AskError, Clock, Settings, sync::lock};
use holdpoint_ask::{Ask, AskId, CallId, ChannelKind, ClientProfile, Decision};
use holdpoint_journal::{JournalEngine, Write, Written};
use jiff::{SignedDuration, Timestamp};
use std::{
    any::Any,
    collections::HashMap,
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

/// How long an ask waits at least after somebody was seen at work on it.
const WHILE_AT_IT: SignedDuration = SignedDuration::from_mins(10);

/// Opens asks, delivers them and settles them. Cheap to clone; all clones are one desk.
///
#[doc = include_str!("../../docs/desk.md")]
#[derive(Clone)]
pub struct Desk {
    pub(crate) inner: Arc<Inner>,
}

/// What all clones of a desk share.
///
/// Lock order: a call's state before `open_by_principal`. `live`, `redelivered` and `open_by_principal` are held
/// for one statement each, and no lock is taken while they are. `pin_turn` is held across awaits and
/// is taken with no other lock held.
pub(crate) struct Inner {
    pub journal: Arc<dyn JournalEngine>,
    pub settings: Settings,
    pub clock: Clock,
    pub channels: Vec<Arc<dyn Channel>>,
    pub page: Option<Page>,
    /// The inboxes of other processes.
    pub inboxes: OpenInboxes,
    pub profiles: HashMap<String, ClientProfile>,
    pub keys: Keys,
    /// The asks that are open in this process.
    pub live: Mutex<HashMap<AskId, Arc<OpenAsk>>>,
    /// The asks of processes that are gone which channels of this one show again.
    pub redelivered: Mutex<HashMap<AskId, EndSignal>>,
    pub open_by_principal: Mutex<HashMap<String, usize>>,
    /// The calls of this process, which the layer above knows.
    pub calls: Arc<dyn CallRegistry>,
    /// Where the person's PIN is.
    pub pin_place: PinJournal,
    /// A PIN is set, as far as this process knows.
    pub pin_set: AtomicBool,
    /// Held while a PIN is checked.
    pub pin_turn: tokio::sync::Mutex<()>,
    /// Opens secrets that were given in another process.
    pub secrets: SecretBox,
    /// The files that people gave, where the journal does not keep them as files.
    pub fetched: FetchedFiles,
}

/// Keys that belong to the journal, so that they outlive the process.
pub(crate) struct Keys {
    /// Seals the state that a client's retry brings back.
    pub request_state: [u8; 32],
    /// Keeps what a principal's name is made of out of the record.
    pub principal: [u8; 32],
}

/// Where on a page an ask can be answered. The address carries no key.
pub(crate) type Page = Arc<dyn Fn(AskId) -> String + Send + Sync>;

/// The calls that run in this process. The core only needs to tell them that another process has
/// taken one over.
pub(crate) trait CallRegistry: Any + Send + Sync {
    /// Another process runs this call now, under this epoch. Gives the asks that are lost with it.
    fn taken_over(&self, call: CallId, epoch: u64) -> Vec<Arc<OpenAsk>>;

    /// Who waits for this ask, which was decided; one whose flow was let go is run again. `live` takes it out of the
    /// asks of this process, which may have come back there.
    fn decided(
        &self,
        decision: &Decision,
        live: &mut dyn FnMut() -> Option<Arc<OpenAsk>>,
    ) -> Waiting;

    /// Whether a flow that was let go waits for this ask.
    fn waits_for(&self, ask: AskId) -> bool;
}

/// Who waits for an ask.
pub(crate) enum Waiting {
    /// A flow that runs in this process.
    Here(Arc<OpenAsk>),
    /// A flow of this process that was let go, in whose name it asks.
    LetGo { principal: String },
    /// None of this process.
    Nobody,
}

impl Desk {
    /// The record.
    pub fn journal(&self) -> &Arc<dyn JournalEngine> {
        &self.inner.journal
    }

    /// How it is set.
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// Gives an open ask more time, or no deadline at all; false where it has ended.
    ///
    /// # Errors
    /// When the record cannot be kept.
    pub async fn extend(
        &self,
        ask: AskId,
        deadline_at: Option<Timestamp>,
        by: &str,
    ) -> Result<bool, AskError> {
        let write = Write::Extend {
            ask,
            deadline_at,
            by: by.to_owned(),
            at: self.now(),
        };
        let written = self.inner.journal.commit(vec![write]).await?;
        Ok(written == [Written::Applied(true)])
    }

    /// Gives an open ask more time because somebody types or scrolls in it: ten minutes from now, and never beyond
    /// [`Settings::inbox_timeout`] after it was opened. Gives its deadline then; none where it has none, or has ended.
    ///
    /// # Errors
    /// When the record cannot be read or kept.
    pub async fn keep_open(&self, ask: AskId, by: &str) -> Result<Option<Timestamp>, AskError> {
        let record = self.inner.journal.ask(ask).await?;
        let Some(record) = record.filter(|record| record.decision.is_none()) else {
            return Ok(None);
        };
        let now = self.now();
        let Some(deadline) = record.deadline_at.filter(|deadline| *deadline > now) else {
            return Ok(None);
        };
        let longest = self.inner.settings.inbox_timeout;
        let most = longest.and_then(|longest| {
            let longest = SignedDuration::try_from(longest).ok()?;
            record.opened_at.checked_add(longest).ok()
        });
        let wanted = now + WHILE_AT_IT;
        let later = most.map_or(wanted, |most| wanted.min(most));
        if later <= deadline {
            return Ok(Some(deadline));
        }
        let extended = self.extend(ask, Some(later), by).await?;
        Ok(extended.then_some(later))
    }

    /// What its clock says.
    pub fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// The desk's own channels that can show this ask, each with its place among all.
    pub(crate) fn channels_for(
        &self,
        ask: &Ask,
    ) -> impl Iterator<Item = (usize, &Arc<dyn Channel>)> {
        let channels = self.inner.channels.iter().enumerate();
        channels.filter(|(_, channel)| channel.reaches(ask))
    }

    /// Whether a channel of the desk's own can show this ask, or an inbox that watches the journal; as it
    /// was when the desk last looked ([`Self::look_for_inbox`]).
    pub(crate) fn can_show_elsewhere(&self, ask: &Ask) -> bool {
        self.channels_for(ask).next().is_some() || self.inner.inboxes.is_watched()
    }

    /// As [`Self::can_show_elsewhere`], without the channels that have failed to show this ask.
    pub(crate) fn shown_elsewhere(&self, open: &OpenAsk) -> bool {
        let mut channels = self.channels_for(open.ask());
        channels.any(|(place, _)| open.is_shown_by(place)) || self.inner.inboxes.is_watched()
    }

    /// Whether asks wait in an inbox.
    pub(crate) fn has_inbox(&self) -> bool {
        let mut channels = self.inner.channels.iter();
        let inbox = |channel: &Arc<dyn Channel>| channel.kind() == ChannelKind::Inbox;
        channels.any(inbox) || self.inner.inboxes.is_watched()
    }

    /// Where on a page this ask can be answered.
    pub(crate) fn page_of(&self, ask: AskId) -> Option<String> {
        let page = self.inner.page.as_ref().map(|page| page(ask));
        page.or_else(|| self.inner.inboxes.page_of(ask))
    }

    /// Whether dangerous asks are kept from clients, which may answer for the person.
    pub(crate) fn dangerous_by_inbox_only(&self) -> bool {
        self.inner.settings.dangerous_by_inbox_only || self.inner.pin_set.load(Ordering::Relaxed)
    }

    /// What the client of this name renders.
    pub(crate) fn profile(&self, name: &str) -> ClientProfile {
        match self.inner.profiles.get(name) {
            Some(profile) => profile.clone(),
            None => ClientProfile::for_client(name),
        }
    }

    /// An ask that is open in this process.
    pub(crate) fn live_ask(&self, id: AskId) -> Option<Arc<OpenAsk>> {
        lock(&self.inner.live).get(&id).cloned()
    }

    /// Counts one more open ask of this principal, if it may have one.
    pub(crate) fn admit(&self, principal: &str) -> Result<(), AskError> {
        let limit = self.inner.settings.max_open_asks;
        let mut open = lock(&self.inner.open_by_principal);
        match open.get_mut(principal) {
            Some(count) if *count >= limit => return Err(AskError::TooMany { limit }),
            Some(count) => *count += 1,
            None if limit == 0 => return Err(AskError::TooMany { limit }),
            None => drop(open.insert(principal.to_owned(), 1)),
        }
        Ok(())
    }

    /// Counts an ask that was open before, whatever the limit.
    pub(crate) fn readmit(&self, principal: &str) {
        let mut open = lock(&self.inner.open_by_principal);
        match open.get_mut(principal) {
            Some(count) => *count += 1,
            None => drop(open.insert(principal.to_owned(), 1)),
        }
    }

    /// Counts one open ask less of this principal.
    pub(crate) fn dismiss(&self, principal: &str) {
        let mut open = lock(&self.inner.open_by_principal);
        if let Some(count) = open.get_mut(principal) {
            *count -= 1;
            if *count == 0 {
                open.remove(principal);
            }
        }
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk")
            .field("journal", &self.inner.journal)
            .field("settings", &self.inner.settings)
            .finish_non_exhaustive()
    }
}
