//! A modern client calls again: with answers, after a restart, or at another process.

use super::{
    modern_client,
    request::{CallReply, Request},
    request_state::OpenedState,
    server::{FlowServer, Server, client},
    wire,
};
use crate::{
    Desk, FlowResult, Replier, ReplyResult, Session, Showing,
    author::context::CallServer,
    clock::later,
    core::{
        channel::wire_key, departure::Departure, judge::Received, open_ask::OpenAsk,
        released_ask::ReleasedAsk,
    },
    flow::{call::Call, release::Held, surface::Surface},
};
use futures::future::join_all;
use holdpoint_ask::{CallId, ChannelKind, Decision, Outcome, Review, describe::error_chain};
use holdpoint_journal::{AskRecord, CallBinding, CallHistory, CallRecord, JournalError};
use jiff::Timestamp;
use rmcp::{ErrorData, RoleServer, ServerHandler, model::InputResponses, service::RequestContext};
use serde_json::Value;
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;

/// One retry of one call.
pub(crate) struct Retry<'a, H> {
    pub server: &'a Arc<Server<H>>,
    pub context: &'a RequestContext<RoleServer>,
    pub binding: CallBinding,
}

/// What a retry led to: its call, and the decision that a reply of it came too late for.
pub(crate) struct Resumed {
    pub found: Found,
    pub too_late_for: Option<Decision>,
}

/// Where a call was found.
pub(crate) enum Found {
    /// Its flow runs here.
    Running(Held),
    /// The client can be sent this right away.
    Reply(CallReply),
}

/// How often a process that waits for another's flow checks whether that one still lives.
const CHECK_EVERY: Duration = Duration::from_secs(2);

