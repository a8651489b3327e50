//! Setting a desk up: the one place that knows all of its layers.

#[cfg(feature = "sqlite")]
mod named;

use crate::{
    Channel, Clock, Desk, Settings,
    core::{
        desk::{Inner, Keys, Page},
        journal_follower,
        open_inboxes::OpenInboxes,
        parked_inbox::ParkedInbox,
        pin_place::{PinJournal, PinPlace},
        secret_box::SecretBox,
    },
    flow::calls::Calls,
};
use holdpoint_ask::{AskId, ClientProfile};
use holdpoint_journal::{JournalEngine, JournalError};
use std::{collections::HashMap, fmt, sync::Arc};

/// A desk that is being set up.
///
#[doc = include_str!("../docs/builder.md")]
pub struct DeskBuilder {
    journal: Arc<dyn JournalEngine>,
    settings: Settings,
    clock: Clock,
    channels: Vec<Arc<dyn Channel>>,
    page: Option<Page>,
    /// Where the page is that another process may host.
    shared_page: Option<ParkedInbox>,
    parks_for_watchers: bool,
    /// Makes the settings as strict as the person wants them.
    tighten: Option<Tighten>,
    pin_place: PinPlace,
    profiles: HashMap<String, ClientProfile>,
}

type Tighten = Box<dyn FnOnce(Settings) -> Settings + Send + Sync>;

impl Desk {
    /// A desk over this journal, yet to be set up.
    pub fn builder(journal: Arc<dyn JournalEngine>) -> DeskBuilder {
        DeskBuilder {
            journal,
            settings: Settings::default(),
            clock: Clock::system(),
            channels: Vec::new(),
            page: None,
            shared_page: None,
            parks_for_watchers: false,
            tighten: None,
            pin_place: PinPlace::default(),
            profiles: HashMap::new(),
        }
    }
}

impl DeskBuilder {
    /// How it behaves.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Another clock than the machine's.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// A channel that every ask goes to, beside the client that called.
    pub fn channel(mut self, channel: Arc<dyn Channel>) -> Self {
        self.channels.push(channel);
        self
    }

    /// Every ask also waits in the journal for whatever inbox is opened on it, by this process or another,
    /// now or later: for a journal that people look at, as they do at their own. Where the page is that some
    /// process hosts, the desk finds out by itself.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), holdpoint::journal::JournalError> {
    /// let journal = holdpoint::journal::open("memory:").await?;
    /// let desk = holdpoint::Desk::builder(journal).shared_inbox().build().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn shared_inbox(mut self) -> Self {
        let inbox = ParkedInbox::default();
        self.shared_page = Some(inbox.clone());
        self.parks_for_watchers = false;
        self.channel(Arc::new(inbox))
    }

    /// An ask waits in the journal for an inbox that watches it, where one does when the ask is made. Where
    /// none does, nobody is said to be reached. [`Desk::open`] does this.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), holdpoint::journal::JournalError> {
    /// let journal = holdpoint::journal::open("memory:").await?;
    /// let desk = holdpoint::Desk::builder(journal).park_for_watchers().build().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn park_for_watchers(mut self) -> Self {
        // Where everything waits for an inbox anyway, nothing is left to look for.
        if self.shared_page.is_none() {
            self.shared_page = Some(ParkedInbox::default());
            self.parks_for_watchers = true;
        }
        self
    }

    /// Settings are made as strict as this wants them.
    #[cfg(feature = "sqlite")]
    pub(crate) fn tighten(
        mut self,
        tighten: impl FnOnce(Settings) -> Settings + Send + Sync + 'static,
    ) -> Self {
        self.tighten = Some(Box::new(tighten));
        self
    }

    /// Where an ask can be answered on a page: clients that open addresses are sent there with
    /// what a form cannot carry. The address must hold no credential.
    pub fn page(mut self, address: impl Fn(AskId) -> String + Send + Sync + 'static) -> Self {
        self.page = Some(Arc::new(address));
        self
    }

    /// Where the person's PIN is; the desk's own journal where nothing is said.
    pub fn pin_place(mut self, place: PinPlace) -> Self {
        self.pin_place = place;
        self
    }

    /// What the client of this name really renders, in place of what is known of it.
    pub fn profile(mut self, client: impl Into<String>, profile: ClientProfile) -> Self {
        self.profiles.insert(client.into(), profile);
        self
    }

    /// The desk.
    ///
    /// # Errors
    /// When the journal's key or its events cannot be read.
    pub async fn build(self) -> Result<Desk, JournalError> {
        let keys = Keys {
            request_state: self.journal.key("request-state").await?,
            principal: self.journal.key("principal").await?,
        };
        let head = self.journal.head().await?;
        let record = self.journal.clone();
        let clock = self.clock.ahead_by(move || record.clock_offset());
        let settings = match self.tighten {
            Some(tighten) => tighten(self.settings),
            None => self.settings,
        };
        let desk = Desk {
            inner: Arc::new(Inner {
                journal: self.journal,
                settings,
                clock,
                channels: self.channels,
                page: self.page,
                inboxes: OpenInboxes::new(self.shared_page, self.parks_for_watchers),
                profiles: self.profiles,
                keys,
                live: Default::default(),
                redelivered: Default::default(),
                open_by_principal: Default::default(),
                calls: Arc::new(Calls::default()),
                pin_place: PinJournal::new(self.pin_place),
                pin_set: Default::default(),
                pin_turn: Default::default(),
                secrets: SecretBox::new(),
                fetched: Default::default(),
            }),
        };
        desk.reload_pin().await?;
        desk.look_for_inbox().await;
        tokio::spawn(journal_follower::follow(Arc::downgrade(&desk.inner), head));
        Ok(desk)
    }
}

impl fmt::Debug for DeskBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeskBuilder")
            .field("journal", &self.journal)
            .field("settings", &self.settings)
            .field("channels", &self.channels)
            .finish_non_exhaustive()
    }
}
