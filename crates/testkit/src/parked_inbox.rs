//! An inbox without a page.

use futures::future::BoxFuture;
use holdpoint::{Channel, ChannelKind, Delivery, DeliveryError, Showing};

/// An inbox that parks everything; replies come through the desk.
#[derive(Debug)]
pub struct ParkedInbox;

impl Channel for ParkedInbox {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Inbox
    }

    fn deliver(&self, _: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        Box::pin(async { Ok(Delivery::Parked) })
    }
}
