//! The caller of a request during which nobody is asked: a list, a completion, a subscription.

use crate::Desk;
use std::sync::Arc;

/// The caller of a request during which nobody is asked. What belongs to one principal, or to one
/// workspace, is shown to nobody else: compare these two with an ask's origin.
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
///     Ok(caller.desk.journal().asks(query).await?.len())
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
