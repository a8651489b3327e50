//! One agent request, and the asks, steps and inputs that its flow makes.

use super::{
    active_request::{ActiveRequest, Requester},
    binding::CallBinding,
    change_signal::{ChangeSignal, Watch},
    client::{Client, Reach},
    masking::Secrets,
    replay::Replay,
    result::FlowResult,
    rounds::{Answers, Fresh, Input, RoundItem, Rounds, Work},
    session::{Session, time_for},
};
use crate::{
    AskError, Channel, Desk,
    clock::later,
    core::{
        channel::opened_before,
        judge::unanswered,
        open_ask::{Asker, OpenAsk, Refusals, Settlement, Waiter},
    },
    sync::lock,
};
use futures::future::join_all;
use holdpoint_ask::{Answer, Ask, AskId, CallId, Digest, Form, Outcome, Withdrawal};
use holdpoint_journal::{AskRecord, CallHistory, NewAsk, NewCall, StepState, Write};
use jiff::Timestamp;
use rmcp::model::RequestId;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock},
};
use tokio::sync::{Notify, oneshot};

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
    /// Raised by every process that takes the call over.
    epoch: u64,
    /// The client wants nothing more of it.
    cancelled: bool,
    /// Its flow has ended, or runs in another process now.
    closed: bool,
    done: Option<Arc<FlowResult>>,
}

