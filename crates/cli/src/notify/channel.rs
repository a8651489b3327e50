//! A channel that tells its person of what it shows.

use super::Notifier;
use futures::future::BoxFuture;
use holdpoint::{Ask, AskId, Channel, ChannelKind, Delivery, DeliveryError, Showing};
use std::{fmt, sync::Arc};

/// Where an ask can be answered.
pub type Address = dyn Fn(AskId) -> String + Send + Sync;

/// A channel that tells its person of every ask that it is given.
pub struct Notified<C> {
    channel: C,
    notifier: Arc<Notifier>,
    address: Arc<Address>,
}

impl<C: Channel> Notified<C> {
    /// This channel, with hooks.
    pub fn new(
        channel: C,
        notifier: Arc<Notifier>,
        address: impl Fn(AskId) -> String + Send + Sync + 'static,
    ) -> Self {
        Self {
            channel,
            notifier,
            address: Arc::new(address),
        }
    }
}

impl<C: Channel> Channel for Notified<C> {
    fn kind(&self) -> ChannelKind {
        self.channel.kind()
    }

    fn reaches(&self, ask: &Ask) -> bool {
        self.channel.reaches(ask)
    }

    fn answers_as(&self) -> Option<String> {
        self.channel.answers_as()
    }

    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        // After an invalid reply it is delivered again: the person knows of it already.
        if showing.errors.is_empty() {
            self.notifier.tell(&showing, &self.address);
        }
        self.channel.deliver(showing)
    }
}

impl<C: fmt::Debug> fmt::Debug for Notified<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Notified").field(&self.channel).finish()
    }
}
