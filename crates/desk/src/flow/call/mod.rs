//! One agent request, and the asks, steps and inputs that its flow makes.

mod asked_client;
mod register;

pub(crate) use register::Registered;

use super::{
    active_request::ActiveRequest,
    change_signal::{ChangeSignal, Watch},
    client::Client,
    flow_waker,
    masking::Secrets,
    release::Releasing,
    released_calls::ReleasedCall,
    replay::Replay,
    result::FlowResult,
    rounds::{Rounds, Work},
    session::Session,
};
use crate::{
    Desk,
    core::{
        open_ask::{Asker, OpenAsk},
        released_ask::ReleasedAsk,
    },
    sync::lock,
};
use holdpoint_ask::{Answer, AskId, CallId, Form, looks_secret::mask_secrets};
use holdpoint_journal::{CallBinding, CallHistory, NewCall, StepState, Write};
use jiff::Timestamp;
use serde_json::Value;
use std::{
    sync::{
        Arc, Mutex, MutexGuard, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::Waker,
};
use tokio::sync::Notify;

/// One agent request. Its flow's task, the request that speaks for it on the wire, and the desk
/// meet here.
///
/// Lock order: `state` before the desk's `open_by_principal` and before an open ask's state. The
/// others (`client`, `secrets`, `active`) are held for one statement, with no lock taken meanwhile.
pub(crate) struct Call {
    pub desk: Desk,
    pub id: CallId,
    pub session: Arc<Session>,
    pub request: Arc<NewCall>,
    client: Mutex<Arc<dyn Client>>,
    binding: OnceLock<CallBinding>,
    /// Something was registered or dropped: the flow's task has work.
    pub has_work: Notify,
    pub active: Arc<ActiveRequest>,
    /// When its flow is let go while it waits; never where that is not set.
    pub releasing: OnceLock<Releasing>,
    pub release_wanted: AtomicBool,
    /// Something about it cannot be replayed: its flow is not let go.
    pub is_kept: AtomicBool,
    pub steps_under_way: AtomicUsize,
    /// How many requests wait for it.
    pub held: AtomicUsize,
    /// What tells the waker of its flow from others.
    waker: AtomicUsize,
    /// Its flow was let go before: what it told its client then is not told again.
    is_woken: bool,
    /// Secrets that its flow was given, to be masked in what leaves it.
    secrets: Mutex<Secrets>,
    changed: ChangeSignal,
    state: Mutex<State>,
}

/// The two machines of a call, and how far it has come.
pub(super) struct State {
    replay: Replay,
    pub rounds: Rounds,
    /// It is in the journal.
    pub opened: bool,
    /// It is a run of a script, which is on record whatever it does.
    run: bool,
    /// Raised by every process that takes the call over.
    pub epoch: u64,
    /// The client wants nothing more of it.
    pub cancelled: bool,
    /// Its flow has ended, was let go, or runs in another process now.
    pub closed: bool,
    pub done: Option<Arc<FlowResult>>,
    /// Its asks that ended for a fault, and when they were opened.
    pub failed: Vec<(AskId, Timestamp)>,
    /// Its flow was let go.
    pub released: bool,
    /// What was kept of its open asks when its flow was let go before.
    kept_asks: Vec<ReleasedAsk>,
}

impl Call {
    /// A call that is not in the journal yet.
    pub fn new(
        desk: Desk,
        session: impl Into<Arc<Session>>,
        request: NewCall,
        client: Arc<dyn Client>,
        binding: Option<CallBinding>,
    ) -> Arc<Self> {
        Arc::new(Self::unshared(
            desk,
            session.into(),
            request,
            client,
            binding,
        ))
    }

    fn unshared(
        desk: Desk,
        session: Arc<Session>,
        request: NewCall,
        client: Arc<dyn Client>,
        binding: Option<CallBinding>,
    ) -> Self {
        Self {
            desk,
            id: request.id,
            session,
            request: Arc::new(request),
            client: Mutex::new(client),
            binding: binding.map(OnceLock::from).unwrap_or_default(),
            has_work: Notify::new(),
            active: Arc::default(),
            releasing: OnceLock::new(),
            release_wanted: AtomicBool::new(false),
            is_kept: AtomicBool::new(false),
            steps_under_way: AtomicUsize::new(0),
            held: AtomicUsize::new(0),
            waker: AtomicUsize::new(0),
            is_woken: false,
            secrets: Mutex::default(),
            changed: ChangeSignal::default(),
            state: Mutex::new(State {
                replay: Replay::default(),
                rounds: Rounds::default(),
                opened: false,
                run: false,
                epoch: 1,
                cancelled: false,
                closed: false,
                done: None,
                failed: Vec::new(),
                released: false,
                kept_asks: Vec::new(),
            }),
        }
    }

    /// A call whose flow was let go, as it is on record now.
    pub fn again(desk: &Desk, released: ReleasedCall, history: CallHistory) -> Arc<Self> {
        let ReleasedCall {
            session,
            client,
            binding,
            epoch,
            ..
        } = released;
        let request = desk.adopt(&history.call);
        let mut call = Self::unshared(desk.clone(), session, request, client, Some(binding));
        call.is_woken = true;
        if let Some(active) = released.active {
            call.active = active;
        }
        let _ = call.releasing.set(Releasing {
            after: released.after,
            runner: released.runner,
        });
        let mut state = call.state();
        state.cancelled = released.cancelled;
        state.kept_asks = released.asks.into_vec();
        state.rounds.go_on(released.rounds);
        drop(state);
        call.remember(history, epoch);
        Arc::new(call)
    }

    /// What was called by whom with what: the same again may take it over. Worked out when it is
    /// first wanted, which for most calls is never.
    pub fn binding(&self) -> CallBinding {
        *self
            .binding
            .get_or_init(|| CallBinding::from(&*self.request))
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Wakes whoever speaks for the call.
    pub fn notify(&self) {
        self.changed.notify();
    }

    pub fn watch(&self) -> Watch<'_> {
        self.changed.watch()
    }

    // Replaying.

    /// What an earlier run of the flow asked and did counts in this one.
    pub fn remember(&self, history: CallHistory, epoch: u64) {
        let mut state = self.state();
        state.opened = true;
        state.epoch = epoch;
        state.replay.remember(history);
    }

    /// Whether an earlier run asked or did something that this one has not come to yet.
    pub fn replays(&self) -> bool {
        self.state().replay.has_more()
    }

    /// Whether its flow only repeats what it told its client before it was let go.
    pub fn repeats(&self) -> bool {
        self.is_woken && self.replays()
    }

    /// Which of the steps of this name comes next, what an earlier run did about it, and the epoch
    /// to record it under.
    pub fn next_step(&self, name: &str) -> (u32, Option<StepState>, u64) {
        let mut state = self.state();
        let (occurrence, past) = state.replay.next_step(name);
        (occurrence, past, state.epoch)
    }

    // The flow's task.

    /// What the flow's task has to take up now. Nothing is shown again once the flow has ended.
    pub fn take_work(&self) -> Work {
        let mut state = self.state();
        let mut work = state.rounds.take_work();
        if state.closed {
            work.again.clear();
        }
        work
    }

    /// So much of what was taken up is shown, or will not be.
    pub fn shown(&self, how_many: usize) {
        self.state().rounds.shown(how_many);
        self.notify();
    }

    /// The flow was polled and waits.
    pub fn rested(&self) {
        let mut state = self.state();
        let rests = state.rounds.rest();
        let waits = rests && state.rounds.has_open();
        drop(state);
        if rests {
            self.notify();
        }
        if waits {
            self.release_later();
        }
    }

    /// The flow dropped its ask before it ended; a flow that was let go drops them all, and wants them.
    pub fn lost_interest(&self, ask: AskId) {
        let mut state = self.state();
        if state.released {
            return;
        }
        state.rounds.drop_ask(ask);
        drop(state);
        // Run again, the flow would find it withdrawn at once, and might go another way.
        self.keep();
        self.has_work.notify_one();
    }

    /// What tells the waker that its flow is polled with from others.
    pub fn set_waker(&self, identity: usize) {
        self.waker.store(identity, Ordering::Release);
    }

    /// An ask is waited for with this waker. With another one than the flow's own it cannot be told what the flow
    /// waits for.
    pub fn note_waker(&self, waker: &Waker) {
        if flow_waker::identity(waker) != self.waker.load(Ordering::Acquire) {
            self.keep();
        }
    }

    /// Something about it cannot be replayed: its flow is not let go from here on.
    pub fn keep(&self) {
        self.is_kept.store(true, Ordering::Release);
    }

    /// The write that opens the call, if nothing has opened it yet.
    pub fn opening(self: &Arc<Self>) -> Option<Write> {
        if std::mem::replace(&mut self.state().opened, true) {
            return None;
        }
        self.desk.calls().enter(self);
        Some(Write::OpenCall(if self.state().run {
            let request = NewCall::clone(&self.request);
            Arc::new(NewCall {
                run: true,
                ..request
            })
        } else {
            self.request.clone()
        }))
    }

    /// It is a run of a script: on record even if it neither asks nor does anything.
    pub fn record_run(&self) {
        self.state().run = true;
    }

    /// The write that opens a run as it ends, where nothing has opened it before: it asked and did nothing.
    /// Nobody runs it again, so that its arguments are recorded without what looks secret in them.
    pub fn opening_at_end(&self) -> Option<Write> {
        let mut state = self.state();
        if state.opened || !state.run {
            return None;
        }
        state.opened = true;
        let mut request = NewCall::clone(&self.request);
        request.run = true;
        mask_secrets(&mut request.arguments);
        Some(Write::OpenCall(Arc::new(request)))
    }

    /// Opening it did not become durable: the next write opens it.
    pub fn not_opened(&self) {
        self.state().opened = false;
    }

    /// Whether it is in the journal, and under which epoch.
    pub fn recorded_epoch(&self) -> Option<u64> {
        let state = self.state();
        state.opened.then_some(state.epoch)
    }

    pub fn epoch(&self) -> u64 {
        self.state().epoch
    }

    /// Its flow has ended: nothing more is asked here.
    pub fn close(&self) {
        self.state().closed = true;
    }

    /// Closes it if another process has taken it over under this epoch. Gives the asks that are
    /// lost to this one.
    pub fn taken_over(&self, epoch: u64) -> Vec<Arc<OpenAsk>> {
        let mut state = self.state();
        if epoch <= state.epoch {
            return Vec::new();
        }
        state.closed = true;
        state.rounds.open_asks()
    }

    pub fn finish(&self, result: Arc<FlowResult>) {
        self.state().done = Some(result);
        self.notify();
    }

    /// The asks that ended for a fault, and when they were opened.
    pub fn take_failed(&self) -> Vec<(AskId, Timestamp)> {
        std::mem::take(&mut self.state().failed)
    }

    pub fn done(&self) -> Option<Arc<FlowResult>> {
        self.state().done.clone()
    }

    /// Waits for the end of its flow, also where that is let go meanwhile.
    pub async fn ended(self: Arc<Self>) -> Arc<FlowResult> {
        let mut call = self;
        loop {
            if let Some(done) = call.ended_or_released().await {
                return done;
            }
            let (desk, id) = (call.desk.clone(), call.id);
            drop(call);
            call = match desk.next_run(id).await {
                Ok(next) => next,
                Err(done) => return done,
            };
        }
    }

    /// Waits for the end of its flow; none where that is let go.
    async fn ended_or_released(&self) -> Option<Arc<FlowResult>> {
        let mut changes = self.watch();
        loop {
            changes.catch_up();
            let done = self.done();
            if done.is_some() || self.is_released() {
                return done;
            }
            changes.changed().await;
        }
    }

    // Rounds.

    /// Does something with what its client is asked next. The call is locked meanwhile.
    pub fn rounds<T>(&self, act: impl FnOnce(&mut Rounds) -> T) -> T {
        act(&mut self.state().rounds)
    }

    /// As [`Self::rounds`]; none where its flow was let go.
    pub fn running_rounds<T>(&self, act: impl FnOnce(&mut Rounds) -> T) -> Option<T> {
        let mut state = self.state();
        (!state.released).then(|| act(&mut state.rounds))
    }

    pub fn open_asks(&self) -> Vec<Arc<OpenAsk>> {
        self.state().rounds.open_asks()
    }

    // Secrets.

    /// Remembers the secrets of an answer, in memory only.
    pub fn keep_secrets(&self, form: &Form, answer: &Answer) {
        self.keep();
        lock(&self.secrets).keep(form, answer);
    }

    /// Whether its flow was given secrets.
    pub fn has_secrets(&self) -> bool {
        !lock(&self.secrets).is_empty()
    }

    /// Masks the secrets that this call's flow was given.
    pub fn mask(&self, value: &mut Value) {
        lock(&self.secrets).mask(value);
    }

    /// A result without the secrets that this call's flow was given.
    pub fn mask_result(&self, result: FlowResult) -> FlowResult {
        lock(&self.secrets).mask_result(result)
    }
}

impl Asker for Call {
    fn answer_sent(&self) {
        self.state().rounds.answer_sent();
    }

    fn answer_consumed(&self) {
        self.state().rounds.answer_consumed();
        self.has_work.notify_one();
    }

    fn ask_ended(&self, ask: AskId) {
        self.state().rounds.end_ask(ask);
        self.notify();
    }

    fn ask_changed(&self) {
        self.notify();
    }

    fn ask_failed(&self, ask: AskId, opened_at: Timestamp) {
        self.state().failed.push((ask, opened_at));
    }
}
