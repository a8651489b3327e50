//! A channel of which somebody hears what it shows.

use futures::future::BoxFuture;
use holdpoint::{Ask, Channel, ChannelKind, Delivery, DeliveryError, Showing};
use std::{fmt, sync::Arc};

/// A channel that calls a function with every ask that it is given, before it shows it.
pub struct ObservedChannel {
    channel: Arc<dyn Channel>,
    observe: Box<dyn Fn(&Showing) + Send + Sync>,
}

impl ObservedChannel {
    /// Wraps this channel.
    pub fn new(
        channel: Arc<dyn Channel>,
        observe: impl Fn(&Showing) + Send + Sync + 'static,
    ) -> Self {
        Self {
            channel,
            observe: Box::new(observe),
        }
    }
}

impl Channel for ObservedChannel {
    fn kind(&self) -> ChannelKind {
        self.channel.kind()
    }

    fn reaches(&self, ask: &Ask) -> bool {
        self.channel.reaches(ask)
    }

    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        (self.observe)(&showing);
        self.channel.deliver(showing)
    }
}

impl fmt::Debug for ObservedChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ObservedChannel")
            .field(&self.channel)
            .finish()
    }
}
