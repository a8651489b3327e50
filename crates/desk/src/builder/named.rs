//! Desks over journals that are named or found: the person's own, or one at an address.

use crate::{Desk, DeskBuilder, InboxPlace, Personal, PersonalError, PinPlace};
use holdpoint_journal::JournalError;

impl Desk {
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
    ///     .settings(Settings::default().hold(Duration::from_secs(20)))
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
    /// ```no_run
    /// # async fn serve() -> Result<(), holdpoint::PersonalError> {
    /// let personal = holdpoint::Personal::find()?;
    /// println!("the inbox is over {}", personal.journal);
    /// let desk = personal.desk_builder().await?.build().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the journal cannot be opened.
    pub async fn desk_builder(self) -> Result<DeskBuilder, PersonalError> {
        let journal = holdpoint_journal::open(&self.journal).await?;
        let pin_place = PinPlace::of_person(self.account_journal.clone(), &self.journal);
        let desk = Desk::builder(journal).pin_place(pin_place);
        let desk = match self.inbox {
            InboxPlace::Off => desk,
            // Nobody else ever sees what is in this process's memory.
            _ if self.journal == "memory:" => desk.park_for_watchers(),
            _ => desk.shared_inbox(),
        };
        Ok(desk.tighten(move |settings| self.tighten(settings)))
    }
}
