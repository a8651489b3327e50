//! The answer of `--answer`, as a channel.

use super::{Decision, print};
use crate::terminal::person;
use futures::{FutureExt, future::BoxFuture};
use holdpoint::{
    Answer, Channel, ChannelKind, ChannelReply, Delivery, DeliveryError, Reply, Showing,
};
use serde_json::Value;

/// Replies with an answer that was given beforehand, and is recorded as such.
#[derive(Debug)]
pub struct GivenBeforehand(pub Decision);

impl Channel for GivenBeforehand {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Preset
    }

    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        let content = Answer::from_iter([("decision".to_owned(), self.0.as_str().into())]);
        print::decide(&showing.text(), true);
        print::answered(&Value::Object(content.clone()), true);
        let reply = ChannelReply::new(Reply::Accept { content }).by(person::user());
        let reply = Delivery::Replied(reply);
        std::future::ready(Ok(reply)).boxed()
    }
}
