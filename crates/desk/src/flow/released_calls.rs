//! The calls of this process whose flows were let go.

use super::{
    active_request::ActiveRequest, call::Call, client::Client, many_by_id::ManyById,
    release::FlowRunner, rounds::SentRounds, session::Session,
};
use crate::{
    core::{desk::Waiting, end_signal::EndSignal, open_ask::OpenAsk, released_ask::ReleasedAsk},
    sync::lock,
};
use holdpoint_ask::{AskId, CallId, Decision};
use holdpoint_journal::CallBinding;
use jiff::Timestamp;
use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};
use tokio::{sync::Notify, task::AbortHandle, time::Instant};

/// What is kept of a call while its flow does not run: what the record does not say of it.
pub(crate) struct ReleasedCall {
    pub asks: ReleasedAsks,
    pub epoch: u64,
    pub binding: CallBinding,
    pub session: Arc<Session>,
    pub client: Arc<dyn Client>,
    /// The request that is held for it, where one is.
    pub active: Option<Arc<ActiveRequest>>,
    pub rounds: SentRounds,
    pub runner: Arc<dyn FlowRunner>,
    /// How long its flow may wait before it is let go.
    pub after: Duration,
    /// Its client wants nothing more of it.
    pub cancelled: bool,
    /// Its client is to be asked as soon as it calls again.
    pub asks_client: bool,
    /// Looks whether the client's form was answered, where it has one.
    pub form_watch: Option<AbortHandle>,
}

/// Its open asks: mostly one, for which nothing is allocated.
pub(crate) struct ReleasedAsks {
    first: ReleasedAsk,
    others: Vec<ReleasedAsk>,
}

impl ReleasedAsks {
    /// These; none where there is none.
    pub fn new(asks: Vec<ReleasedAsk>) -> Option<Self> {
        let mut asks = asks.into_iter();
        Some(Self {
            first: asks.next()?,
            others: asks.collect(),
        })
    }

    pub fn iter(&self) -> impl Iterator<Item = &ReleasedAsk> {
        std::iter::once(&self.first).chain(&self.others)
    }

    pub fn get_mut(&mut self, id: AskId) -> Option<&mut ReleasedAsk> {
        let mut asks = self.iter_mut();
        asks.find(|ask| ask.id == id)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut ReleasedAsk> {
        std::iter::once(&mut self.first).chain(&mut self.others)
    }

    pub fn into_vec(self) -> Vec<ReleasedAsk> {
        std::iter::once(self.first).chain(self.others).collect()
    }
}

impl ReleasedCall {
    /// The client has sent its person to where this ask is answered: it is not asked again.
    pub fn set_sent_to_page(&mut self, ask: AskId) {
        if let Some(ask) = self.asks.get_mut(ask) {
            ask.set_sent_to_page();
        }
    }
}

/// Where those wait for a call who had it when its flow was let go.
#[derive(Default)]
pub(crate) struct Handover {
    next: OnceLock<Option<Arc<Call>>>,
    set: Notify,
}

impl Handover {
    /// The call goes on with this; not in this process where there is none.
    pub fn set(&self, call: Option<Arc<Call>>) {
        let _ = self.next.set(call);
        self.set.notify_waiters();
    }

    /// Waits for what goes on with the call; none where that is not in this process.
    pub async fn next(&self) -> Option<Arc<Call>> {
        loop {
            let mut set = std::pin::pin!(self.set.notified());
            // From here on none is missed.
            set.as_mut().enable();
            if let Some(call) = self.next.get() {
                return call.clone();
            }
            set.await;
        }
    }
}

/// The calls whose flows were let go, the asks that they wait for, and what is due when.
///
/// Lock order: after a call's state; the desk's `live` is taken while it is held.
#[derive(Default)]
pub(crate) struct ReleasedCalls {
    state: Mutex<State>,
    /// Something is due earlier than before.
    pub changed: Notify,
}

#[derive(Default)]
struct State {
    calls: ManyById<CallId, ReleasedCall>,
    asks: ManyById<AskId, CallId>,
    /// Where others wait for what goes on with a call.
    handovers: HashMap<CallId, Arc<Handover>>,
    deadlines: BTreeSet<(Timestamp, AskId)>,
    /// Calls whose asks were decided: their flows are to go on.
    decided: Vec<CallId>,
    /// Calls whose flows wait, in the order in which they are to be let go. Most have ended by then.
    resting: VecDeque<(Instant, CallId)>,
    /// Calls whose flows could not be let go, and when that is tried once more.
    kept_back: VecDeque<(Instant, CallId)>,
    /// How long the flow that began to wait last may wait.
    after: Duration,
    /// Calls whose flows could not be run again, and when that is tried once more.
    failed: VecDeque<(Instant, CallId)>,
}

/// What has to be done now.
#[derive(Default)]
pub(crate) struct Due {
    /// Calls whose flows are to go on.
    pub wake: Vec<CallId>,
    /// Calls whose flows may be let go.
    pub release: Vec<CallId>,
    /// How long they may wait.
    pub after: Duration,
    /// Asks whose time may be up.
    pub asks: Vec<AskId>,
}

const TRY_AGAIN: Duration = Duration::from_secs(5);

/// How many flows wait in memory. Where more have begun to, the oldest go before their time, so that a rush of calls
/// takes no more memory than these.
const MOST_RESTING: usize = 1_000;

impl ReleasedCalls {
    /// A flow waits: it may be let go after so long.
    pub fn add_resting(&self, call: CallId, after: Duration) {
        let mut state = lock(&self.state);
        state.after = after;
        state.resting.push_back((Instant::now() + after, call));
        let is_due = state.resting.len() == 1 || is_crowded(&state.resting);
        drop(state);
        if is_due {
            self.changed.notify_one();
        }
    }

