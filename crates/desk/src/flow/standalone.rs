//! Asks and flows that no client's call makes: from a shell, a page or a test.

use super::{
    call::Call,
    client::NoClient,
    pending_ask::{Decided, PendingAsk},
    result::FlowResult,
    session::Session,
    task,
};
use crate::{AskError, Desk};
use futures::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use holdpoint_ask::{Answer, Ask, AskId, CallId, ClientProfile, Digest, Origin};
use holdpoint_journal::{AskRecord, CallBinding, NewCall};
use rmcp::model::CallToolResult;
use serde_json::Value;
use std::{fmt, sync::Arc, time::Duration};
use tokio::sync::oneshot;

/// An ask that is on record and waits for its answer: see [`Desk::ask`].
///
#[doc = include_str!("../../docs/standalone_ask.md")]
pub struct StandaloneAsk {
    call: Arc<Call>,
    id: AskId,
    decided: oneshot::Receiver<Result<Decided<Answer>, AskError>>,
    task: Task,
}

/// An ask that was left with people: see [`Desk::ask_and_leave`].
///
/// ```
/// fn say(left: &holdpoint::LeftAsk) -> String {
///     let word = if left.is_new { "asked" } else { "asked before" };
///     format!("{word}: {}", left.record.id)
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LeftAsk {
    /// What is on record of it.
    pub record: AskRecord,
    /// It was asked now, and not before under the same key.
    pub is_new: bool,
}

/// What kind of call such an ask is, as it is recorded.
const METHOD: &str = "ask";

impl Desk {
    /// Asks people without an agent's call. The ask is on record, and shown wherever this desk
    /// shows asks, when this returns. It stays open when the process ends, until its deadline.
    ///
    /// # Errors
    /// When it cannot be asked or put on record.
    pub async fn ask(&self, origin: Origin, ask: Ask) -> Result<StandaloneAsk, AskError> {
        self.ask_by(new_call(self, origin, METHOD), ask).await
    }

    /// Asks people and leaves the ask with them: its answer is read from the record, by whatever process. Under
    /// the same key the same principal asks once, also at another process and after a crash.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use holdpoint::{Ask, AskError, Desk, Origin};
    ///
    /// let desk = Desk::open("memory:").await?;
    /// let ask = async |key, text| desk.ask_and_leave(Origin::default(), key, Ask::confirm(text)).await;
    /// let first = ask(Some("deploy-17"), "Deploy?").await?;
    /// let again = ask(Some("deploy-17"), "Deploy?").await?;
    /// assert!(first.is_new && !again.is_new);
    /// assert_eq!(first.record.id, again.record.id);
    /// assert!(matches!(ask(Some("deploy-17"), "Drop it?").await, Err(AskError::KeyUsed)));
    /// assert!(ask(None, "Deploy?").await?.is_new);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When it cannot be asked or put on record, or something else was asked under this key.
    pub async fn ask_and_leave(
        &self,
        origin: Origin,
        key: Option<&str>,
        ask: Ask,
    ) -> Result<LeftAsk, AskError> {
        let mut new = new_call(self, origin, METHOD);
        let Some(key) = key else {
            return self.leave(new, ask).await;
        };
        new.id = CallId::named(&new.origin.principal, key);
        let (id, digest) = (new.id, ask.digest());
        // One at a time here. Of several processes, one opens the call.
        let _turn = self.calls().turn(id).lock().await;
        if let Some(before) = self.asked_before(id, digest).await? {
            return Ok(before);
        }
        match self.leave(new, ask).await {
            Ok(left) => Ok(left),
            Err(error) => self.asked_before(id, digest).await?.ok_or(error),
        }
    }

    async fn leave(&self, new: NewCall, ask: Ask) -> Result<LeftAsk, AskError> {
        let mut opened = self.ask_by(new, ask).await?;
        match self.journal().ask(opened.id()).await? {
            Some(record) => Ok(LeftAsk {
                record,
                is_new: true,
            }),
            None => Err(match opened.decided().await {
                Err(error) => error,
                Ok(_) => AskError::LostCall,
            }),
        }
    }