impl<H: ServerHandler> Retry<'_, H>
where
    FlowServer<H>: CallServer,
{
    /// Opens the sealed state, takes the answers, and finds the call: running here, or with a reply
    /// that can be sent at once.
    pub async fn resume(
        &self,
        state: &str,
        session: Arc<Session>,
        mut responses: InputResponses,
    ) -> Result<Resumed, ErrorData> {
        let desk = &self.server.desk;
        let opened = self.server.sealer.open(state, self.binding, desk.now());
        let opened = opened.ok_or_else(refused)?;
        if let Some(call) = desk.calls().get(opened.call).map(|call| call.hold()) {
            call.go_on_with(client(&session, self.context, Arc::default()));
            // Where its flow was let go just now, the answers are the record's.
            if let Some(late) = feed(&call, opened, &mut responses).await? {
                let too_late_for = if late.is_empty() {
                    None
                } else {
                    let history = self.history(opened.call).await?;
                    decided_elsewhere(&history, &late)
                };
                let found = Found::Running(call);
                return Ok(Resumed {
                    found,
                    too_late_for,
                });
            }
        }
        let history = self.history(opened.call).await?;
        let too_late_for = decided_elsewhere(&history, &responses);
        Box::pin(self.feed_record(&history, &session, opened, responses)).await?;
        let found = self.find(opened.call, session.clone()).await?;
        if let Found::Running(call) = &found {
            call.go_on_with(client(&session, self.context, Arc::default()));
        }
        Ok(Resumed {
            found,
            too_late_for,
        })
    }

    /// Finds a call that is not running here: recorded, left behind by its process, or alive in
    /// another one.
    pub async fn find(&self, id: CallId, session: Arc<Session>) -> Result<Found, ErrorData> {
        let desk = &self.server.desk;
        let mut elsewhere = desk.journal().foreign_commits();
        let held_until = Instant::now() + desk.settings().hold;
        loop {
            elsewhere.borrow_and_update();
            // Where its flow was let go, it is run again.
            let woken = Box::pin(desk.wake(id)).await.map_err(journal_fault)?;
            if let Some(call) = woken {
                return Ok(Found::Running(call));
            }
            let history = self.history(id).await?;
            if let Some(result) = &history.call.result {
                return recorded(result).map(Found::Reply);
            }
            self.same_version(&history.call)?;
            if let Some(call) = self.take_over(id, &session).await? {
                return Ok(Found::Running(call));
            }
            let history = self.history(id).await?;
            if history.call.result.is_none() {
                if let Some(asked) = self.ask_for_another(&history, &session)? {
                    return Ok(Found::Reply(asked));
                }
                let open = history.asks.iter().find(|ask| ask.decision.is_none());
                if let Some(open) = open.filter(|_| Instant::now() >= held_until) {
                    let place = Box::pin(desk.answer_place(open.id)).await;
                    let (method, tool) = (&history.call.method, self.server.await_answer_name());
                    let reply = CallReply::pending(method, open.id, place, tool);
                    return Ok(Found::Reply(reply));
                }
            }
            tokio::select! {
                _ = elsewhere.changed() => {}
                () = tokio::time::sleep(CHECK_EVERY) => {}
                () = self.context.ct.cancelled() => {
                    return Err(ErrorData::internal_error("The client gave up on this request.", None));
                }
            }
        }
    }

    async fn history(&self, id: CallId) -> Result<CallHistory, ErrorData> {
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
    async fn take_over(
        &self,
        id: CallId,
        session: &Arc<Session>,
    ) -> Result<Option<Held>, ErrorData> {
        // One at a time: a second retry finds the flow that the first has started.
        let _one = self.server.desk.calls().taking_over.lock().await;
        let woken = Box::pin(self.server.desk.wake(id)).await;
        if let Some(call) = woken.map_err(journal_fault)? {
            return Ok(Some(call));
        }
        let history = self.history(id).await?;
        self.run_again(history, session).await
    }

    /// As [`Self::take_over`]. Hold `taking_over` meanwhile.
    async fn run_again(
        &self,
        history: CallHistory,
        session: &Arc<Session>,
    ) -> Result<Option<Held>, ErrorData> {
        let (desk, id) = (&self.server.desk, history.call.id);
        let Some(epoch) = desk.claim(&history).await.map_err(journal_fault)? else {
            return Ok(None);
        };
        let request = Request::from_record(&history.call).ok_or_else(|| {
            journal_fault(JournalError::damaged(format!(
                "the call {id} does not name a request"
            )))
        })?;
        let new = desk.adopt(&history.call);
        let session = session.clone();
        let client = client(&session, self.context, Arc::default());
        let call = Call::new(desk.clone(), session, new, client, Some(self.binding)).hold();
        call.remember(history, epoch);
        desk.calls().enter(&call);
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
        let departure = desk.calls().departure(opened.call, opened.sealed_at);
        let shown_at = shown_at(desk, departure, opened);
        let asks = history.asks.iter();
        let shown = |ask: &&AskRecord| ask.decision.is_none() && ask.id <= opened.last_ask;
        for ask in asks.filter(shown) {
            if let Some(reply) = responses.remove(&wire_key(&ask.key, ask.refusals)) {
                let Some((from, received)) = self.read(session, ask, shown_at, reply) else {
                    desk.refuse_unshown(ask.id, session.client.clone()).await;
                    continue;
                };
                let taken = desk
                    .accept_recorded(ask.clone(), from, received, Review::default())
                    .await;
                let taken = taken.map_err(|error| fault(error_chain(&error)))?;
                if matches!(taken, ReplyResult::Opened | ReplyResult::PinNeeded) {
                    let released = &desk.calls().released;
                    released.with(opened.call, |call| call.set_sent_to_page(ask.id));
                }
            }
        }
        Ok(())
    }

    /// A reply as the ask was shown; none where it was not shown to this client.
    fn read(
        &self,
        session: &Session,
        ask: &AskRecord,
        shown_at: Timestamp,
        reply: Value,
    ) -> Option<(Replier, Received)> {
        let desk = &self.server.desk;
        let released = &desk.calls().released;
        let kept = ask.call.and_then(|call| {
            let shown = |kept: &mut ReleasedAsk| kept.as_shown(ask.clone());
            released.with(call, |call| call.asks.get_mut(ask.id).map(shown))
        });
        let as_opened = || Showing::as_opened(ask.clone());
        let shown = kept.flatten().unwrap_or_else(as_opened);
        let surface = session.surface_as_before(desk, &shown)?;
        Some(read(session, &surface, shown_at, reply))
    }

    /// Asks this client in the name of a flow that runs in another process.
    fn ask_for_another(
        &self,
        history: &CallHistory,
        session: &Session,
    ) -> Result<Option<CallReply>, ErrorData> {
        let open = history.asks.iter().filter(|ask| ask.decision.is_none());
        let (server, call) = (self.server, history.call.id);
        let asked = modern_client::round_from_records(
            &server.sealer,
            &server.desk,
            session,
            call,
            open.cloned().collect(),
            self.binding,
        )?;
        Ok(asked.map(CallReply::Asked))
    }

    /// Takes up a call that was called just like this and that a process which is gone left without
    /// a result, whatever it was doing; or one of this process whose result could not be recorded. One
    /// that another living process holds stays there.
    pub async fn take_up_orphan(&self, session: &Arc<Session>) -> Result<Option<Held>, ErrorData> {
        let desk = &self.server.desk;
        let found = desk.journal().unfinished_calls(self.binding).await;
        let mut found = found.map_err(journal_fault)?;
        found.extend(desk.calls().unrecorded(self.binding));
        if found.is_empty() {
            return Ok(None);
        }
        // One at a time: of two equal calls, the second finds another one or begins anew.
        let _one = desk.calls().taking_over.lock().await;
        for id in found {
            let history = self.history(id).await?;
            if self.may_take_up(&history)
                && desk.calls().get(id).is_none()
                && !desk.calls().released.contains(id)
                && let Some(call) = self.run_again(history, session).await?
            {
                return Ok(Some(call));
            }
        }
        Ok(None)
    }

    /// Whether the same call again goes on with this one. The binding is believed from the record;
    /// the row that led here only points at it.
    fn may_take_up(&self, history: &CallHistory) -> bool {
        let (call, now) = (&history.call, self.server.desk.now());
        let last_round = history.asks.iter().map(|ask| ask.opened_at).max();
        let lifetime = self.server.desk.settings().state_lifetime;
        let expires = later(last_round.unwrap_or(call.opened_at), lifetime);
        // Where nothing was done, and nobody answered in time or the client took its question back, nothing is
        // repeated by asking anew.
        let matters = |ask: &AskRecord| match &ask.decision {
            Some(decision) => !matches!(
                decision.outcome,
                Outcome::TimedOut | Outcome::Withdrawn { .. }
            ),
            None => ask.deadline_at.is_none_or(|deadline| deadline > now),
        };
        call.result.is_none()
            && CallBinding::from(call) == self.binding
            && self.same_version(call).is_ok()
            && now < expires
            && (!history.steps.is_empty() || history.asks.iter().any(matters))
    }
}

/// The decision about an ask that the client replies to, where it was made elsewhere: the reply is too
/// late. That an address was opened is not a reply that could be late, nor is what came beforehand.
fn decided_elsewhere(history: &CallHistory, replies: &InputResponses) -> Option<Decision> {
    let by_client = |channel| {
        use ChannelKind::{Client, Preset, Url};
        matches!(channel, Client | Url | Preset)
    };
    let mut decisions = history.asks.iter().rev().filter_map(|ask| {
        let decision = ask.decision.as_ref()?;
        let reply = replies.get(&wire_key(&ask.key, ask.refusals))?;
        let opened = reply["action"] == "accept" && reply.get("content").is_none();
        let elsewhere = !decision.channel.is_some_and(by_client);
        (elsewhere && !opened).then_some(decision)
    });
    decisions.next().cloned()
}

/// Since when a round is shown. One that another process sent out is believed to have left when it was sealed.
fn shown_at(desk: &Desk, departure: Option<Arc<Departure>>, opened: OpenedState) -> Timestamp {
    departure.map_or(opened.sealed_at, |departure| departure.shown_at(desk.now()))
}

/// Gives a running call the client's answers: each once, each to the ask that is open under its
/// key now. Answers to a round that is over feed nothing; they are given back. None, and nothing is taken, where the
/// flow was let go.
async fn feed(
    call: &Arc<Call>,
    opened: OpenedState,
    responses: &mut InputResponses,
) -> Result<Option<InputResponses>, ErrorData> {
    let taken = call.running_rounds(|rounds| {
        let departure = rounds.departure(opened.sealed_at);
        let responses = std::mem::take(responses);
        (rounds.take_answers(responses, opened.last_ask), departure)
    });
    let Some((answers, departure)) = taken else {
        return Ok(None);
    };
    let shown_at = shown_at(&call.desk, departure, opened);
    let session = &call.asked_session();
    for (input, response) in answers.inputs {
        let finished = call.finish_input(input, response).await;
        finished.map_err(journal_fault)?;
    }
    let accepted = answers.replies.into_iter();
    let accepted = accepted.map(|(open, reply)| accept(call, session, open, shown_at, reply));
    let accepted: Result<(), ErrorData> = join_all(accepted).await.into_iter().collect();
    accepted.map(|()| Some(answers.late))
}

async fn accept(
    call: &Arc<Call>,
    session: &Session,
    open: Arc<OpenAsk>,
    shown_at: Timestamp,
    reply: Value,
) -> Result<(), ErrorData> {
    let id = open.id();
    let Some(surface) = session.surface_as_before(&call.desk, &open.showing()) else {
        return Ok(());
    };
    let (from, received) = read(session, &surface, shown_at, reply);
    match call
        .desk
        .accept_reply(id, from, received, Review::default())
        .await
    {
        Ok(ReplyResult::Invalid(_)) => {
            call.rounds(|rounds| rounds.put_ask(&open));
            call.notify();
        }
        // The answer comes from elsewhere: the page, or the inbox where the client does not count.
        Ok(ReplyResult::NotTaken(_) | ReplyResult::Opened | ReplyResult::PinNeeded) => {
            call.rounds(|rounds| rounds.take_out(id));
        }
        Ok(_) => {}
        Err(error) => return Err(fault(error_chain(&error))),
    }
    Ok(())
}

fn read(
    session: &Session,
    surface: &Surface,
    shown_at: Timestamp,
    reply: Value,
) -> (Replier, Received) {
    let (channel, raiser) = match surface {
        Surface::Form(lowered) => (ChannelKind::Client, Some(lowered.raiser())),
        Surface::Url(_) => (ChannelKind::Url, None),
    };
    let (received, presence) = wire::read_reply(reply, raiser, shown_at);
    (
        Replier::new(channel, session.client.clone(), presence),
        received,
    )
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

pub(crate) fn journal_fault(error: JournalError) -> ErrorData {
    fault(error_chain(&error))
}

fn fault(what: String) -> ErrorData {
    ErrorData::internal_error(what, None)
}