    /// A flow could not be let go; that is tried again after so long.
    pub fn keep_back(&self, call: CallId, after: Duration) {
        let at = Instant::now() + after;
        lock(&self.state).kept_back.push_back((at, call));
        self.changed.notify_one();
    }

    /// Keeps a call whose flow is let go, unless one of its asks has ended: `take` takes those off the asks that
    /// are waited for, and gives none where one is not there.
    pub fn add<T>(
        &self,
        id: CallId,
        call: ReleasedCall,
        take: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let mut state = lock(&self.state);
        let taken = take()?;
        for ask in call.asks.iter() {
            state.asks.insert(ask.id, id);
            state
                .deadlines
                .extend(ask.deadline_at.map(|at| (at, ask.id)));
        }
        state.calls.insert(id, call);
        drop(state);
        self.changed.notify_one();
        Some(taken)
    }

    /// Does something with what is kept of a call.
    pub fn with<T>(&self, id: CallId, act: impl FnOnce(&mut ReleasedCall) -> T) -> Option<T> {
        lock(&self.state).calls.get_mut(&id).map(act)
    }

    pub fn contains(&self, id: CallId) -> bool {
        lock(&self.state).calls.get(&id).is_some()
    }

    /// Where to wait for what goes on with this call; none where it is not among these.
    pub fn handover(&self, id: CallId) -> Option<Arc<Handover>> {
        let mut state = lock(&self.state);
        state.calls.get(&id)?;
        Some(state.handovers.entry(id).or_default().clone())
    }

    /// What goes on with a call that was taken out: not in this process where there is none.
    pub fn hand_over(&self, id: CallId, call: Option<Arc<Call>>) {
        let handover = lock(&self.state).handovers.remove(&id);
        if let Some(handover) = handover {
            handover.set(call);
        }
    }

    /// How many calls are let go.
    pub fn count(&self) -> usize {
        lock(&self.state).calls.len()
    }

    /// Whether a call that was let go waits for this ask.
    pub fn waits_for(&self, ask: AskId) -> bool {
        lock(&self.state).asks.get(&ask).is_some()
    }

    /// Who waits for this ask, which was decided. `live` looks among the asks of flows that run: while nothing is
    /// let go, so that it is in one place or the other.
    pub fn decide(
        &self,
        decision: &Decision,
        live: impl FnOnce() -> Option<Arc<OpenAsk>>,
    ) -> Waiting {
        let mut state = lock(&self.state);
        if let Some(open) = live() {
            return Waiting::Here(open);
        }
        let Some(id) = state.asks.get(&decision.ask).copied() else {
            return Waiting::Nobody;
        };
        let Some(call) = state.calls.get_mut(&id) else {
            return Waiting::Nobody;
        };
        let principal = call.session.principal.clone();
        let ask = call.asks.get_mut(decision.ask);
        let Some(ask) = ask.filter(|ask| !ask.decided) else {
            return Waiting::Nobody;
        };
        ask.decided = true;
        let ended: Option<EndSignal> = ask.ended.clone();
        state.decided.push(id);
        drop(state);
        if let Some(ended) = ended {
            ended.set(Some(decision.clone()));
        }
        self.changed.notify_one();
        Waiting::LetGo { principal }
    }

    /// Another process runs this call now, under this epoch: what is kept of it here goes.
    pub fn lose(&self, id: CallId, epoch: u64) {
        let mut state = lock(&self.state);
        if state.calls.get(&id).is_some_and(|call| call.epoch < epoch) {
            state.decided.push(id);
            drop(state);
            self.changed.notify_one();
        }
    }

