//! Trying a flow without a client: a person who says what the test wants.

use super::{context::ToolContext, standalone_flow::NoServer};
use crate::{
    Channel, Delivery, DeliveryError, Desk, Replier, Showing,
    flow::{
        result::FlowResult,
        standalone::{new_call, standalone_call},
        task,
    },
    sync::lock,
};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{Ask, ChannelKind, Gesture, Origin, Presence, Reply};
use holdpoint_journal::SqliteJournal;
use jiff::Timestamp;
use rmcp::model::CallToolResult;
use serde_json::Value;
use std::{collections::VecDeque, sync::Arc, sync::Mutex};
use tokio::sync::oneshot;

/// A channel whose person gives these replies, one to each ask, and then no more.
#[derive(Debug)]
pub struct Scripted {
    replies: Mutex<VecDeque<Reply>>,
}

impl Scripted {
    /// A person who gives these replies in turn.
    pub fn replies(replies: impl IntoIterator<Item = Reply>) -> Arc<Self> {
        Arc::new(Self {
            replies: Mutex::new(replies.into_iter().collect()),
        })
    }
}

impl Channel for Scripted {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Terminal
    }

    fn reaches(&self, _ask: &Ask) -> bool {
        true
    }

    fn answers_as(&self) -> Option<String> {
        Some("scripted".to_owned())
    }

    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        let reply = lock(&self.replies).pop_front();
        std::future::ready(Ok(match reply {
            Some(reply) => Delivery::Replied(reply, at_leisure(showing.ask().word())),
            None => Delivery::Parked,
        }))
        .boxed()
    }
}

/// The presence of a person who has read an ask whose word is this one, and answers it deliberately.
pub fn at_leisure(word: &str) -> Presence {
    Presence::seen(Timestamp::UNIX_EPOCH, Gesture::Word(word.to_owned())).at_terminal()
}

/// A person who has read an ask that names no word of its own, and answers it deliberately.
pub fn person(channel: ChannelKind, name: Option<&str>) -> Replier {
    let name = name.map(str::to_owned);
    Replier::new(channel, name, at_leisure("confirm"))
}

/// An accepted form with this content.
pub fn accept(content: Value) -> Reply {
    let content = match content {
        Value::Object(content) => content,
        _ => Default::default(),
    };
    Reply::Accept { content }
}

/// Runs a flow whose asks get these replies, on a desk of its own, and gives what it ends with.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use holdpoint::{Outcome, Yes, testing::{accept, with_replies}};
/// use serde_json::json;
///
/// let yes = accept(json!({ "confirmed": true }));
/// let outcome = with_replies([yes], |cx| async move {
///     cx.elicitor().confirm("Delete 5 artifacts?").await
/// });
/// assert_eq!(outcome.await.unwrap(), Outcome::Accepted(Yes));
/// # }
/// ```
///
/// # Panics
/// When the flow does.
pub async fn with_replies<T, F>(
    replies: impl IntoIterator<Item = Reply>,
    flow: impl FnOnce(ToolContext) -> F + Send + 'static,
) -> T
where
    T: Send + 'static,
    F: Future<Output = T> + Send,
{
    let journal = SqliteJournal::in_memory().expect("a journal in memory can be made");
    let desk = Desk::builder(Arc::new(journal))
        .channel(Scripted::replies(replies))
        .build();
    let desk = desk.await.expect("a journal in memory is always there");
    let origin = Origin {
        principal: "test".to_owned(),
        ..Origin::default()
    };
    let call = standalone_call(&desk, new_call(&desk, origin, "tools/call"));
    let (send, ended) = oneshot::channel();
    let context = ToolContext::new(call.clone(), Arc::new(NoServer));
    let flow = async move {
        let _ = send.send(flow(context).await);
        FlowResult::Tool(CallToolResult::success(Vec::new()))
    };
    task::run(call, flow.boxed()).await;
    ended.await.expect("the flow panicked")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clock, ReplyResult};
    use holdpoint_ask::Outcome;
    use jiff::SignedDuration;
    use serde_json::json;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[tokio::test]
    async fn a_yes_after_the_machine_slept_past_the_deadline_is_late() {
        let slept = Arc::new(AtomicBool::new(false));
        let seen = slept.clone();
        let hours = SignedDuration::from_hours(30);
        let clock = Clock::from_fn(move || {
            if seen.load(Ordering::SeqCst) {
                Timestamp::UNIX_EPOCH + hours
            } else {
                Timestamp::UNIX_EPOCH
            }
        });
        let desk = Desk::builder(Arc::new(SqliteJournal::in_memory().unwrap()))
            .clock(clock)
            .channel(Scripted::replies([]));
        let desk = desk.build().await.unwrap();
        let ask = desk.ask(Origin::default(), Ask::confirm("Go?")).await;
        let ask = ask.unwrap();
        slept.store(true, Ordering::SeqCst);
        let person = person(ChannelKind::Inbox, None);
        let yes = accept(json!({ "confirmed": true }));
        let taken = desk.reply(ask.id(), person, yes).await.unwrap();
        let ReplyResult::Late(decision) = taken else {
            panic!("{taken:?}")
        };
        assert_eq!(decision.outcome, Outcome::TimedOut);
    }
}
