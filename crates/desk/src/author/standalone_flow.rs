//! A flow that no client called: from a shell or a page.

use super::context::{CallServer, ToolContext};
use crate::{
    Desk, FlowVersion,
    flow::{
        call::Call,
        result::FlowResult,
        standalone::{Task, new_call, spawn, standalone_call, wait_for_end},
    },
};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{AskId, CallId, Origin};
use holdpoint_journal::{CallRecord, JournalError, NewCall};
use rmcp::{ErrorData, model::CallToolResult};
use serde_json::Value;
use std::{fmt, sync::Arc, time::Duration};

/// A flow that is to be started without a client.
///
#[doc = include_str!("../../docs/run.md")]
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FlowStart {
    /// Who starts it.
    pub origin: Origin,
    /// What kind of flow it is, as it is recorded.
    pub method: String,
    /// What it is given.
    pub arguments: Value,
    /// The version of the flow: a call that another version opened is not resumed.
    pub version: FlowVersion,
}

impl FlowStart {
    /// A flow of this kind without arguments and without a version.
    pub fn new(origin: Origin, method: impl Into<String>) -> Self {
        Self {
            origin,
            method: method.into(),
            arguments: Value::Null,
            version: FlowVersion::new(""),
        }
    }

    /// What it is given.
    pub fn arguments(mut self, arguments: Value) -> Self {
        self.arguments = arguments;
        self
    }

    /// The version of the flow.
    pub fn version(mut self, version: impl Into<FlowVersion>) -> Self {
        self.version = version.into();
        self
    }
}

/// A flow that runs, or has ended.
///
#[doc = include_str!("../../docs/run.md")]
#[derive(Clone)]
pub struct FlowRun {
    call: Arc<Call>,
    task: Task,
}

/// Why a call cannot go on here.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// There is no call of this id on record.
    #[error("there is no such call on record")]
    Unknown,
    /// It has ended.
    #[error("this call has ended; its result is in the record")]
    Ended,
    /// Another version of the flow began it.
    #[error("this call was started by {begun}, and this is {now}: start it again")]
    OtherVersion {
        /// The version that began it.
        begun: FlowVersion,
        /// The version that would go on with it.
        now: FlowVersion,
    },
    /// The process that runs it is alive.
    #[error("this call goes on in another process")]
    Elsewhere,
    /// The record could not be read or written.
    #[error("the record could not be kept")]
    Journal(#[from] JournalError),
}

impl Desk {
    /// Runs a flow without a client: its asks go wherever this desk shows asks. It goes on when
    /// the [`FlowRun`] is dropped.
    pub fn run<F>(&self, begin: FlowStart, flow: impl FnOnce(ToolContext) -> F) -> FlowRun
    where
        F: Future<Output = Result<CallToolResult, ErrorData>> + Send + 'static,
    {
        let new = NewCall {
            arguments: begin.arguments,
            flow_version: begin.version.to_string(),
            ..new_call(self, begin.origin, &begin.method)
        };
        start(standalone_call(self, new), flow)
    }

    /// Runs a flow again from its start whose process is gone; what was answered is answered at
    /// once, and no step runs twice.
    ///
    /// # Errors
    /// When there is none, it has ended, another version began it, or its process is alive.
    pub async fn resume<F>(
        &self,
        call: CallId,
        version: impl Into<FlowVersion>,
        flow: impl FnOnce(ToolContext, &CallRecord) -> F,
    ) -> Result<FlowRun, ResumeError>
    where
        F: Future<Output = Result<CallToolResult, ErrorData>> + Send + 'static,
    {
        let version = version.into();
        let _one = self.calls().taking_over.lock().await;
        let history = self.journal().call(call).await?;
        let history = history.ok_or(ResumeError::Unknown)?;
        if history.call.result.is_some() {
            return Err(ResumeError::Ended);
        }
        if history.call.flow_version != version.as_str() {
            return Err(ResumeError::OtherVersion {
                begun: history.call.flow_version.into(),
                now: version,
            });
        }
        let calls = self.calls();
        // It may just be run again.
        let _turn = calls.turn(call).lock().await;
        if calls.get(call).is_some() || calls.released.contains(call) {
            return Err(ResumeError::Elsewhere);
        }
        let epoch = self.claim(&history).await?;
        let epoch = epoch.ok_or(ResumeError::Elsewhere)?;
        let record = history.call.clone();
        let call = standalone_call(self, self.adopt(&record));
        call.remember(history, epoch);
        self.calls().enter(&call);
        Ok(start(call, |cx| flow(cx, &record)))
    }
}

fn start<F>(call: Arc<Call>, flow: impl FnOnce(ToolContext) -> F) -> FlowRun
where
    F: Future<Output = Result<CallToolResult, ErrorData>> + Send + 'static,
{
    let running = flow(ToolContext::new(call.clone(), Arc::new(NoServer)));
    let task = spawn(&call, running.map(FlowResult::from).boxed());
    FlowRun { call, task }
}

impl FlowRun {
    /// The call's id, the same after every restart.
    pub fn id(&self) -> CallId {
        self.call.id
    }

    /// The asks of it that are open now.
    pub fn open_asks(&self) -> Vec<AskId> {
        let asks = self.call.open_asks();
        asks.iter().map(|ask| ask.id()).collect()
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// When the flow has failed.
    pub async fn ended(&self) -> Result<CallToolResult, ErrorData> {
        let ended = self.call.clone().ended().await;
        Arc::unwrap_or_clone(ended).into_tool_result()
    }

    /// Waits until its end is on record: before a process ends that has begun it.
    pub async fn recorded(&self) {
        wait_for_end(&self.task).await;
    }

    /// Says on record that nobody waits for it any more: its asks stay open, and whoever begins the same again
    /// finds them.
    ///
    /// ```
    /// # use holdpoint::FlowRun;
    /// async fn leave(run: FlowRun) {
    ///     run.leave_open().await;
    /// }
    /// ```
    pub async fn leave_open(&self) {
        for ask in self.call.open_asks() {
            self.call.desk.agent_gone(&ask).await;
        }
    }

    /// Takes back what it asks, now and from now on.
    pub async fn withdraw(&self) {
        self.call.cancel().await;
    }
}

impl fmt::Debug for FlowRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlowRun")
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}

/// A server with no other calls than this one.
pub(crate) struct NoServer;

impl CallServer for NoServer {
    fn await_answer(
        self: Arc<Self>,
        _asker: Arc<Call>,
        ask: AskId,
        _wait: Duration,
    ) -> BoxFuture<'static, Result<CallToolResult, ErrorData>> {
        let none = ErrorData::invalid_params(format!("There is no ask {ask}."), None);
        std::future::ready(Err(none)).boxed()
    }

    fn resource_updated(&self, _uri: &str) {}

    fn resource_list_changed(&self) {}
}
