//! The one place that opens an ask, delivers it and settles it.

use crate::{
    AskError, Channel, Clock, DeskBuilder, Settings,
    core::open_ask::OpenAsk,
    core::secret_box::Unsealer,
    flow::call::Call,
    mcp::{orphaned_calls::OrphanedCalls, request_state::Seal},
    sync::lock,
};
use holdpoint_ask::{Ask, AskId, CallId, ClientProfile, Digest};
use holdpoint_journal::{JournalEngine, JournalError, Write, Written};
use jiff::Timestamp;
use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

/// Opens asks, delivers them and settles them. Cheap to clone; all clones are one desk.
#[derive(Clone)]
pub struct Desk {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub journal: Arc<dyn JournalEngine>,
    pub settings: Settings,
    pub clock: Clock,
    pub channels: Vec<Arc<dyn Channel>>,
    pub page: Option<Page>,
    pub profiles: HashMap<String, ClientProfile>,
    pub seal: Seal,
    pub live: Mutex<HashMap<AskId, Arc<OpenAsk>>>,
    pub calls: Mutex<HashMap<CallId, Weak<Call>>>,
    /// Calls that no request speaks for, by what was called.
    pub idle: Mutex<HashMap<Digest, Weak<Call>>>,
    pub lost: OrphanedCalls,
    /// HeldRequest while a call is taken over.
    pub taking_over: tokio::sync::Mutex<()>,
    /// Keeps what a principal's name is made of out of the record.
    pub principal_key: [u8; 32],
    /// A PIN is set, as far as this process knows.
    pub pin_set: AtomicBool,
    /// HeldRequest while a PIN is checked.
    pub pin_turn: tokio::sync::Mutex<()>,
    /// Opens secrets that were given in another process.
    pub unsealer: Unsealer,
    pub open_by_principal: Mutex<HashMap<String, usize>>,
}

/// Where on a page an ask can be answered. The address carries no key.
pub(crate) type Page = Arc<dyn Fn(AskId) -> String + Send + Sync>;

impl Desk {
    /// A desk over this journal, yet to be set up.
    pub fn builder(journal: Arc<dyn JournalEngine>) -> DeskBuilder {
        DeskBuilder::new(journal)
    }

    /// A desk over the journal at this address: `sqlite:PATH` or `memory:`.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let desk = holdpoint::Desk::open("memory:").await.unwrap();
    /// assert!(desk.journal().verify().await.unwrap().flaws.is_empty());
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the journal cannot be opened.
    pub async fn open(journal: &str) -> Result<Self, JournalError> {
        let journal = holdpoint_journal::open(journal).await?;
        Self::builder(journal).build().await
    }

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

    /// What its clock says.
    pub fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// Whether a surface of the desk's own shows this ask.
    pub(crate) fn shown_elsewhere(&self, ask: &Ask) -> bool {
        self.inner
            .channels
            .iter()
            .any(|channel| channel.reaches(ask))
    }

    /// Whether dangerous asks are kept from clients, which may answer for the person.
    pub(crate) fn dangerous_by_inbox_only(&self) -> bool {
        self.inner.settings.dangerous_by_inbox_only || self.inner.pin_set.load(Ordering::Relaxed)
    }

    pub(crate) fn profile(&self, name: &str, version: &str) -> ClientProfile {
        match self.inner.profiles.get(name) {
            Some(profile) => profile.clone(),
            None => ClientProfile::for_client(name, Some(version)),
        }
    }

    pub(crate) fn live_ask(&self, id: AskId) -> Option<Arc<OpenAsk>> {
        lock(&self.inner.live).get(&id).cloned()
    }

    pub(crate) fn live_call(&self, id: CallId) -> Option<Arc<Call>> {
        lock(&self.inner.calls).get(&id).and_then(Weak::upgrade)
    }

    pub(crate) fn enter_call(&self, call: &Arc<Call>) {
        lock(&self.inner.calls).insert(call.id, Arc::downgrade(call));
    }

    /// A call of the same caller with the same arguments that no request speaks for and whose
    /// asks are open.
    pub(crate) fn take_idle(&self, binding: impl FnOnce() -> Digest) -> Option<Arc<Call>> {
        let mut idle = lock(&self.inner.idle);
        if idle.is_empty() {
            return None;
        }
        let call = idle.remove(&binding())?.upgrade()?;
        drop(idle);
        let wanted = call.done().is_none() && !call.state().cancelled;
        (wanted && !call.open_asks().is_empty()).then_some(call)
    }

    pub(crate) fn leave_call(&self, call: &Call) {
        let same = |other: &Weak<Call>| std::ptr::eq(other.as_ptr(), call);
        let mut calls = lock(&self.inner.calls);
        if calls.get(&call.id).is_some_and(same) {
            calls.remove(&call.id);
        }
        drop(calls);
        let mut idle = lock(&self.inner.idle);
        if !idle.is_empty() && idle.get(&call.binding().0).is_some_and(same) {
            idle.remove(&call.binding().0);
        }
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
