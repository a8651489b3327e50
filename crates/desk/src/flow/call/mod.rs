//! One agent request, and the asks, steps and inputs that its flow makes.

mod register;

pub(crate) use register::Registered;

use super::{
    active_request::{ActiveRequest, Requester},
    change_signal::{ChangeSignal, Watch},
    client::{Client, Reach},
    masking::Secrets,
    replay::Replay,
    result::FlowResult,
    rounds::{Rounds, Work},
    session::Session,
};
use crate::{
    Channel, Desk,
    core::open_ask::{Asker, OpenAsk},
    sync::lock,
};
use futures::future::join_all;
use holdpoint_ask::{
    Answer, AskId, CallId, Form, Withdrawal, describe, looks_secret::mask_secrets,
};
use holdpoint_journal::{CallBinding, CallHistory, NewCall, StepState, Write};
use jiff::Timestamp;
use rmcp::model::RequestId;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
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
    pub active: ActiveRequest,
    /// Secrets that its flow was given, to be masked in what leaves it.
    secrets: Mutex<Secrets>,
    changed: ChangeSignal,
    state: Mutex<State>,
}

/// The two machines of a call, and how far it has come.
struct State {
    replay: Replay,
    rounds: Rounds,
    /// It is in the journal.
    opened: bool,
    /// It is a run of a script, which is on record whatever it does.
    run: bool,
    /// Raised by every process that takes the call over.
    epoch: u64,
    /// The client wants nothing more of it.
    cancelled: bool,
    /// Its flow has ended, or runs in another process now.
    closed: bool,
    done: Option<Arc<FlowResult>>,
    /// Its asks that ended for a fault, and when they were opened.
    failed: Vec<(AskId, Timestamp)>,
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
        Arc::new(Self {
            desk,
            id: request.id,
            session: session.into(),
            request: Arc::new(request),
            client: Mutex::new(client),
            binding: binding.map(OnceLock::from).unwrap_or_default(),
            has_work: Notify::new(),
            active: ActiveRequest::default(),
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
            }),
        })
    }

    /// What was called by whom with what: the same again may take it over. Worked out when it is
    /// first wanted, which for most calls is never.
    pub fn binding(&self) -> CallBinding {
        *self
            .binding
            .get_or_init(|| CallBinding::from(&*self.request))
    }

    fn state(&self) -> MutexGuard<'_, State> {
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
        let rests = self.state().rounds.rest();
        if rests {
            self.notify();
        }
    }

    /// The flow dropped its ask before it ended.
    pub fn lost_interest(&self, ask: AskId) {
        self.state().rounds.drop_ask(ask);
        self.has_work.notify_one();
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

    /// Waits for the end of its flow.
    pub async fn ended(&self) -> Arc<FlowResult> {
        let mut changes = self.watch();
        loop {
            changes.catch_up();
            if let Some(done) = self.done() {
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

    pub fn open_asks(&self) -> Vec<Arc<OpenAsk>> {
        self.state().rounds.open_asks()
    }

    // The client.

    /// The client as it can be reached now.
    pub fn client(&self) -> Arc<dyn Client> {
        lock(&self.client).clone()
    }

    /// Another request of the same client's takes the call over: what is open is shown to it.
    pub fn set_client(&self, client: Arc<dyn Client>) {
        self.go_on_with(client);
        self.state().rounds.show_all_again();
        self.has_work.notify_one();
    }

    /// The same client calls again, perhaps in another version: from now on it is asked and answers.
    pub fn go_on_with(&self, client: Arc<dyn Client>) {
        *lock(&self.client) = client;
    }

    /// Who is asked now. It may be another version of the client than the one that called.
    pub fn asked_session(&self) -> Arc<Session> {
        let client = self.client();
        client.session().unwrap_or(&self.session).clone()
    }

    /// Whether the client can be shown this ask.
    pub fn shows(&self, open: &OpenAsk) -> bool {
        open.is_for_client() && self.client().reach() != Reach::Nowhere
    }

    /// A channel to the client, where it is sent requests and can show this ask.
    pub fn client_channel(&self, open: &OpenAsk) -> Option<Arc<dyn Channel>> {
        if !open.is_for_client() {
            return None;
        }
        self.client().channel(&self.desk, open)
    }

    /// This request speaks for the call from now on.
    pub fn attach(&self, requester: Arc<dyn Requester>) {
        self.active.attach(requester);
        for open in self.open_asks() {
            self.desk.agent_back(&open);
        }
    }

    /// The client has given up on its request: the form is taken from it, not the ask from the
    /// person.
    pub async fn give_up(self: &Arc<Self>, request: &RequestId) {
        let active = self.active.get();
        if !active.is_some_and(|active| active.is(request)) {
            return;
        }
        self.let_go();
        let client = self.client();
        if client.reach() == Reach::Requests {
            client.give_up();
            return;
        }
        for open in self.open_asks() {
            self.desk.agent_gone(&open).await;
        }
    }

    /// No request speaks for the call any more: the same one again takes it over.
    pub fn let_go(self: &Arc<Self>) {
        self.active.detach();
        if self.done().is_none() {
            self.desk.calls().add_idle(self);
        }
    }

    /// Tells the client that a person is still being waited for, and where they can answer.
    pub async fn keep_alive(&self) {
        let asks = self.open_asks();
        if let Some(first) = asks.iter().map(|open| open.id()).min() {
            self.still_waiting(first).await;
        }
    }

    /// A sign of life while the answer to this ask is out, which may be another call's.
    pub async fn still_waiting(&self, ask: AskId) {
        let page = self.desk.page_of(ask);
        let open = self.desk.live_ask(ask);
        let inbox = open.is_some_and(|open| self.desk.shown_elsewhere(&open));
        let message = match describe::where_to_answer(page.as_deref(), inbox) {
            Some(place) => format!("Waiting for a person's answer {place}"),
            None => "Waiting for a person's answer".to_owned(),
        };
        self.active.progress(None, None, Some(message)).await;
    }

    /// The client has cancelled its request: what it asked is withdrawn, and it asks no more.
    pub async fn cancel(&self) {
        self.state().cancelled = true;
        let asks = self.open_asks();
        let why = Withdrawal::CallCancelled;
        join_all(asks.iter().map(|open| self.desk.withdraw(open, why))).await;
    }

    pub fn is_cancelled(&self) -> bool {
        self.state().cancelled
    }

    // Secrets.

    /// Remembers the secrets of an answer, in memory only.
    pub fn keep_secrets(&self, form: &Form, answer: &Answer) {
        lock(&self.secrets).keep(form, answer);
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
