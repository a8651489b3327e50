//! A modern client calls again: with answers, after a restart, or at another process.

use super::{
    holdpoint::{Shared, link},
    request::{CallReply, Request},
    request_state::{Binding, OpenedState},
    wire,
};
use crate::{
    ReplyResult, Session,
    core::judge::{Incoming, Replier},
    core::open_ask::{OpenAsk, wire_key},
    flow::call::{Call, Wanted},
    flow::result::FlowResult,
    flow::session::Surface,
};
use futures::future::join_all;
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::{AskId, CallId, ChannelKind};
use holdpoint_journal::{AskRecord, CallHistory, CallRecord, JournalError};
use rmcp::{ErrorData, RoleServer, ServerHandler, model::InputResponses, service::RequestContext};
use serde_json::Value;
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;

/// One retry of one call.
pub(crate) struct Retry<'a, H> {
    pub server: &'a Arc<Shared<H>>,
    pub context: &'a RequestContext<RoleServer>,
    pub binding: &'a Binding,
}

/// Where a call was found.
pub(crate) enum Found {
    /// Its flow runs here.
    Running(Arc<Call>),
    /// The client can be told right away.
    CallReply(CallReply),
}

/// How often a process that waits for another's flow looks whether that one still lives.
const LOOK: Duration = Duration::from_secs(2);

impl<H: ServerHandler> Retry<'_, H> {
    /// Opens the seal, feeds the answers, and finds the call: running here, or as good as said.
    pub async fn resume(
        &self,
        state: &str,
        session: Session,
        responses: InputResponses,
    ) -> Result<Found, ErrorData> {
        let desk = &self.server.desk;
        let opened = desk.inner.seal.open(state, self.binding, desk.now());
        let opened = opened.ok_or_else(refused)?;
        if let Some(call) = desk.live_call(opened.call) {
            feed(&call, opened, responses).await.map_err(fault)?;
            return Ok(Found::Running(call));
        }
        let history = self.history(opened.call).await?;
        self.feed_record(&history, &session, opened, responses)
            .await?;
        self.find(opened.call, session).await
    }

    /// Finds a call that is not running here: recorded, left behind by its process, or alive in
    /// another one.
    pub async fn find(&self, id: CallId, session: Session) -> Result<Found, ErrorData> {
        let desk = &self.server.desk;
        let mut elsewhere = desk.journal().foreign_commits();
        let held_until = Instant::now() + desk.inner.settings.hold;
        loop {
            elsewhere.borrow_and_update();
            if let Some(call) = desk.live_call(id) {
                return Ok(Found::Running(call));
            }
            let history = self.history(id).await?;
            if let Some(result) = &history.call.result {
                return recorded(result).map(Found::CallReply);
            }
            self.same_version(&history.call)?;
            if let Some(call) = self.take_over(id, &session).await? {
                return Ok(Found::Running(call));
            }
            let history = self.history(id).await?;
            if history.call.result.is_none() {
                if let Some(asked) = self.ask_for_another(&history, &session)? {
                    return Ok(Found::CallReply(asked));
                }
                let open = history.asks.iter().find(|ask| ask.decision.is_none());
                if let Some(open) = open.filter(|_| Instant::now() >= held_until) {
                    let page = desk.inner.page.as_ref().map(|page| page(open.id));
                    let said = CallReply::pending(&history.call.method, open.id, page);
                    return Ok(Found::CallReply(said));
                }
            }
            tokio::select! {
                _ = elsewhere.changed() => {}
                () = tokio::time::sleep(LOOK) => {}
                () = self.context.ct.cancelled() => {
                    return Err(ErrorData::internal_error("The request was given up.", None));
                }
            }
        }
    }

    pub(super) async fn history(&self, id: CallId) -> Result<CallHistory, ErrorData> {
        let found = self.server.desk.journal().call(id).await;
        found.map_err(journal_fault)?.ok_or_else(|| {
            ErrorData::invalid_params(
                "This call is not on record here any more: call again without requestState.",
                None,
            )
        })
    }

    fn same_version(&self, record: &CallRecord) -> Result<(), ErrorData> {
        let name = record.origin.tool.as_deref().unwrap_or_default();
        let version = self.server.version(name);
        if record.flow_version == version.as_str() {
            return Ok(());
        }
        Err(ErrorData::invalid_params(
            format!(
                "This call was opened by {}, and {} is running now: it cannot be resumed. Call again without requestState; what was answered is in the record.",
                record.flow_version, version
            ),
            None,
        ))
    }

    /// Runs the flow again from its start, if its process is gone.
    pub(super) async fn take_over(
        &self,
        id: CallId,
        session: &Session,
    ) -> Result<Option<Arc<Call>>, ErrorData> {
        let desk = &self.server.desk;
        // One at a time: a second retry finds the flow that the first has started.
        let _one = desk.inner.taking_over.lock().await;
        if let Some(call) = desk.live_call(id) {
            return Ok(Some(call));
        }
        let history = self.history(id).await?;
        let Some(epoch) = desk.claim(&history).await.map_err(journal_fault)? else {
            return Ok(None);
        };
        let request = Request::recorded(&history.call).ok_or_else(|| {
            journal_fault(JournalError::damaged(format!(
                "the call {id} names no request"
            )))
        })?;
        let new = desk.own(&history.call);
        let session = session.clone();
        let link = link(&session, self.context, Arc::default());
        let call = Call::new(desk.clone(), session, new, link, Some(*self.binding));
        call.remember(history, epoch);
        desk.enter_call(&call);
        self.server.run(&call, request, self.context);
        Ok(Some(call))
    }

    /// Journals the answers to a call whose flow does not run here, before any flow runs.
    async fn feed_record(
        &self,
        history: &CallHistory,
        session: &Session,
        opened: OpenedState,
        mut responses: InputResponses,
    ) -> Result<(), ErrorData> {
        let desk = &self.server.desk;
        let asks = history.asks.iter();
        let shown = |ask: &&AskRecord| ask.decision.is_none() && ask.opened_at <= opened.sealed_at;
        for ask in asks.filter(shown) {
            if let Some(reply) = responses.remove(&wire_key(&ask.key, ask.refusals))
                && let Some((from, incoming)) = self.read(session, ask, reply)
            {
                let shown_at = opened.sealed_at;
                let taken = desk.take_recorded(ask.clone(), shown_at, from, incoming);
                let taken = taken.await;
                taken.map_err(|error| fault(error_chain(&error)))?;
            }
        }
        Ok(())
    }

    fn read(
        &self,
        session: &Session,
        ask: &AskRecord,
        reply: Value,
    ) -> Option<(Replier, Incoming)> {
        let surface = session.surface(&self.server.desk, ask.id, &ask.ask)?;
        Some(read(session, &surface, reply))
    }

    /// Asks this client in the name of a flow that runs in another process.
    fn ask_for_another(
        &self,
        history: &CallHistory,
        session: &Session,
    ) -> Result<Option<CallReply>, ErrorData> {
        let server = self.server;
        let shown: Vec<_> = history
            .asks
            .iter()
            .filter(|ask| ask.decision.is_none())
            .filter(|ask| session.surface(&server.desk, ask.id, &ask.ask).is_some())
            .cloned()
            .collect();
        if shown.is_empty() {
            return Ok(None);
        }
        super::hold_request::round_of(&server.desk, session, history.call.id, shown, self.binding)
            .map(|asked| Some(CallReply::Asked(asked)))
    }
}

