//! The answer of `--answer`, as a channel.

use super::{Decision, print};
use crate::terminal::person;
use futures::{FutureExt, future::BoxFuture};
use holdpoint::{
    Answer, Ask, Channel, ChannelKind, Delivery, DeliveryError, Presence, Reply, Showing,
};
use serde_json::Value;

/// Replies with an answer that was given beforehand, and is recorded as such.
#[derive(Debug)]
pub struct GivenBeforehand(pub Decision);

impl Channel for GivenBeforehand {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Preset
    }

    fn reaches(&self, _: &Ask) -> bool {
        true
    }

    fn answers_as(&self) -> Option<String> {
        Some(person::user())
    }

    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        let content = Answer::from_iter([("decision".to_owned(), self.0.as_str().into())]);
        print::decide(&showing.text());
        print::answered(&Value::Object(content.clone()), true);
        let reply = Delivery::Replied(Reply::Accept { content }, Presence::default());
        std::future::ready(Ok(reply)).boxed()
    }
}
