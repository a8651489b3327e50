//! Setting a desk up: the one place that knows all of its layers.

use crate::{
    Channel, Clock, Desk, InboxPlace, Personal, PersonalError, Settings,
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
use holdpoint_workspace::account;
use std::{collections::HashMap, sync::Arc};

/// A desk that is being set up.
pub struct DeskBuilder {
    journal: Arc<dyn JournalEngine>,
    settings: Settings,
    clock: Clock,
    channels: Vec<Arc<dyn Channel>>,
    page: Option<Page>,
    /// Where the page is that another process may host.
    shared_page: Option<ParkedInbox>,
    parks_for_watchers: bool,
    /// What the person has set, which the desk is never looser than.
    personal: Option<Personal>,
    pin_place: PinPlace,
    profiles: HashMap<String, ClientProfile>,
}

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
            personal: None,
            pin_place: PinPlace::default(),
            profiles: HashMap::new(),
        }
    }

    /// A desk over the person's own journal: what it asks waits in their one inbox, beside what every other
    /// agent asks them, for whatever page or terminal they look at.
    ///
    /// It finds that journal as the binary `holdpoint` does ([`Personal`]), keeps to what the person has
    /// set, asks for their PIN, and knows where their page is, as soon as there is one. Where they turned the
    /// inbox off, they are reached through their client only.
    ///
    /// ```no_run
    /// # async fn serve() -> Result<(), holdpoint::PersonalError> {
    /// let desk = holdpoint::Desk::shared().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When what the person has set is wrong, or was to be loosened by who started this process; when
    /// their journal cannot be opened.
    pub async fn shared() -> Result<Self, PersonalError> {
        Ok(Self::shared_builder().await?.build().await?)
    }

    /// As [`Self::shared`], yet to be set up further, with channels and settings of one's own. What the
    /// person has set holds all the same: settings that would trust more count for less.
    ///
    /// ```no_run
    /// use holdpoint::{Desk, Settings};
    /// use std::time::Duration;
    ///
    /// # async fn serve() -> Result<(), holdpoint::PersonalError> {
    /// let desk = Desk::shared_builder()
    ///     .await?
    ///     .settings(Settings { hold: Duration::from_secs(20), ..Settings::default() })
    ///     .build()
    ///     .await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As there.
    pub async fn shared_builder() -> Result<DeskBuilder, PersonalError> {
        Personal::find()?.desk_builder().await
    }

    /// A desk over the journal at this address: `sqlite:PATH` or `memory:`. A relative path is one below
    /// the person's own folder for Holdpoint, never below the current folder; see
    /// [`journal::open`](holdpoint_journal::open()).
    ///
    /// An ask that the client cannot show waits for an inbox that watches that journal, where one does
    /// (`holdpoint inbox --journal sqlite:PATH`, in a terminal or with `--web`), and ends `unreachable`
    /// where none does. For the person's own journal, which their inbox watches anyway, use
    /// [`Self::shared`].
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
        Self::builder(journal).park_for_watchers().build().await
    }
}

impl Personal {
    /// A desk over the person's own journal, yet to be set up further: what [`Desk::shared_builder`] gives.
    ///
    /// # Errors
    /// When the journal cannot be opened.
    pub async fn desk_builder(self) -> Result<DeskBuilder, PersonalError> {
        let journal = holdpoint_journal::open(&self.journal).await?;
        let pin_place = PinPlace::of_person(self.account_journal.clone(), &self.journal);
        let mut desk = Desk::builder(journal).pin_place(pin_place);
        desk = match self.inbox {
            InboxPlace::Off => desk,
            // Nobody else ever sees what is in this process's memory.
            _ if self.journal == "memory:" => desk.park_for_watchers(),
            _ => desk.shared_inbox(),
        };
        desk.personal = Some(self);
        Ok(desk)
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
        let inbox = ParkedInbox::new(account::user_name(), "");
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
        let settings = match &self.personal {
            Some(personal) => personal.tighten(self.settings),
            None => self.settings,
        };
        let desk = Desk {
            inner: Arc::new(Inner {
                journal: self.journal,
                settings,
                clock: self.clock,
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
            }),
        };
        desk.reload_pin().await?;
        desk.look_for_inbox().await;
        tokio::spawn(journal_follower::follow(Arc::downgrade(&desk.inner), head));
        Ok(desk)
    }
}
