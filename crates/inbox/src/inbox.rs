//! The inbox as a channel of the desk.

use futures::{FutureExt, future::BoxFuture};
use holdpoint::{AskId, Channel, ChannelKind, Delivery, DeliveryError, Showing};
use std::{
    fmt,
    sync::{Arc, RwLock},
};

/// The inbox as a channel: it reaches every ask, and parks it until somebody answers on the page or
/// in a terminal, in this process or another.
#[derive(Clone)]
pub struct Inbox {
    shared: Arc<Shared>,
}

struct Shared {
    user: Option<String>,
    address: RwLock<String>,
}

impl Inbox {
    /// An inbox whose answers are recorded as this user's. The page will probably be at this
    /// address, such as `http://127.0.0.1:4653`.
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

    /// Where the page is.
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
}

impl Channel for Inbox {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Inbox
    }

    fn deliver(&self, _showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        std::future::ready(Ok(Delivery::Parked)).boxed()
    }
}

impl fmt::Debug for Inbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inbox")
            .field("address", &self.address())
            .finish_non_exhaustive()
    }
}