/// Gives a running call the client's answers: each once, each to the ask that is open under its
/// key now. Answers to a round that is over feed nothing.
async fn feed(
    call: &Arc<Call>,
    opened: OpenedState,
    responses: InputResponses,
) -> Result<(), String> {
    let mut replies = Vec::new();
    let mut inputs = Vec::new();
    {
        let mut state = call.state();
        for (key, response) in responses {
            match state.round.get(&key) {
                Some(Wanted::Ask(open)) if open.new.opened_at <= opened.sealed_at => {
                    open.shown(opened.sealed_at);
                    replies.push((open.clone(), response));
                }
                Some(Wanted::Input(_)) => {
                    if let Some(Wanted::Input(input)) = state.round.remove(&key) {
                        inputs.push((input, response));
                    }
                }
                _ => {}
            }
        }
    }
    for (input, response) in inputs {
        call.finish_input(input, response)
            .await
            .map_err(|error| error_chain(&error))?;
    }
    let taken = replies
        .into_iter()
        .map(|(open, reply)| take(call, open, reply));
    join_all(taken).await.into_iter().collect()
}

async fn take(call: &Arc<Call>, open: Arc<OpenAsk>, reply: Value) -> Result<(), String> {
    let Some(surface) = call.surface(&open) else {
        return Ok(());
    };
    let (from, incoming) = read(&call.session, &surface, reply);
    let id: AskId = open.id();
    match call.desk.take(id, from, incoming).await {
        Ok(ReplyResult::Invalid(_)) => call.show_again(&open),
        Ok(ReplyResult::TooFast | ReplyResult::Opened) => call.out_of_round(id),
        Ok(_) => {}
        Err(error) => return Err(error_chain(&error)),
    }
    Ok(())
}

fn read(session: &Session, surface: &Surface, reply: Value) -> (Replier, Incoming) {
    let (channel, raiser) = match surface {
        Surface::Form(lowered) => (ChannelKind::Client, Some(lowered.raiser())),
        Surface::Url(_) => (ChannelKind::Url, None),
    };
    let from = Replier::new(channel, session.client.clone());
    (from, wire::read_reply(reply, raiser))
}

fn recorded(result: &Value) -> Result<CallReply, ErrorData> {
    let result: FlowResult = serde_json::from_value(result.clone()).map_err(|error| {
        journal_fault(JournalError::damaged("a recorded result cannot be read").with_source(error))
    })?;
    Ok(CallReply::Done(Arc::new(result)))
}

fn refused() -> ErrorData {
    ErrorData::invalid_params(
        "This requestState is not good for this call: it was altered, has expired, or belongs to another caller, tool or set of arguments. Nothing was answered. Call again without it.",
        None,
    )
}

fn journal_fault(error: JournalError) -> ErrorData {
    fault(error_chain(&error))
}

fn fault(what: String) -> ErrorData {
    ErrorData::internal_error(what, None)
}
