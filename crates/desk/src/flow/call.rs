//! One agent request, and the asks, steps and inputs that its flow makes.

use crate::{
    AskError, Desk, Session,
    clock::later,
    core::judge::unanswered,
    core::open_ask::{OpenAsk, Settlement},
    flow::active_request::ActiveRequest,
    flow::ask_keys::AskKeys,
    flow::change_signal::{ChangeSignal, Watch},
    flow::pending_ask::PendingAsk,
    flow::result::FlowResult,
    flow::session::{Surface, time_for},
    mcp::{legacy_client::ClientLink, request_state::Binding},
    sync::lock,
};
use holdpoint_ask::{Ask, AskId, CallId, Decision, Digest, Outcome, Withdrawal};
use holdpoint_journal::{AskRecord, CallHistory, NewAsk, NewCall, StepState, Write};
use serde_json::Value;
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, OnceLock},
};
use tokio::sync::{Notify, oneshot};

/// One agent request. Its flow's task, the handler that speaks for it on the wire, and the desk
/// meet here.
pub(crate) struct Call {
    pub desk: Desk,
    pub id: CallId,
    pub session: Arc<Session>,
    pub request: Arc<NewCall>,
    link: Mutex<Arc<ClientLink>>,
    binding: OnceLock<Binding>,
    /// Something was registered or dropped: the flow's task has work.
    pub registered: Notify,
    pub attached: Mutex<ActiveRequest>,
    changed: ChangeSignal,
    state: Mutex<State>,
}

#[derive(Default)]
pub(crate) struct State {
    /// It is in the journal.
    pub opened: bool,
    pub epoch: u64,
    past_asks: HashMap<(Digest, u32), AskRecord>,
    past_steps: HashMap<(String, u32), StepState>,
    asked: HashMap<Digest, u32>,
    stepped: HashMap<String, u32>,
    keys: AskKeys,
    /// Registered and not yet taken up by the flow's task.
    pub fresh: Vec<Fresh>,
    /// Open asks that a new client is to be shown.
    pub again: Vec<Arc<OpenAsk>>,
    /// Asks whose flow lost interest.
    pub dropped: Vec<AskId>,
    /// ReplyResult up and not yet shown.
    pub half_open: usize,
    /// Answers that the flow has not looked at yet.
    unconsumed: usize,
    resting: bool,
    /// The asks that are open, for withdrawing them.
    pub open: HashMap<AskId, Arc<OpenAsk>>,
    /// What a modern client is to be asked.
    pub round: BTreeMap<String, Wanted>,
    pub rounds: u32,
    /// The client wants nothing more of it.
    pub cancelled: bool,
    /// Its flow has ended, or runs in another process now.
    pub closed: bool,
    /// Secrets that its flow was given, to be masked in what leaves it.
    pub secrets: Vec<String>,
    /// Answers that came before they were asked for, by key.
    pub beforehand: BTreeMap<String, Value>,
    done: Option<Arc<FlowResult>>,
}

/// Something that the flow's task has to take up.
pub(crate) enum Fresh {
    /// A new ask.
    Ask(Arc<OpenAsk>),
    /// An ask that an earlier run of the flow opened.
    Again(Arc<OpenAsk>),
    /// An open ask of an earlier run that nobody can hand its secret to any more.
    Replaced(Decision),
    /// A request to the client that is no ask.
    Input(String, Input),
}

/// What a modern client is asked for under one key.
pub(crate) enum Wanted {
    Ask(Arc<OpenAsk>),
    Input(Input),
}

/// A request to the client that is no ask: sampling, roots.
pub(crate) struct Input {
    pub method: &'static str,
    pub params: Value,
    pub step: (String, u32),
    pub answer: oneshot::Sender<Value>,
}

impl Call {
    /// A call that is not in the journal yet.
    pub fn new(
        desk: Desk,
        session: impl Into<Arc<Session>>,
        request: NewCall,
        link: ClientLink,
        binding: Option<Binding>,
    ) -> Arc<Self> {
        Arc::new(Self {
            desk,
            id: request.id,
            session: session.into(),
            request: Arc::new(request),
            link: Mutex::new(Arc::new(link)),
            binding: binding.map(OnceLock::from).unwrap_or_default(),
            registered: Notify::new(),
            attached: Mutex::default(),
            changed: ChangeSignal::default(),
            state: Mutex::new(State {
                epoch: 1,
                ..State::default()
            }),
        })
    }

    /// What was called by whom with what: the same again may take it over. Worked out when it is
    /// first wanted, which for most calls is never.
    pub fn binding(&self) -> &Binding {
        self.binding.get_or_init(|| {
            let NewCall {
                origin,
                method,
                arguments,
                ..
            } = &*self.request;
            let name = origin.tool.as_deref().unwrap_or_default();
            Binding::new(&self.session.principal, method, name, arguments)
        })
    }

