//! An ask that is open in this process.

use crate::{AskError, Showing, flow::call::Call, flow::session::Surface, sync::lock};
use holdpoint_ask::{Answer, Ask, AskId, Decision, FieldError, Withdrawal};
use holdpoint_journal::NewAsk;
use jiff::Timestamp;
use std::sync::{Arc, Mutex, Weak};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

/// What a flow gets for its ask: the recorded decision, and the answer with its secrets.
#[derive(Debug)]
pub(crate) struct Settlement {
    pub decision: Decision,
    /// The answer as the person gave it; none where it was not given to this process.
    pub answer: Option<Secretive>,
}

/// An answer that is never printed.
pub(crate) struct Secretive(pub Answer);

impl std::fmt::Debug for Secretive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secretive(…)")
    }
}

/// An ask that is open in this process.
pub(crate) struct OpenAsk {
    pub new: Arc<NewAsk>,
    call: Weak<Call>,
    /// How the client can show it, until it was put before a legacy client.
    surface: Mutex<Kept>,
    /// Fires when it ended.
    pub ended: CancellationToken,
    state: Mutex<State>,
}

/// How a client can show an ask.
#[derive(Default)]
enum Kept {
    #[default]
    Not,
    As(Option<Arc<Surface>>),
    /// The client's channel has it.
    Taken,
}

struct State {
    refusals: u32,
    errors: Vec<FieldError>,
    shown_at: Timestamp,
    client_out: bool,
    offered: Vec<(Decision, Answer)>,
    recorded: bool,
    /// Its agent is gone, and that is on record.
    gone: bool,
    /// It is to be withdrawn as soon as it is on record.
    unwanted: Option<Withdrawal>,
    waiter: Option<oneshot::Sender<Result<Settlement, AskError>>>,
}

impl OpenAsk {
    /// A new one, and where its flow waits.
    pub fn new(
        call: &Arc<Call>,
        new: NewAsk,
        refusals: u32,
        errors: Vec<FieldError>,
    ) -> (Arc<Self>, oneshot::Receiver<Result<Settlement, AskError>>) {
        let (waiter, waiting) = oneshot::channel();
        let open = Self {
            surface: Mutex::default(),
            ended: CancellationToken::new(),
            state: Mutex::new(State {
                refusals,
                errors,
                shown_at: new.opened_at,
                client_out: false,
                offered: Vec::new(),
                recorded: false,
                gone: false,
                unwanted: None,
                waiter: Some(waiter),
            }),
            call: Arc::downgrade(call),
            new: Arc::new(new),
        };
        (Arc::new(open), waiting)
    }

    /// How the client can show it, worked out once, and again after it was taken.
    pub fn surface(&self, work_out: impl FnOnce() -> Option<Surface>) -> Option<Arc<Surface>> {
        let mut kept = lock(&self.surface);
        match &*kept {
            Kept::As(surface) => surface.clone(),
            Kept::Taken => work_out().map(Arc::new),
            Kept::Not => {
                let surface = work_out().map(Arc::new);
                *kept = Kept::As(surface.clone());
                surface
            }
        }
    }

    pub fn keep_surface(&self, surface: Option<Arc<Surface>>) {
        *lock(&self.surface) = Kept::As(surface);
    }

    /// As `surface`, and nothing of it is kept here while a person thinks.
    pub fn take_surface(&self, work_out: impl FnOnce() -> Option<Surface>) -> Option<Arc<Surface>> {
        let surface = self.surface(work_out)?;
        *lock(&self.surface) = Kept::Taken;
        Some(surface)
    }

    pub fn ask(&self) -> &Ask {
        &self.new.ask
    }

    pub fn id(&self) -> AskId {
        self.new.id
    }

    /// The key under which the client sees it now: an invalid reply makes a new one, so that a
    /// repeated retry cannot count twice.
    pub fn wire_key(&self) -> String {
        wire_key(&self.new.key, self.refusals())
    }

    pub fn refusals(&self) -> u32 {
        self.lock().refusals
    }

    /// It is shown again, after a reply that was invalid.
    pub fn refused(&self, errors: Vec<FieldError>, now: Timestamp) {
        let mut state = self.lock();
        state.refusals += 1;
        state.errors = errors;
        state.shown_at = now;
    }

    /// It was put before the client at this time.
    pub fn shown(&self, at: Timestamp) {
        self.lock().shown_at = at;
    }

    pub fn shown_at(&self) -> Timestamp {
        self.lock().shown_at
    }

    /// Another process has counted invalid replies.
    pub fn caught_up(&self, refusals: u32, errors: Vec<FieldError>) {
        let mut state = self.lock();
        if refusals > state.refusals {
            (state.refusals, state.errors) = (refusals, errors);
        }
    }

    /// Keeps an answer with secrets until its decision is on record.
    pub fn offer(&self, decision: Decision, answer: Answer) {
        self.lock().offered.push((decision, answer));
    }

    /// The answer behind a recorded decision, if it was given to this process.
    pub fn offered(&self, decision: &Decision) -> Option<Answer> {
        let offered = std::mem::take(&mut self.lock().offered);
        let mut offered = offered.into_iter();
        offered.find_map(|(of, answer)| (of == *decision).then_some(answer))
    }

    /// The client's word on this ask counts no more.
    pub fn rule_client_out(&self) {
        self.lock().client_out = true;
    }

    pub fn client_is_out(&self) -> bool {
        self.lock().client_out
    }

    /// Whether it can be withdrawn now; otherwise it will be once it is on record.
    pub fn withdraw(&self, why: Withdrawal) -> bool {
        let mut state = self.lock();
        state.unwanted = Some(why);
        state.recorded
    }

    /// It was withdrawn before it was put on record.
    pub fn is_unwanted(&self) -> bool {
        self.lock().unwanted.is_some()
    }

    /// It is on record; gives why it was withdrawn before that, if it was.
    pub fn recorded(&self) -> Option<Withdrawal> {
        let mut state = self.lock();
        state.recorded = true;
        state.unwanted
    }

    /// Whether it is on record, or was ended before it came there.
    pub fn is_settled_on(&self) -> bool {
        self.lock().recorded || self.ended.is_cancelled()
    }

    /// Sets whether its agent is gone; gives what was said before.
    pub fn set_gone(&self, gone: bool) -> bool {
        std::mem::replace(&mut self.lock().gone, gone)
    }

    pub fn showing(&self) -> Showing {
        let by_client = matches!(*lock(&self.surface), Kept::As(Some(_)) | Kept::Taken);
        let in_client = !self.client_is_out() && by_client;
        Showing {
            new: self.new.clone(),
            key: self.wire_key(),
            errors: self.lock().errors.clone(),
            ended: self.ended.clone(),
            in_client,
        }
    }

    /// Hands the settlement, or why there is none, to the flow, and takes the ask off its call.
    pub fn end(&self, settlement: Result<Settlement, AskError>) {
        let waiter = self.lock().waiter.take();
        let call = self.call.upgrade();
        if let Some(waiter) = waiter {
            if let Some(call) = &call {
                call.give();
            }
            if waiter.send(settlement).is_err()
                && let Some(call) = &call
            {
                call.consumed();
            }
        }
        self.ended.cancel();
        if let Some(call) = call {
            call.ask_ended(self);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("no panic while held")
    }
}

/// The key under which a client sees an ask after so many invalid replies.
pub(crate) fn wire_key(key: &str, refusals: u32) -> String {
    match refusals {
        0 => key.to_owned(),
        n => format!("{key}-again-{n}"),
    }
}