/// What came of registering an ask.
pub(crate) enum Registered {
    /// It is over already: an earlier run has its answer, or the call was cancelled.
    Over(Box<Settlement>),
    /// It is open, and its answer comes here.
    Open(AskId, Waiter),
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
                epoch: 1,
                cancelled: false,
                closed: false,
                done: None,
            }),
        })
    }

    /// What was called by whom with what: the same again may take it over. Worked out when it is
    /// first wanted, which for most calls is never.
    pub fn binding(&self) -> CallBinding {
        *self.binding.get_or_init(|| {
            let NewCall {
                origin,
                method,
                arguments,
                ..
            } = &*self.request;
            let name = origin.tool.as_deref().unwrap_or_default();
            CallBinding::new(&self.session.principal, method, name, arguments)
        })
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

    // Registering.

    /// Registers an ask, at the first poll of whoever asks: two asks of one `join!` are in one
    /// round because both are here before anything is awaited.
    pub fn register(self: &Arc<Self>, ask: Ask) -> Result<Registered, AskError> {
        ask.check()?;
        let digest = ask.digest();
        let secret_for = ask
            .form
            .has_secret()
            .then(|| self.desk.inner.secrets.public());
        let mut state = self.state();
        let next = state.replay.next_ask(digest, secret_for);
        for record in next.replaced {
            let why = Withdrawal::Replaced;
            let (outcome, now) = (Outcome::Withdrawn { why }, self.desk.now());
            let decision = unanswered(record.id, record.opened_at, outcome, now);
            state.rounds.add(Fresh::Replaced(decision));
        }
        if let Some(decision) = next.past.as_ref().and_then(|past| past.decision.clone()) {
            let answer = None;
            return Ok(Registered::Over(Box::new(Settlement { decision, answer })));
        }
        if state.closed {
            return Err(AskError::LostCall);
        }
        if state.cancelled {
            return Ok(Registered::Over(Box::new(self.never_asked())));
        }
        self.desk.admit(&self.session.principal)?;
        let (open, waiter) = match next.past {
            Some(record) => {
                let (open, waiter) = self.reopen(record);
                state.rounds.add(Fresh::Again(open.clone()));
                (open, waiter)
            }
            None => {
                let key = state.replay.next_key(ask.key.as_deref());
                let occurrence = next.occurrence;
                let (open, waiter) = self.open(ask, digest, occurrence, key, state.epoch);
                state.rounds.add(Fresh::Ask(open.clone()));
                (open, waiter)
            }
        };
        drop(state);
        let id = open.id();
        lock(&self.desk.inner.live).insert(id, open);
        self.has_work.notify_one();
        Ok(Registered::Open(id, waiter))
    }

    /// What a flow gets that asks after its call was cancelled: nobody was asked.
    fn never_asked(&self) -> Settlement {
        let why = Withdrawal::CallCancelled;
        let now = self.desk.now();
        Settlement {
            decision: unanswered(AskId::new(), now, Outcome::Withdrawn { why }, now),
            answer: None,
        }
    }

    /// An ask that an earlier run opened.
    fn reopen(self: &Arc<Self>, record: AskRecord) -> (Arc<OpenAsk>, Waiter) {
        let refusals = Refusals {
            count: record.refusals,
            errors: record.last_errors.clone(),
        };
        let gone = record.agent_gone;
        let fits_client = self.fits_client(record.id, &record.ask);
        let asker = Arc::downgrade(self);
        let (open, waiter) = OpenAsk::new(asker, opened_before(record), fits_client, refusals);
        open.set_agent_gone(gone);
        (open, waiter)
    }

    /// A new ask.
    fn open(
        self: &Arc<Self>,
        ask: Ask,
        digest: Digest,
        occurrence: u32,
        key: String,
        epoch: u64,
    ) -> (Arc<OpenAsk>, Waiter) {
        let id = AskId::new();
        let opened_at = self.desk.now();
        let fits_client = self.fits_client(id, &ask);
        let secret = ask.form.has_secret();
        let seal_to = secret.then(|| self.desk.inner.secrets.public());
        let time = time_for(&ask, fits_client, &self.desk.inner.settings);
        let new = NewAsk {
            id,
            call: Some(self.id),
            key,
            digest,
            occurrence,
            ask,
            origin: self.request.origin.clone(),
            opened_at,
            deadline_at: time.map(|time| later(opened_at, time)),
            epoch,
            seal_to,
        };
        let asker = Arc::downgrade(self);
        OpenAsk::new(asker, new, fits_client, Refusals::default())
    }

    fn fits_client(&self, id: AskId, ask: &Ask) -> bool {
        self.session.surface(&self.desk, id, ask).is_some()
    }

    /// Registers a request that is not an ask to a client that is asked in rounds; what an earlier
    /// run got for it is there at once.
    pub fn register_input(
        &self,
        method: &'static str,
        params: Value,
    ) -> Result<oneshot::Receiver<Value>, Value> {
        let digest = Digest::hash_json(&params).unwrap_or_else(|_| Digest::hash_bytes(b""));
        let name = format!("{method} {digest}");
        let mut state = self.state();
        if state.closed || state.cancelled {
            return Ok(oneshot::channel().1);
        }
        let (occurrence, past) = state.replay.next_step(&name);
        if let Some(StepState::Finished(value)) = past {
            return Err(value);
        }
        let key = state.replay.next_key(None);
        let (answer, waiting) = oneshot::channel();
        let input = Input {
            method,
            params,
            step: (name, occurrence),
            answer,
        };
        state.rounds.add(Fresh::Input(key, input));
        drop(state);
        self.has_work.notify_one();
        Ok(waiting)
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
        Some(Write::OpenCall(self.request.clone()))
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

    /// Whether the client of a modern call can be asked now: the flow waits, no ask is half-open,
    /// and there is something to ask.
    pub fn round_is_ready(&self) -> bool {
        self.state().rounds.is_ready()
    }

    /// How many rounds went out so far.
    pub fn rounds(&self) -> u32 {
        self.state().rounds.count()
    }

    /// The round that goes out now: its number, and what it asks.
    pub fn send_round(&self) -> (u32, Vec<(String, RoundItem)>) {
        self.state().rounds.send_out()
    }

    /// Puts an ask before a modern client, in its next round.
    pub fn put_in_round(&self, open: &Arc<OpenAsk>) {
        let key = open.wire_key();
        self.state().rounds.put_ask(key, open);
    }

    /// Puts requests that are not asks before a modern client, in its next round.
    pub fn put_inputs_in_round(&self, inputs: Vec<(String, Input)>) {
        let mut state = self.state();
        for (key, input) in inputs {
            state.rounds.put_input(key, input);
        }
    }

    pub fn take_out_of_round(&self, ask: AskId) {
        self.state().rounds.take_out(ask);
    }

    /// Sorts what a modern client answered to the round that was sealed then.
    pub fn take_answers(
        &self,
        responses: BTreeMap<String, Value>,
        sealed_at: Timestamp,
    ) -> Answers {
        self.state().rounds.take_answers(responses, sealed_at)
    }

    /// Keeps answers that came before they were asked for.
    pub fn set_beforehand(&self, answers: BTreeMap<String, Value>) {
        self.state().rounds.set_beforehand(answers);
    }

    /// The answer that came for this key before it was asked for.
    pub fn take_beforehand(&self, key: &str) -> Option<Value> {
        self.state().rounds.take_beforehand(key)
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
        *lock(&self.client) = client;
        self.state().rounds.show_all_again();
        self.has_work.notify_one();
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
        self.client().channel(&self.desk, &self.session, open)
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

    /// Tells the client that a person is still being waited for.
    pub async fn keep_alive(&self) {
        if !self.open_asks().is_empty() {
            let message = Some("Waiting for a person's answer".to_owned());
            self.active.progress(None, None, message).await;
        }
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
}
