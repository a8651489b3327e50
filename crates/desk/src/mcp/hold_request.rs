//! Holding a request open until there is something to send for it.

use super::{
    modern_client, outgoing::Outgoing, request::CallReply, request_state::StateSealer,
    retry::journal_fault,
};
use crate::{
    Desk,
    core::open_ask::OpenAsk,
    flow::{call::Call, release::Held, rounds::Rounds},
    settings::LONGEST,
};
use holdpoint_ask::{AskId, CallId};
use holdpoint_journal::CallBinding;
use rmcp::{ErrorData, model::RequestId};
use std::{pin::Pin, sync::Arc, time::Duration};
use tokio::time::{Instant, Interval, Sleep};
use tokio_util::sync::CancellationToken;

/// A request that is held while its call goes on.
pub(crate) struct HeldRequest {
    pub id: RequestId,
    /// Fires when its client gives it up.
    pub given_up: CancellationToken,
    /// Its client wants to hear of progress.
    pub wants_progress: bool,
    /// What goes out through its transport.
    pub outgoing: Option<Outgoing>,
}

/// What must be known of the server to answer a request.
pub(crate) struct ServerFacts<'a> {
    pub sealer: &'a StateSealer,
    /// The tool that waits for an answer that is still out.
    pub await_answer: Option<&'a str>,
}

/// What waiting for a call led to.
pub(crate) enum Waited {
    /// Its client is sent this.
    Reply(Result<CallReply, ErrorData>),
    /// Its flow was let go.
    Released,
}

/// How a request is held: until when, and with which signs of life.
pub(crate) struct Hold {
    limits: HoldLimits,
    check: Pin<Box<Sleep>>,
    ticks: Option<Box<Interval>>,
}

impl Hold {
    pub fn new(call: &Call, request: &HeldRequest) -> Self {
        let every = call.desk.settings().keep_alive;
        let ticks = request
            .wants_progress
            .then(|| Box::new(tokio::time::interval_at(Instant::now() + every, every)));
        let limits = HoldLimits::new(call, request.wants_progress);
        let check = Box::pin(tokio::time::sleep_until(limits.next_check(Instant::now())));
        Self {
            limits,
            check,
            ticks,
        }
    }

    /// Waits for what the client is to be sent next: the flow's end, a round of asks, or that the
    /// answer is still out.
    pub async fn wait_for_reply(
        &mut self,
        server: &ServerFacts<'_>,
        call: &Arc<Call>,
        request: &HeldRequest,
        binding: Option<CallBinding>,
    ) -> Waited {
        let mut changes = call.watch();
        let reply = loop {
            changes.catch_up();
            if let Some(done) = call.done() {
                break Ok(CallReply::Done(done));
            }
            if call.is_released() {
                return Waited::Released;
            }
            let limits = &self.limits;
            let asks_now = call.session.modern && call.rounds(Rounds::is_ready);
            if asks_now && !limits.rounds_are_over(call) {
                let binding = binding.unwrap_or_else(|| call.binding());
                let outgoing = request.outgoing.as_ref();
                let asked = modern_client::round(server.sealer, call, binding, outgoing);
                // Its request is over with it.
                call.active.detach();
                break asked.map(CallReply::Asked);
            }
            if let Some(ask) = limits.over(call) {
                call.let_go();
                let place = Box::pin(call.desk.answer_place(ask)).await;
                let (method, tool) = (&call.request.method, server.await_answer);
                break Ok(CallReply::pending(method, ask, place, tool));
            }
            tokio::select! {
                () = changes.changed() => {}
                () = request.given_up.cancelled() => {
                    Box::pin(call.give_up(&request.id)).await;
                    break Err(given_up());
                }
                () = tick(&mut self.ticks) => Box::pin(call.keep_alive()).await,
                () = &mut self.check => self.check_later(),
            }
        };
        Waited::Reply(reply)
    }

    /// Waits until the flow of a call runs again that was let go: for an answer, or because something has to be done
    /// about this request. Gives what its client is sent where it does not.
    pub async fn wait_released(
        &mut self,
        desk: &Desk,
        call: CallId,
        request: &HeldRequest,
    ) -> Result<Held, Result<CallReply, ErrorData>> {
        let wake = || Box::pin(desk.wake(call));
        let fault = |error| Err(journal_fault(error));
        let released = &desk.calls().released;
        if released.with(call, |call| call.asks_client) == Some(true)
            && let Some(woken) = wake().await.map_err(fault)?
        {
            return Ok(woken);
        }
        loop {
            let given_up = tokio::select! {
                next = desk.next_run(call) => {
                    let end = |done| Ok(CallReply::Done(done));
                    return next.map(|call| call.hold()).map_err(end);
                }
                () = request.given_up.cancelled() => true,
                () = tick(&mut self.ticks) => {
                    Box::pin(desk.keep_released_alive(call)).await;
                    continue;
                }
                () = &mut self.check => {
                    self.check_later();
                    false
                }
            };
            if given_up {
                Box::pin(desk.released_agent_gone(call)).await;
            }
            let Some(woken) = wake().await.map_err(fault)? else {
                if given_up {
                    return Err(Err(self::given_up()));
                }
                continue;
            };
            if given_up {
                Box::pin(woken.give_up(&request.id)).await;
                return Err(Err(self::given_up()));
            }
            return Ok(woken);
        }
    }

