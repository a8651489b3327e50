//! The inbox as a channel of the desk.

use super::channel::{Channel, Delivery, DeliveryError, Showing};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{AskId, ChannelKind};
use holdpoint_journal::{JournalError, Vault};
use std::{
    fmt,
    sync::{Arc, RwLock},
};

/// The name under which the page's address is stored beside the journal.
const ADDRESS: &str = "page-address";

/// The inbox as a channel: it reaches every ask, and parks it until somebody answers on the page or
/// in a terminal, in this process or another. All clones are one.
///
/// ```
/// use holdpoint::{Desk, ParkedInbox, journal};
/// use std::sync::Arc;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), journal::JournalError> {
/// let inbox = ParkedInbox::new(Some("ann".into()), "http://127.0.0.1:4653");
/// let page = inbox.clone();
/// let desk = Desk::builder(journal::open("memory:").await?)
///     .channel(Arc::new(inbox))
///     .page(move |ask| page.ask_address(ask))
///     .build()
///     .await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct ParkedInbox {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    user: Option<String>,
    address: RwLock<String>,
}

impl ParkedInbox {
    /// An inbox whose answers are recorded as this user's. The page will probably be at this
    /// address, such as `http://127.0.0.1:4653`; it is empty where that is not known.
    pub fn new(user: Option<String>, address: impl Into<String>) -> Self {
        let address = RwLock::new(address.into());
        Self {
            shared: Arc::new(Shared { user, address }),
        }
    }

    /// As whom the page answers.
    pub fn user(&self) -> Option<&str> {
        self.shared.user.as_deref()
    }

    /// Where the page is; empty where that is not known.
    pub fn address(&self) -> String {
        let address = self.shared.address.read();
        address.map(|address| address.clone()).unwrap_or_default()
    }

    /// Says that the page is here now.
    pub fn set_address(&self, address: impl Into<String>) {
        if let Ok(mut known) = self.shared.address.write() {
            *known = address.into();
        }
    }

    /// Where this ask can be answered. The address holds no key.
    pub fn ask_address(&self, ask: AskId) -> String {
        format!("{}/ask/{ask}", self.address())
    }

    /// As [`Self::ask_address`]; none where no page is known of.
    pub(crate) fn page_of(&self, ask: AskId) -> Option<String> {
        (!self.address().is_empty()).then(|| self.ask_address(ask))
    }
}

/// Reads where the page of this journal is, or was last: what its host has stored. It holds no key.
///
/// # Errors
/// When what lies beside the journal cannot be read.
pub async fn stored_page_address(journal: &dyn Vault) -> Result<Option<String>, JournalError> {
    let stored = journal.load(ADDRESS).await?;
    Ok(stored.and_then(|bytes| String::from_utf8(bytes).ok()))
}

/// Stores where the page of this journal is, for other processes; for who hosts it. The address must
/// hold no key: it is handed to agents.
///
/// # Errors
/// When it cannot be written.
pub async fn store_page_address(journal: &dyn Vault, address: &str) -> Result<(), JournalError> {
    journal
        .store(ADDRESS, Some(address.as_bytes().to_vec()))
        .await
}

impl Channel for ParkedInbox {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Inbox
    }

    fn deliver(&self, _showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        std::future::ready(Ok(Delivery::Parked)).boxed()
    }
}

impl fmt::Debug for ParkedInbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParkedInbox")
            .field("address", &self.address())
            .finish_non_exhaustive()
    }
}
