//! The caller of a request during which nobody is asked: a list, a completion, a subscription.

use crate::Desk;
use holdpoint_ask::Origin;
use std::sync::Arc;

/// The caller of a request during which nobody is asked. What belongs to one server, principal and
/// workspace is shown to nobody else: see [`Origin::is_seen_by`].
///
/// ```
/// use holdpoint::{AskError, Caller, journal::AskQuery};
///
/// /// How many questions of this caller are open: for `list_resources`.
/// async fn open_asks() -> Result<usize, AskError> {
///     let Some(caller) = Caller::current() else {
///         return Ok(0);
///     };
///     let principal = Some(caller.principal);
///     let query = AskQuery { open: true, principal, ..AskQuery::default() };
///     let asks = caller.desk.journal().asks(query).await?;
///     let own = asks.iter().filter(|ask| ask.origin.is_seen_by(&caller.origin));
///     Ok(own.count())
/// }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Caller {
    /// The desk.
    pub desk: Desk,
    /// In whose name the request is made.
    pub principal: String,
    /// The folder that the agent works in.
    pub workspace: Option<Arc<str>>,
    /// Where the request comes from, without a tool: what an ask's own origin is compared with.
    pub origin: Origin,
    /// The connection, the same for all of its requests; for what lasts as long as it does.
    pub connection: u64,
}

tokio::task_local! {
    static CALLER: Caller;
}

impl Caller {
    /// The caller of the request that is being handled, within `list_resources`,
    /// `list_resource_templates`, `complete`, `subscribe`, `unsubscribe` and `listen` of a handler
    /// that [`Holdpoint`](crate::Holdpoint) wraps. Tools, prompts and resources that are read have a
    /// [`ToolContext`](crate::ToolContext) instead.
    pub fn current() -> Option<Self> {
        CALLER.try_with(Self::clone).ok()
    }

    /// Handles a request of this caller.
    pub(crate) async fn scope<F: Future>(self, request: F) -> F::Output {
        CALLER.scope(self, request).await
    }
}