    /// What was asked in this call, where that is this ask.
    async fn asked_before(
        &self,
        call: CallId,
        digest: Digest,
    ) -> Result<Option<LeftAsk>, AskError> {
        let Some(history) = self.journal().call(call).await? else {
            return Ok(None);
        };
        match history.asks.into_iter().next() {
            Some(record) if record.digest == digest => Ok(Some(LeftAsk {
                record,
                is_new: false,
            })),
            _ => Err(AskError::KeyUsed),
        }
    }

    async fn ask_by(&self, new: NewCall, ask: Ask) -> Result<StandaloneAsk, AskError> {
        let call = standalone_call(self, new);
        let pending = PendingAsk::register(&call, ask)?;
        let id = pending.id().ok_or(AskError::LostCall)?;
        let open = self.live_ask(id);
        let (send, decided) = oneshot::channel();
        let flow = async move {
            let _ = send.send(pending.decided().await);
            FlowResult::Tool(CallToolResult::success(Vec::new()))
        };
        let mut changes = call.watch();
        let task = spawn(&call, flow.boxed());
        while open.as_ref().is_some_and(|open| !open.is_opened()) {
            changes.changed().await;
        }
        Ok(StandaloneAsk {
            call,
            id,
            decided,
            task,
        })
    }
}

impl StandaloneAsk {
    /// Its id.
    pub fn id(&self) -> AskId {
        self.id
    }

    /// Waits for the decision. It may be awaited again after it was dropped.
    ///
    /// # Errors
    /// For faults only; then nothing was approved.
    pub async fn decided(&mut self) -> Result<Decided<Answer>, AskError> {
        (&mut self.decided).await.unwrap_or(Err(AskError::LostCall))
    }

    /// Waits until it is on record that its answer was taken, before the process ends.
    pub async fn recorded(&self) {
        wait_for_end(&self.task).await;
    }

    /// Takes the ask back from everybody, if it is still open.
    pub async fn withdraw(&self) {
        self.call.cancel().await;
    }
}

impl fmt::Debug for StandaloneAsk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StandaloneAsk").field(&self.id).finish()
    }
}

/// A call that begins now, without arguments.
pub(crate) fn new_call(desk: &Desk, origin: Origin, method: &str) -> NewCall {
    NewCall {
        id: CallId::new(),
        origin,
        method: method.to_owned(),
        arguments: Value::Null,
        flow_version: String::new(),
        owner: desk.journal().owner(),
        opened_at: desk.now(),
        run: false,
    }
}

/// A call without a client.
pub(crate) fn standalone_call(desk: &Desk, new: NewCall) -> Arc<Call> {
    let session = Session {
        principal: new.origin.principal.clone(),
        client: new.origin.client.clone(),
        client_name: new.origin.client_name.clone(),
        revision: None,
        modern: false,
        form: false,
        url: false,
        sampling: false,
        roots: false,
        unattended: false,
        profile: ClientProfile::default(),
    };
    let binding = CallBinding(Digest::hash_bytes(new.id.as_bytes()));
    Call::new(
        desk.clone(),
        session,
        new,
        Arc::new(NoClient),
        Some(binding),
    )
}

/// The task of a flow, for whoever waits for its very end.
pub(crate) type Task = Shared<BoxFuture<'static, ()>>;

/// Runs a flow as a task of its own.
pub(crate) fn spawn(call: &Arc<Call>, flow: BoxFuture<'static, FlowResult>) -> Task {
    // Boxed: a task is moved several times before it first runs.
    let task = tokio::spawn(task::run(call.clone(), flow).boxed());
    task.map(|_| ()).boxed().shared()
}

/// Waits for a task's end, but not for a channel that hangs.
pub(crate) async fn wait_for_end(task: &Task) {
    let _ = tokio::time::timeout(LONGEST_WAIT, task.clone()).await;
}

const LONGEST_WAIT: Duration = Duration::from_secs(5);