    /// What an earlier run of the flow asked and did counts in this one.
    pub fn remember(&self, history: CallHistory, epoch: u64) {
        let mut state = self.state();
        state.opened = true;
        state.epoch = epoch;
        for ask in history.asks {
            state.keys.taken(&ask.key);
            state.past_asks.insert((ask.digest, ask.occurrence), ask);
        }
        for step in history.steps {
            state
                .past_steps
                .insert((step.name, step.occurrence), step.state);
        }
    }

    /// Whether an earlier run asked or did something that this one has not come to yet.
    pub fn replays(&self) -> bool {
        let state = self.state();
        !state.past_asks.is_empty() || !state.past_steps.is_empty()
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Wakes whoever speaks for the call.
    pub fn notify(&self) {
        self.changed.notify();
    }

    pub fn watch(&self) -> Watch<'_> {
        self.changed.watch()
    }

    /// Registers an ask, at the first poll of whoever asks: two asks of one `join!` are in one
    /// round because both are here before anything is awaited.
    pub fn register(self: &Arc<Self>, ask: Ask) -> Result<PendingAsk, AskError> {
        ask.check()?;
        let digest = ask.digest();
        let mut state = self.state();
        let occurrence = self.next_occurrence(&mut state, digest, &ask);
        let past = state.past_asks.remove(&(digest, occurrence));
        if let Some(decision) = past.as_ref().and_then(|record| record.decision.clone()) {
            let settlement = Settlement {
                decision,
                answer: None,
            };
            return Ok(PendingAsk::over(self, settlement));
        }
        if state.closed {
            return Err(AskError::LostCall);
        }
        if state.cancelled {
            return Ok(PendingAsk::over(self, self.never_asked()));
        }
        self.desk.admit(&self.session.principal)?;
        let (open, waiting) = match past {
            Some(record) => {
                let (refusals, errors) = (record.refusals, record.last_errors.clone());
                let gone = record.agent_gone;
                let (open, waiting) = OpenAsk::new(self, again(record), refusals, errors);
                open.set_gone(gone);
                state.fresh.push(Fresh::Again(open.clone()));
                (open, waiting)
            }
            None => {
                let key = state.keys.next(ask.key.as_deref());
                let (new, surface) = self.new_ask(ask, digest, occurrence, key, state.epoch);
                let (open, waiting) = OpenAsk::new(self, new, 0, Vec::new());
                open.keep_surface(surface);
                state.fresh.push(Fresh::Ask(open.clone()));
                (open, waiting)
            }
        };
        state.open.insert(open.id(), open.clone());
        state.resting = false;
        drop(state);
        lock(&self.desk.inner.live).insert(open.id(), open.clone());
        self.registered.notify_one();
        Ok(PendingAsk::open(self, open.id(), waiting))
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

    fn new_ask(
        &self,
        ask: Ask,
        digest: Digest,
        occurrence: u32,
        key: String,
        epoch: u64,
    ) -> (NewAsk, Option<Arc<Surface>>) {
        let id = AskId::new();
        let opened_at = self.desk.now();
        let surface = self.session.surface(&self.desk, id, &ask).map(Arc::new);
        let secret = ask.form.has_secret();
        let seal_to = secret.then(|| self.desk.inner.unsealer.public());
        let time = time_for(&ask, surface.is_some(), &self.desk.inner.settings);
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
        (new, surface)
    }

    /// Which of the asks with this digest comes next. A secret is not replayed: an ask that got one
    /// is passed over, and so is an open one whose secret could only be opened by a process that
    /// is gone.
    fn next_occurrence(&self, state: &mut State, digest: Digest, ask: &Ask) -> u32 {
        let mut occurrence = state.asked.get(&digest).copied().unwrap_or_default();
        if ask.form.has_secret() {
            let mine = Some(self.desk.inner.unsealer.public());
            while let Some(record) = state.past_asks.get(&(digest, occurrence)) {
                if record.decision.is_none() {
                    if record.seal_to == mine {
                        break;
                    }
                    let why = Withdrawal::Replaced;
                    let outcome = Outcome::Withdrawn { why };
                    let now = self.desk.now();
                    let decision = unanswered(record.id, record.opened_at, outcome, now);
                    state.fresh.push(Fresh::Replaced(decision));
                }
                occurrence += 1;
            }
        }
        state.asked.insert(digest, occurrence + 1);
        occurrence
    }

    /// Registers a request to a modern client that is no ask; what an earlier run got for it is
    /// there at once.
    pub fn register_input(
        self: &Arc<Self>,
        method: &'static str,
        params: Value,
    ) -> Result<oneshot::Receiver<Value>, Value> {
        let digest = Digest::hash_json(&params).unwrap_or_else(|_| Digest::hash_bytes(b""));
        let name = format!("{method} {digest}");
        let mut state = self.state();
        if state.closed || state.cancelled {
            return Ok(oneshot::channel().1);
        }
        let occurrence = state.next_step(&name);
        let step = (name, occurrence);
        if let Some(StepState::Finished(value)) = state.past_steps.remove(&step) {
            return Err(value);
        }
        let key = state.keys.next(None);
        let (answer, waiting) = oneshot::channel();
        let input = Input {
            method,
            params,
            step,
            answer,
        };
        state.fresh.push(Fresh::Input(key, input));
        state.resting = false;
        drop(state);
        self.registered.notify_one();
        Ok(waiting)
    }

    /// What the flow's task has to take up now, and the write that opens the call if it is the
    /// first.
    pub fn take_fresh(self: &Arc<Self>) -> (Vec<Fresh>, Vec<AskId>) {
        let mut state = self.state();
        let fresh = std::mem::take(&mut state.fresh);
        state.half_open += fresh.len();
        (fresh, std::mem::take(&mut state.dropped))
    }

    /// How its client can be reached now.
    pub fn link(&self) -> Arc<ClientLink> {
        lock(&self.link).clone()
    }

    /// Another request of the same client's takes the call over: what is open is shown to it.
    pub fn relink(&self, link: ClientLink) {
        *lock(&self.link) = Arc::new(link);
        let open = self.open_asks();
        self.state().again.extend(open);
        self.registered.notify_one();
    }

    /// The write that opens the call, if nothing has opened it yet.
    pub fn opening(self: &Arc<Self>) -> Option<Write> {
        if std::mem::replace(&mut self.state().opened, true) {
            return None;
        }
        self.desk.enter_call(self);
        Some(Write::OpenCall(self.request.clone()))
    }

    /// Opening it did not become durable: the next write opens it.
    pub fn not_opened(&self) {
        self.state().opened = false;
    }

    /// The call goes on in another process, or its flow has ended: nothing more is asked here.
    pub fn close(&self) -> Vec<Arc<OpenAsk>> {
        let mut state = self.state();
        state.closed = true;
        state.open.values().cloned().collect()
    }

    /// The flow was polled and waits.
    pub fn rested(&self) {
        let mut state = self.state();
        if state.unconsumed == 0 && !state.resting {
            state.resting = true;
            drop(state);
            self.notify();
        }
    }

    /// Whether the client of a modern call can be asked now: the flow waits, no ask is half-open,
    /// and there is something to ask.
    pub fn round_is_ready(&self) -> bool {
        let mut state = self.state();
        state.round.retain(|_, wanted| !wanted.is_forgotten());
        state.resting
            && state.fresh.is_empty()
            && state.half_open == 0
            && state.unconsumed == 0
            && !state.round.is_empty()
    }

    pub fn shown(&self, how_many: usize) {
        self.state().half_open -= how_many;
        self.notify();
    }

    /// An ask has ended: the client need not be asked, and the flow has something to look at.
    pub fn ask_ended(&self, open: &OpenAsk) {
        let mut state = self.state();
        if state.open.remove(&open.id()).is_some() {
            state.round.retain(|_, wanted| !wanted.is(open.id()));
        }
        drop(state);
        self.notify();
    }

    pub fn next_step(&self, name: &str) -> (u32, Option<StepState>, u64) {
        let mut state = self.state();
        let occurrence = state.next_step(name);
        let past = state.past_steps.remove(&(name.to_owned(), occurrence));
        (occurrence, past, state.epoch)
    }

    pub fn finish(&self, result: Arc<FlowResult>) {
        self.state().done = Some(result);
        self.notify();
    }

    pub fn done(&self) -> Option<Arc<FlowResult>> {
        self.state().done.clone()
    }

    pub fn open_asks(&self) -> Vec<Arc<OpenAsk>> {
        self.state().open.values().cloned().collect()
    }

    /// The flow has an answer to look at.
    pub fn give(&self) {
        let mut state = self.state();
        state.unconsumed += 1;
        state.resting = false;
    }

    /// The flow has looked at an answer.
    pub fn consumed(&self) {
        self.state().unconsumed -= 1;
        self.registered.notify_one();
    }

    /// The flow dropped its ask before it ended.
    pub fn lost_interest(&self, ask: AskId) {
        self.state().dropped.push(ask);
        self.registered.notify_one();
    }
}

impl State {
    fn next_step(&mut self, name: &str) -> u32 {
        match self.stepped.get_mut(name) {
            Some(count) => {
                *count += 1;
                *count - 1
            }
            None => {
                self.stepped.insert(name.to_owned(), 1);
                0
            }
        }
    }
}

impl Wanted {
    /// Nobody waits for it any more.
    fn is_forgotten(&self) -> bool {
        matches!(self, Self::Input(input) if input.answer.is_closed())
    }

    pub fn is(&self, ask: AskId) -> bool {
        matches!(self, Self::Ask(open) if open.id() == ask)
    }
}

/// A recorded ask, as it was opened.
pub(crate) fn again(record: AskRecord) -> NewAsk {
    NewAsk {
        id: record.id,
        call: record.call,
        key: record.key,
        digest: record.digest,
        occurrence: record.occurrence,
        ask: record.ask,
        origin: record.origin,
        opened_at: record.opened_at,
        deadline_at: record.deadline_at,
        epoch: 0,
        seal_to: record.seal_to,
    }
}
