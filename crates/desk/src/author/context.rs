//! What a tool has at hand.
#![allow(deprecated)] // Older clients still have sampling, roots and logging.

use super::{elicitor::Elicitor, logger::Logger, sampler::Sampler};
use crate::{
    AskError, ClientError, Desk, FlowVersion, GrantError, Session, StepError, flow::call::Call,
};
use futures::future::BoxFuture;
use holdpoint_ask::{
    AskId, CallId, Decision, Digest, GrantId, Origin,
    check::{MAX_DETAILS, MAX_MESSAGE},
    describe::error_chain,
};
use jiff::Timestamp;
use rmcp::{
    ErrorData,
    handler::server::common::{AsRequestContext, FromContextPart},
    model::{CallToolResult, ListRootsResult},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use std::{fmt, fmt::Display, sync::Arc, time::Duration};
use tokio::time::{Instant, interval_at};

/// The server of a call, as the call's flow sees it.
pub(crate) trait CallServer: Send + Sync {
    /// Waits for the result of the call that made this ask; `pending` where it does not come in
    /// time.
    fn await_answer(
        self: Arc<Self>,
        asker: Arc<Call>,
        ask: AskId,
        wait: Duration,
    ) -> BoxFuture<'static, Result<CallToolResult, ErrorData>>;

    /// Notifies the clients that subscribed to this resource.
    fn resource_updated(&self, uri: &str);

    /// Notifies clients that resources have come or gone.
    fn resource_list_changed(&self);
}

/// What a tool, prompt or resource has at hand: its session, people to ask, steps, progress, the
/// client's model and log. Take it as an argument of a `#[tool]` or `#[prompt]` function.
///
/// It belongs to the call, not to one request: it stays good across rounds, and after the client
/// is gone.
///
#[doc = include_str!("../../docs/tool_context.md")]
#[derive(Clone)]
pub struct ToolContext {
    call: Arc<Call>,
    server: Arc<dyn CallServer>,
    /// What came beside the arguments of the request that runs the flow; none where nothing did.
    meta: Option<Arc<Map<String, Value>>>,
}

impl ToolContext {
    pub(crate) fn new(call: Arc<Call>, server: Arc<dyn CallServer>) -> Self {
        Self {
            call,
            server,
            meta: None,
        }
    }

    /// The same, with what came in the request's `_meta`.
    pub(crate) fn with_meta(mut self, meta: &Map<String, Value>) -> Self {
        self.meta = (!meta.is_empty()).then(|| Arc::new(meta.clone()));
        self
    }

    /// What the client said under this name in the `_meta` of its request. A flow that is run again may have
    /// been called by another one, or by none.
    ///
    /// ```
    /// fn tool_use(cx: &holdpoint::ToolContext) -> Option<&str> {
    ///     cx.request_meta("claudecode/toolUseId")?.as_str()
    /// }
    /// ```
    pub fn request_meta(&self, name: &str) -> Option<&Value> {
        self.meta.as_ref()?.get(name)
    }

    /// Asks people.
    pub fn elicitor(&self) -> Elicitor {
        Elicitor::new(self.call.clone())
    }

    /// Who calls, and what their client can do.
    pub fn session(&self) -> &Session {
        &self.call.session
    }

    /// The call's id, the same in every round and after every restart.
    pub fn call_id(&self) -> CallId {
        self.call.id
    }

    /// When the call was opened, the same in every round and after every restart.
    pub fn opened_at(&self) -> Timestamp {
        self.call.request.opened_at
    }

    /// The version of the flow, as recorded when the call was opened.
    pub fn flow_version(&self) -> FlowVersion {
        self.call.request.flow_version.as_str().into()
    }

    /// Whether an earlier run of this call has asked or done something that this one has not come
    /// to yet.
    pub fn replays(&self) -> bool {
        self.call.replays()
    }

    /// Whether the call was taken back: what it asks is withdrawn, and what it has not done yet
    /// should stay undone.
    pub fn is_cancelled(&self) -> bool {
        self.call.is_cancelled()
    }

    /// Makes this call a run: it is on record even if it neither asks nor does anything, with its
    /// arguments, workspace, result and times, and people find it by itself. A run that asks and does
    /// nothing is recorded by one commit, at its end.
    ///
    /// ```
    /// fn begin(cx: &holdpoint::ToolContext) {
    ///     cx.record_run();
    /// }
    /// ```
    pub fn record_run(&self) {
        self.call.record_run();
    }

    /// Masks the secrets that this call's flow was given. Results and steps are masked anyway; what
    /// a flow says in other ways is not.
    pub fn mask(&self, value: &mut Value) {
        self.call.mask(value);
    }

    /// Whether this call's flow was given secrets, so that there is something to mask.
    ///
    /// ```
    /// fn shown(cx: &holdpoint::ToolContext, mut value: serde_json::Value) -> serde_json::Value {
    ///     if cx.has_secrets() {
    ///         cx.mask(&mut value);
    ///     }
    ///     value
    /// }
    /// ```
    pub fn has_secrets(&self) -> bool {
        self.call.has_secrets()
    }

    /// The folder that the agent works in, as recorded when the call was opened.
    pub fn workspace(&self) -> Option<&str> {
        self.call.request.origin.workspace.as_deref()
    }

    /// Who calls, from where, through which server: what binds the answers that this call gets. An
    /// answer on record counts only for the same ([`Origin::is_bound_like`]).
    pub fn origin(&self) -> &Origin {
        &self.call.request.origin
    }

    /// How many bytes of details the person can be shown: where they have an inbox there is room for a long
    /// diff, and what does not fit a client's form is read there. It may be another number in a later run:
    /// read it in a step.
    ///
    /// ```
    /// # use holdpoint::{StepError, ToolContext};
    /// async fn diff(cx: &ToolContext, whole: String) -> Result<String, StepError> {
    ///     let cut = async { whole.chars().take(cx.room_for_details() / 4).collect() };
    ///     cx.step("diff", cut).await
    /// }
    /// ```
    pub fn room_for_details(&self) -> usize {
        if self.call.desk.has_inbox() {
            MAX_DETAILS
        } else {
            MAX_MESSAGE
        }
    }

    /// The desk, for grants and the record.
    pub fn desk(&self) -> &Desk {
        &self.call.desk
    }

    /// Runs an effect once, however often the flow is run again. What an ask shows of the world
    /// is read in a step too, so that a later run sees what the person saw.
    ///
    #[doc = include_str!("../../docs/step.md")]
    ///
    /// # Errors
    /// [`StepError::Interrupted`] where a crash left it unfinished: show the person what may or
    /// may not have happened, and do not run it again.
    pub fn step<T, F>(&self, name: &str, effect: F) -> impl Future<Output = Result<T, StepError>>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = T>,
    {
        self.call.step(name, effect)
    }

    /// As [`Self::step`], with words for the people who read the record and search it: `label` says what
    /// is done (`git commit -m 'Fix it'`), `came_to` what came of it (`exit code 0`). Secrets that this
    /// call was given are masked in them, what cannot be seen is made visible, and long ones are cut.
    ///
    /// ```
    /// # use holdpoint::{StepError, ToolContext};
    /// async fn push(cx: &ToolContext) -> Result<i32, StepError> {
    ///     let came_to = |code: &i32| Some(format!("exit code {code}"));
    ///     cx.labelled_step("push", "git push origin main", came_to, async { 0 }).await
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn labelled_step<T, F>(
        &self,
        name: &str,
        label: &str,
        came_to: impl FnOnce(&T) -> Option<String>,
        effect: F,
    ) -> impl Future<Output = Result<T, StepError>>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = T>,
    {
        self.call.labelled_step(name, label, came_to, effect)
    }

    /// As [`Self::step`], for an effect that can fail. That it failed is recorded with its reason, and a
    /// later run of the flow gets it again; to try once more in the same run, call it again.
    ///
    #[doc = include_str!("../../docs/try_step.md")]
    ///
    /// # Errors
    /// [`StepError::Failed`] where it failed, and as [`Self::step`].
    pub fn try_step<T, E, F>(
        &self,
        name: &str,
        effect: F,
    ) -> impl Future<Output = Result<T, StepError>>
    where
        T: Serialize + DeserializeOwned,
        E: Display,
        F: Future<Output = Result<T, E>>,
    {
        self.call.try_step(name, effect)
    }

    /// As [`Self::step`], for an effect that does no harm if it happens twice: one that a crash left
    /// unfinished is run again.
    ///
    #[doc = include_str!("../../docs/step_at_least_once.md")]
    ///
    /// # Errors
    /// When the record cannot be kept, or another process runs this call.
    pub fn step_at_least_once<T, F>(
        &self,
        name: &str,
        effect: F,
    ) -> impl Future<Output = Result<T, StepError>>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = T>,
    {
        self.call.step_at_least_once(name, effect)
    }

    /// Makes a grant of an accepted decision: a permission that can be used once, until it expires, for
    /// one purpose and one digest. Give the digest of exactly what was shown, read before the ask.
    /// A flow that is run again gets the same grant.
    ///
    #[doc = include_str!("../../docs/grant.md")]
    ///
    /// # Errors
    /// When the decision is not an accepted one on record, or has given a grant for something else.
    pub async fn grant(
        &self,
        decision: &Decision,
        purpose: &str,
        digest: Digest,
        lifetime: Duration,
    ) -> Result<GrantId, GrantError> {
        self.call.grant(decision, purpose, digest, lifetime).await
    }

    /// Uses a grant up, for exactly what was shown and in the name of this call's principal. A flow that
    /// is run again gets what it got the first time.
    ///
    /// # Errors
    /// When it is not good for this; then nothing may be done.
    pub async fn redeem(
        &self,
        grant: GrantId,
        purpose: &str,
        digest: Digest,
    ) -> Result<(), GrantError> {
        self.call.redeem(grant, purpose, digest).await
    }

    /// Waits for the answer to an ask of a call that ended `pending`, and gives that call's own
    /// result; `pending` again where it does not come in time. A call whose process is gone is
    /// taken over here. Offer it as a tool named `await_answer`, which is what the agent is told to
    /// call; the client is sent signs of life meanwhile. An ask of another server, principal, client or workspace does not exist for
    /// this one.
    ///
    /// ```
    /// use holdpoint::{AskId, ToolContext};
    /// use rmcp::{ErrorData, model::CallToolResult};
    /// use std::time::Duration;
    ///
    /// async fn await_answer(cx: ToolContext, ask: AskId) -> Result<CallToolResult, ErrorData> {
    ///     cx.await_answer(ask, Duration::from_secs(45)).await
    /// }
    /// ```
    ///
    /// # Errors
    /// When there is no such ask, or its call cannot be resumed.
    pub async fn await_answer(
        &self,
        ask: AskId,
        wait: Duration,
    ) -> Result<CallToolResult, ErrorData> {
        let every = self.call.desk.settings().keep_alive;
        let mut beat = interval_at(Instant::now() + every, every);
        let server = self.server.clone();
        let mut answer = server.await_answer(self.call.clone(), ask, wait);
        loop {
            tokio::select! {
                answer = &mut answer => return answer,
                _ = beat.tick() => self.call.still_waiting(ask).await,
            }
        }
    }

    /// Reports progress to a client that wants it. It only ever rises.
    pub async fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        if self.call.repeats() {
            return;
        }
        let message = message.map(str::to_owned);
        let active = &self.call.active;
        active.progress(Some(progress), total, message).await;
    }

    /// The client's model.
    pub fn sampler(&self) -> Sampler {
        Sampler {
            call: self.call.clone(),
        }
    }

    /// The client's roots.
    ///
    /// ```
    /// use holdpoint::{ClientError, ToolContext};
    ///
    /// async fn folders(cx: &ToolContext) -> Result<Vec<String>, ClientError> {
    ///     match cx.roots().await {
    ///         Ok(list) => Ok(list.roots.into_iter().map(|root| root.uri).collect()),
    ///         Err(ClientError::Unsupported(_)) => Ok(Vec::new()),
    ///         Err(error) => Err(error),
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// When the client lists none, is gone, or refuses.
    pub async fn roots(&self) -> Result<ListRootsResult, ClientError> {
        if !self.call.session.roots {
            return Err(ClientError::Unsupported("roots"));
        }
        self.call.request_client("roots/list", json!({})).await
    }

    /// The client's log.
    pub fn logger(&self) -> Logger {
        Logger {
            call: self.call.clone(),
        }
    }

    /// Notifies every client that subscribed to this resource, in both eras, whoever calls now and
    /// whoever they are: a server whose resources belong to single principals keeps subscriptions itself. They
    /// are kept for one that says that it has some and does not handle them.
    ///
    #[doc = include_str!("../../docs/resource_updated.md")]
    pub async fn resource_updated(&self, uri: impl Into<String>) {
        self.server.resource_updated(&uri.into());
    }

    /// Notifies every client that wants to know, in both eras, that resources have come or gone, where the
    /// server says that it does so.
    ///
    #[doc = include_str!("../../docs/resource_updated.md")]
    pub async fn resource_list_changed(&self) {
        self.server.resource_list_changed();
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ToolContext").field(&self.call.id).finish()
    }
}

impl<C: AsRequestContext> FromContextPart<C> for ToolContext {
    fn from_context_part(context: &mut C) -> Result<Self, ErrorData> {
        let context = context.as_request_context();
        let own = context.extensions.get::<Self>().cloned();
        own.ok_or_else(|| {
            ErrorData::internal_error(
                "This tool asks people: serve its server through holdpoint::Holdpoint.",
                None,
            )
        })
    }
}

impl From<AskError> for ErrorData {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Type(_)
            | AskError::NoSecrets
            | AskError::Flawed(_)
            | AskError::TooMany { .. } => ErrorData::invalid_params(error_chain(&error), None),
            _ => ErrorData::internal_error(error_chain(&error), None),
        }
    }
}

impl From<StepError> for ErrorData {
    fn from(error: StepError) -> Self {
        ErrorData::internal_error(error_chain(&error), None)
    }
}
