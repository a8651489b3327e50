//! The inboxes that are open on the desk's journal, in whatever process, as far as the desk knows.

use super::{
    desk::Desk,
    open_ask::OpenAsk,
    parked_inbox::{ParkedInbox, stored_page_address},
};
use crate::sync::lock;
use holdpoint_ask::{AskId, ChannelKind};
use holdpoint_journal::JournalError;
use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::time::Instant;

/// For how long an address of the page is believed before it is read again.
const FRESH: Duration = Duration::from_secs(2);

/// What a desk knows of the inboxes on its journal.
#[derive(Debug, Default)]
pub(crate) struct OpenInboxes {
    /// Asks are left to an inbox that watches the journal, where one does.
    parks_for_watchers: bool,
    /// One did when it was looked last.
    watched: AtomicBool,
    /// Knows where the page is that another process may host.
    page: Option<ParkedInbox>,
    /// When that was read.
    read_at: Mutex<Option<Instant>>,
}

/// Where a person can answer an ask.
#[derive(Debug)]
pub(crate) struct AnswerPlace {
    /// On this page.
    pub page: Option<String>,
    /// In the inbox.
    pub inbox: bool,
}

impl OpenInboxes {
    /// The inboxes that another process may open: the page's address goes here, and with
    /// `parks_for_watchers` asks are left to those that are open.
    pub fn new(page: Option<ParkedInbox>, parks_for_watchers: bool) -> Self {
        Self {
            parks_for_watchers,
            page,
            ..Self::default()
        }
    }

    /// Whether an inbox watched the journal when the desk looked last.
    pub fn is_watched(&self) -> bool {
        self.watched.load(Ordering::SeqCst)
    }

    /// Where on a page that another process hosts this ask can be answered.
    pub fn page_of(&self, ask: AskId) -> Option<String> {
        // Who leaves asks only to inboxes that are open sends nobody to a page that is not.
        let is_there = !self.parks_for_watchers || self.is_watched();
        let page = self.page.as_ref().filter(|_| is_there)?;
        page.page_of(ask)
    }
}

impl Desk {
    /// Looks who watches the journal, and where its page is. It is awaited wherever an ask would end for
    /// want of an inbox, so that none does while one is open.
    pub(crate) async fn look_for_inbox(&self) {
        // Most desks have nothing to look for. Boxed: whoever replies holds a pointer, not all of it.
        if self.inner.inboxes.page.is_some() {
            Box::pin(self.look()).await;
        }
    }

    async fn look(&self) {
        let inboxes = &self.inner.inboxes;
        if inboxes.parks_for_watchers {
            match self.journal().is_watched().await {
                Ok(watched) => inboxes.watched.store(watched, Ordering::SeqCst),
                Err(error) => warn(&error),
            }
        }
        let Some(page) = &inboxes.page else { return };
        let now = Instant::now();
        let is_fresh = |read_at: Instant| now.saturating_duration_since(read_at) < FRESH;
        if !page.address().is_empty() && lock(&inboxes.read_at).is_some_and(is_fresh) {
            return;
        }
        match stored_page_address(self.journal().as_ref()).await {
            Ok(address) => {
                page.set_address(address.unwrap_or_default());
                *lock(&inboxes.read_at) = Some(now);
            }
            Err(error) => warn(&error),
        }
    }

    /// As [`Self::shown_elsewhere`], looked up now.
    pub(crate) async fn is_shown_elsewhere_now(&self, open: &OpenAsk) -> bool {
        self.look_for_inbox().await;
        self.shown_elsewhere(open)
    }

    /// Where this ask can be answered, for an agent to say: looked up now, since the page may have come
    /// after the ask.
    pub(crate) async fn answer_place(&self, ask: AskId) -> AnswerPlace {
        self.look_for_inbox().await;
        let mut channels = self.inner.channels.iter();
        AnswerPlace {
            page: self.page_of(ask),
            inbox: self.inner.inboxes.is_watched()
                || channels.any(|channel| channel.kind() == ChannelKind::Inbox),
        }
    }
}

fn warn(error: &JournalError) {
    tracing::warn!(
        error = error as &dyn std::error::Error,
        "it cannot be told whether an inbox is open"
    );
}