    fn check_later(&mut self) {
        let next = self.limits.next_check(Instant::now());
        self.check.as_mut().reset(next);
    }
}

async fn tick(ticks: &mut Option<Box<Interval>>) {
    match ticks {
        Some(ticks) => drop(ticks.tick().await),
        None => std::future::pending().await,
    }
}

fn given_up() -> ErrorData {
    ErrorData::internal_error("The client gave up on this request.", None)
}

/// How long a request is held while people are asked.
struct HoldLimits {
    since: Instant,
    /// While the client shows none of the open asks.
    unseen: Duration,
    /// While the client shows some of them; without a limit where there is none.
    seen: Option<Duration>,
}

/// Clients take no more rounds than this in one call.
const ROUNDS: u32 = 8;

/// How long a call is held for which the client has no form open. A client that shows progress may wait
/// for long, unless it moves calls to the background; any other one is answered before it can give up.
pub(crate) fn longest_without_form(call: &Call, has_token: bool, hold: Duration) -> Duration {
    let profile = &call.session.profile;
    let longest = if profile.progress_resets_clock && has_token {
        LONGEST
    } else {
        hold
    };
    let background = profile
        .background_after
        .map(|after| after.min(LONGEST) * 5 / 6);
    let limits = [before_abort(call, has_token), background];
    limits
        .into_iter()
        .flatten()
        .fold(longest.min(LONGEST), Duration::min)
}

/// Whether the client has a dialog for this ask, or is about to have one. Once it has sent its person to
/// the page, a client that is asked in rounds, or that moves calls to the background, only waits. One whose
/// reply did not count is not told so before the record is.
fn has_dialog(call: &Call, ask: &OpenAsk) -> bool {
    let only_waits = call.session.modern || call.session.profile.background_after.is_some();
    ask.is_being_taken() || call.shows(ask) && !(only_waits && ask.is_sent_to_page())
}

/// A little before the client gives up on a call.
fn before_abort(call: &Call, has_token: bool) -> Option<Duration> {
    let profile = &call.session.profile;
    let resets = has_token && profile.progress_resets_clock;
    let aborts = profile.aborts_after.filter(|_| !resets);
    aborts.map(|aborts| aborts.min(LONGEST).mul_f32(0.9))
}

impl HoldLimits {
    fn new(call: &Call, has_token: bool) -> Self {
        Self {
            since: Instant::now(),
            unseen: longest_without_form(call, has_token, call.desk.settings().hold),
            seen: before_abort(call, has_token),
        }
    }

    fn next_check(&self, now: Instant) -> Instant {
        let limits = [Some(self.unseen), self.seen];
        let ahead = limits.into_iter().flatten().map(|limit| self.since + limit);
        ahead
            .filter(|at| *at > now)
            .min()
            .unwrap_or(now + self.unseen)
    }

    /// The ask whose answer the client is to come back for, if it has waited long enough.
    fn over(&self, call: &Call) -> Option<AskId> {
        let held = self.since.elapsed();
        if held < self.unseen && self.seen.is_none_or(|seen| held < seen) {
            return None;
        }
        let open = call.open_asks();
        let first = open.iter().map(|ask| ask.id()).min()?;
        let seen = open.iter().any(|ask| has_dialog(call, ask)) && !self.rounds_are_over(call);
        let limit = if seen { self.seen? } else { self.unseen };
        (held >= limit).then_some(first)
    }

    /// Whether the client would take no further round, and somebody else can be asked.
    fn rounds_are_over(&self, call: &Call) -> bool {
        let asked = call.open_asks();
        let elsewhere = |ask: &Arc<OpenAsk>| call.desk.shown_elsewhere(ask);
        call.rounds(|rounds| rounds.count()) >= ROUNDS
            && !asked.is_empty()
            && asked.iter().all(elsewhere)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::standalone::{new_call, standalone_call};
    use holdpoint_ask::Origin;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_request_that_was_given_up_ends_also_where_its_call_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("journal.db");
        // In a file: its record is not there at once.
        let journal = format!("sqlite:{}", journal.display());
        let desk = Desk::open(&journal).await.unwrap();
        let call = standalone_call(&desk, new_call(&desk, Origin::default(), "run"));
        let request = HeldRequest {
            id: RequestId::Number(1),
            given_up: CancellationToken::new(),
            wants_progress: false,
            outgoing: None,
        };
        request.given_up.cancel();
        let mut hold = Hold::new(&call, &request);
        let waiting = async move {
            let waited = hold.wait_released(&desk, call.id, &request).await;
            waited.is_err()
        };
        let waited = tokio::spawn(waiting);
        let waited = tokio::time::timeout(Duration::from_secs(20), waited).await;
        assert!(waited.expect("it ends").unwrap());
    }
}