    /// Takes a call out: its flow goes on, here or elsewhere.
    pub fn take(&self, id: CallId) -> Option<ReleasedCall> {
        let mut state = lock(&self.state);
        let call = state.calls.remove(&id)?;
        for ask in call.asks.iter() {
            state.asks.remove(&ask.id);
            if let Some(at) = ask.deadline_at {
                state.deadlines.remove(&(at, ask.id));
            }
        }
        drop(state);
        if let Some(watch) = &call.form_watch {
            watch.abort();
        }
        Some(call)
    }

    /// Forgets all of them.
    pub fn clear(&self) {
        let state = std::mem::take(&mut *lock(&self.state));
        drop(state);
    }

    /// A flow could not be run again.
    pub fn add_failed(&self, id: CallId) {
        let at = Instant::now() + TRY_AGAIN;
        lock(&self.state).failed.push_back((at, id));
        self.changed.notify_one();
    }

    /// An ask has this deadline now.
    pub fn set_deadline(&self, ask: AskId, at: Option<Timestamp>) {
        let mut state = lock(&self.state);
        let State {
            asks,
            calls,
            deadlines,
            ..
        } = &mut *state;
        let call = asks.get(&ask).and_then(|id| calls.get_mut(id));
        let Some(kept) = call.and_then(|call| call.asks.get_mut(ask)) else {
            return;
        };
        if let Some(before) = kept.deadline_at {
            deadlines.remove(&(before, ask));
        }
        kept.deadline_at = at;
        deadlines.extend(at.map(|at| (at, ask)));
        drop(state);
        self.changed.notify_one();
    }

    /// When something is next due: by the process's clock, and by the desk's.
    pub fn next_due(&self) -> (Option<Instant>, Option<Timestamp>) {
        let state = lock(&self.state);
        let queues = [&state.resting, &state.kept_back, &state.failed].map(VecDeque::front);
        let at = queues.into_iter().flatten().map(|(at, _)| *at).min();
        (at, state.deadlines.first().map(|(at, _)| *at))
    }

    /// What is due now. A deadline is given once; see [`Self::set_deadline`].
    pub fn take_due(&self, now: Timestamp) -> Due {
        let (mut due, at) = (Due::default(), Instant::now());
        let mut state = lock(&self.state);
        due.wake = std::mem::take(&mut state.decided);
        due.wake.extend(take_until(&mut state.failed, at));
        if is_crowded(&state.resting) {
            let early = state.resting.len() - MOST_RESTING;
            due.release
                .extend(state.resting.drain(..early).map(|(_, call)| call));
        }
        due.release.extend(take_until(&mut state.resting, at));
        due.release.extend(take_until(&mut state.kept_back, at));
        due.after = state.after;
        while let Some(first) = state
            .deadlines
            .first()
            .copied()
            .filter(|(at, _)| *at <= now)
        {
            state.deadlines.remove(&first);
            due.asks.push(first.1);
        }
        due
    }
}

/// Looked at together, since most of them have ended.
fn is_crowded(resting: &VecDeque<(Instant, CallId)>) -> bool {
    resting.len() >= 2 * MOST_RESTING
}

fn take_until(queue: &mut VecDeque<(Instant, CallId)>, now: Instant) -> Vec<CallId> {
    let mut due = Vec::new();
    while let Some((_, call)) = queue.pop_front_if(|(at, _)| *at <= now) {
        due.push(call);
    }
    due
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn due(calls: &ReleasedCalls) -> Vec<CallId> {
        calls.take_due(Timestamp::now()).release
    }

    #[tokio::test(start_paused = true)]
    async fn where_many_flows_wait_the_oldest_go_before_their_time() {
        let calls = ReleasedCalls::default();
        let ids: Vec<CallId> = (0..2 * MOST_RESTING).map(|_| CallId::new()).collect();
        let (last, first) = ids.split_last().unwrap();
        first.iter().for_each(|id| calls.add_resting(*id, HOUR));
        assert_eq!(due(&calls), []);
        calls.add_resting(*last, HOUR);
        assert_eq!(due(&calls), ids[..MOST_RESTING]);
        assert_eq!(due(&calls), [], "the others have their time");
        tokio::time::advance(HOUR).await;
        assert_eq!(due(&calls), ids[MOST_RESTING..]);
    }

    #[tokio::test(start_paused = true)]
    async fn what_cannot_be_let_go_is_not_tried_again_at_once_however_many_there_are() {
        let calls = ReleasedCalls::default();
        for _ in 0..3 * MOST_RESTING {
            calls.keep_back(CallId::new(), HOUR);
        }
        assert_eq!(due(&calls), []);
        tokio::time::advance(HOUR).await;
        assert_eq!(due(&calls).len(), 3 * MOST_RESTING);
    }
}
