//! An ask that no agent's call makes: from a shell.

use crate::{
    AskError, Decided, Desk, Session,
    author::question::{decided, secrets_of},
    author::standalone_flow::{self, Task},
    flow::call::Call,
    flow::result::FlowResult,
    mcp::{legacy_client::ClientLink, request_state::Binding},
};
use futures::FutureExt;
use holdpoint_ask::{Answer, Ask, AskId, CallId, ClientProfile, Digest, Origin};
use holdpoint_journal::NewCall;
use rmcp::model::CallToolResult;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::oneshot;

/// An ask that is on record and waits for its answer: see [`Desk::ask`].
pub struct StandaloneAsk {
    call: Arc<Call>,
    id: AskId,
    decided: oneshot::Receiver<Result<Decided<Answer>, AskError>>,
    task: Task,
}

impl Desk {
    /// Asks people without an agent's call. The ask is on record, and shown wherever this desk
    /// shows asks, when this returns. It stays open when the process ends, until its deadline.
    ///
    /// # Errors
    /// When it cannot be asked or put on record.
    pub async fn ask(&self, origin: Origin, ask: Ask) -> Result<StandaloneAsk, AskError> {
        let call = alone(self, begun(self, origin, "ask"));
        let secrets = secrets_of(&ask);
        let waiting = call.register(ask)?;
        let id = waiting.id().ok_or(AskError::LostCall)?;
        let open = self.live_ask(id);
        let (tell, told) = oneshot::channel();
        let asker = call.clone();
        let flow = async move {
            let settled = waiting.settled().await;
            let _ = tell.send(settled.and_then(|settled| decided(&asker, secrets, settled)));
            FlowResult::Tool(CallToolResult::success(Vec::new()))
        };
        let mut changes = call.watch();
        let task = standalone_flow::spawn(&call, flow.boxed());
        while open.as_ref().is_some_and(|open| !open.is_settled_on()) {
            changes.changed().await;
        }
        Ok(StandaloneAsk {
            call,
            id,
            decided: told,
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
        standalone_flow::over(&self.task).await;
    }

    /// Takes the ask back from everybody, if it is still open.
    pub async fn withdraw(&self) {
        self.call.cancel().await;
    }
}

/// A call that begins now, without arguments.
pub(crate) fn begun(desk: &Desk, origin: Origin, method: &str) -> NewCall {
    NewCall {
        id: CallId::new(),
        origin,
        method: method.to_owned(),
        arguments: Value::Null,
        flow_version: String::new(),
        owner: desk.journal().owner(),
        opened_at: desk.now(),
    }
}

/// A call whose client shows nothing.
pub(crate) fn alone(desk: &Desk, new: NewCall) -> Arc<Call> {
    let session = Session {
        principal: new.origin.principal.clone(),
        client: new.origin.client.clone(),
        revision: None,
        modern: false,
        form: false,
        url: false,
        sampling: false,
        roots: false,
        profile: ClientProfile::default(),
    };
    let binding = Binding(Digest::hash_bytes(new.id.as_bytes()));
    Call::new(desk.clone(), session, new, ClientLink::None, Some(binding))
}
