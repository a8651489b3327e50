//! A person who replies at once.

use futures::future::BoxFuture;
use holdpoint::{
    Ask, Channel, ChannelKind, ChannelReply, Delivery, DeliveryError, Reply, Showing,
    testing::at_leisure,
};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

/// A person at a terminal who gives these replies in turn, and then no more; what they were asked is
/// kept.
#[derive(Debug, Default)]
pub struct ReplyingChannel {
    replies: Mutex<VecDeque<Reply>>,
    asked: Mutex<Vec<Ask>>,
}

impl ReplyingChannel {
    /// One who says these things.
    pub fn says(replies: impl IntoIterator<Item = Reply>) -> Arc<Self> {
        Arc::new(Self {
            replies: Mutex::new(replies.into_iter().collect()),
            asked: Mutex::default(),
        })
    }

    /// What they were asked.
    pub fn asked(&self) -> Vec<Ask> {
        self.asked.lock().unwrap().clone()
    }
}

impl Channel for ReplyingChannel {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Terminal
    }

    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        self.asked.lock().unwrap().push(showing.ask().clone());
        let reply = self.replies.lock().unwrap().pop_front();
        let delivery = match reply {
            Some(reply) => {
                let reply = ChannelReply::new(reply).by("ada");
                Delivery::Replied(reply.with_presence(at_leisure(showing.ask().word())))
            }
            None => Delivery::Parked,
        };
        Box::pin(async { Ok(delivery) })
    }
}
