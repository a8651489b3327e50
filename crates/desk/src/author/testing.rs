//! Trying a flow without a client: a person who says what the test wants.

use crate::{
    Channel, Delivery, DeliveryError, Desk, Showing, ToolContext,
    author::standalone_flow::NoServer,
    flow::result::FlowResult,
    flow::standalone_ask::{alone, begun},
    flow::task,
    sync::lock,
};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{Ask, ChannelKind, Origin, Reply};
use holdpoint_journal::SqliteJournal;
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

    fn deliver(&self, _showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        let reply = lock(&self.replies).pop_front();
        std::future::ready(Ok(match reply {
            Some(reply) => Delivery::Replied(reply),
            None => Delivery::Parked,
        }))
        .boxed()
    }
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
    let call = alone(&desk, begun(&desk, origin, "tools/call"));
    let (tell, told) = oneshot::channel();
    let context = ToolContext::new(call.clone(), Arc::new(NoServer));
    let flow = async move {
        let _ = tell.send(flow(context).await);
        FlowResult::Tool(CallToolResult::success(Vec::new()))
    };
    task::run(call, flow.boxed()).await;
    told.await.expect("the flow panicked")
}
