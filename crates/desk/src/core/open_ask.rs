//! An ask that is open in this process.

use super::{
    channel::{ReplyTo, Showing, wire_key},
    end_signal::EndSignal,
};
use crate::{AskError, sync::lock};
use holdpoint_ask::{Answer, Ask, AskId, Decision, FieldError, Withdrawal};
use holdpoint_journal::{AskRecord, InClient, NewAsk};
use jiff::Timestamp;
use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, Weak},
};
use tokio::sync::oneshot;

/// What a flow gets for its ask: the recorded decision, and the answer with its secrets.
#[derive(Debug)]
pub(crate) struct Settlement {
    pub decision: Decision,
    /// The answer as the person gave it; none where it was not given to this process.
    pub answer: Option<SecretAnswer>,
}

/// An answer that is never printed.
pub(crate) struct SecretAnswer(pub Answer);

impl fmt::Debug for SecretAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretAnswer(…)")
    }
}

/// Where a flow waits for its ask.
pub(crate) type Waiter = oneshot::Receiver<Result<Settlement, AskError>>;

/// Who asks: what the core needs to know of a call.
pub(crate) trait Asker: Send + Sync {
    /// An answer is on its way to the flow.
    fn answer_sent(&self);

    /// The answer was looked at, or nobody waits for it any more.
    fn answer_consumed(&self);

    /// An ask has ended, however that came about.
    fn ask_ended(&self, ask: AskId);

    /// What its client shows of an ask has changed.
    fn ask_changed(&self) {}

    /// An ask that was opened then has ended here for a fault, and may still be open on record.
    fn ask_failed(&self, ask: AskId, opened_at: Timestamp);
}

/// An ask that is open in this process.
///
/// Lock order: its state is the innermost lock. Nothing else is locked while it is held, and its
/// asker is told of the end after it was released.
pub(crate) struct OpenAsk {
    pub new: Arc<NewAsk>,
    asker: Weak<dyn Asker>,
    /// What the agent's client was let do with it when it was opened.
    pub in_client: InClient,
    /// Fires when it ended.
    pub ended: EndSignal,
    state: Mutex<State>,
}

pub(super) struct State {
    refusals: u32,
    errors: Vec<FieldError>,
    /// What was valid in the last invalid reply and decides nothing.
    pub(super) kept: Option<Answer>,
    taken_from_client: bool,
    /// How many writes are under way that say so on record.
    takings: usize,
    /// Answers with secrets, until one of their decisions is on record.
    pub(super) offered: Vec<(Decision, Answer)>,
    pub(super) recorded: bool,
    /// Its agent is gone, and that is on record.
    agent_gone: bool,
    /// The client has sent its person to where it is answered, and has nothing more to show.
    pub(super) sent_to_page: bool,
    /// It was shown before its flow was let go, whoever looks at it now.
    pub(super) was_shown: bool,
    /// The desk's own channels that could not show it, by their place among all: a bit each.
    pub(super) failed_channels: u64,
    /// Those that have parked it, in the same way: they are not given it again.
    pub(super) parked_channels: u64,
    /// Deliveries and ends that are under way.
    pub(super) under_way: usize,
    /// One of them only waits for what is typed into the client's form.
    pub(super) waits_in_form: bool,
    /// It is to be withdrawn as soon as it is on record.
    pub(super) unwanted: Option<Withdrawal>,
    waiter: Option<oneshot::Sender<Result<Settlement, AskError>>>,
}

/// How often an ask was answered invalidly before, and what was wrong the last time.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    pub count: u32,
    pub errors: Vec<FieldError>,
}

impl OpenAsk {
    /// A new one, and where its flow waits.
    pub fn new(
        asker: Weak<dyn Asker>,
        new: NewAsk,
        in_client: InClient,
        refusals: Refusals,
        ended: EndSignal,
    ) -> (Arc<Self>, Waiter) {
        let (waiter, waiting) = oneshot::channel();
        let open = Self {
            in_client,
            ended,
            state: Mutex::new(State {
                refusals: refusals.count,
                errors: refusals.errors,
                kept: None,
                taken_from_client: false,
                takings: 0,
                offered: Vec::new(),
                recorded: false,
                agent_gone: false,
                sent_to_page: false,
                was_shown: false,
                failed_channels: 0,
                parked_channels: 0,
                under_way: 0,
                waits_in_form: false,
                unwanted: None,
                waiter: Some(waiter),
            }),
            asker,
            new: Arc::new(new),
        };
        (Arc::new(open), waiting)
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
        lock(&self.state).refusals
    }

    /// It is shown again, after a reply of which this was invalid and that was not.
    pub fn refused(&self, errors: Vec<FieldError>, kept: Answer) {
        let mut state = lock(&self.state);
        state.refusals += 1;
        state.errors = errors;
        state.kept = (!kept.is_empty()).then_some(kept);
    }

    /// Another process has counted invalid replies, or taken it from the client.
    pub fn refused_elsewhere(&self, record: AskRecord) {
        let mut state = lock(&self.state);
        if record.refusals > state.refusals {
            (state.refusals, state.errors) = (record.refusals, record.last_errors);
        }
        state.taken_from_client |= record.taken_from_client;
    }

    /// Keeps an answer with secrets until its decision is on record.
    pub fn offer(&self, decision: Decision, answer: Answer) {
        lock(&self.state).offered.push((decision, answer));
    }

    /// The answer behind a recorded decision, if it was given to this process.
    pub fn take_offered(&self, decision: &Decision) -> Option<Answer> {
        let offered = std::mem::take(&mut lock(&self.state).offered);
        let mut offered = offered.into_iter();
        offered.find_map(|(given, answer)| (given == *decision).then_some(answer))
    }

    /// What the client says about this ask counts no more.
    pub fn take_from_client(&self) {
        lock(&self.state).taken_from_client = true;
        self.changed();
    }

    /// As [`Self::take_from_client`], while that is being written: until this is dropped, nobody is told.
    pub fn taking_from_client(&self) -> Taking<'_> {
        lock(&self.state).takings += 1;
        self.take_from_client();
        Taking(self)
    }

    /// Whether it was taken from the client, and that is not yet on record.
    pub fn is_being_taken(&self) -> bool {
        lock(&self.state).takings > 0
    }

    /// Tells its asker, after its own lock was released.
    pub fn changed(&self) {
        if let Some(asker) = self.asker.upgrade() {
            asker.ask_changed();
        }
    }

    pub fn is_taken_from_client(&self) -> bool {
        lock(&self.state).taken_from_client
    }

    /// Whether the client can show it and its word counts.
    pub fn is_for_client(&self) -> bool {
        self.in_client != InClient::NotShown && !self.is_taken_from_client()
    }

    /// Whether it can be withdrawn now; otherwise it will be once it is on record.
    pub fn withdraw(&self, why: Withdrawal) -> bool {
        let mut state = lock(&self.state);
        state.unwanted = Some(why);
        state.recorded
    }

    /// Whether it was withdrawn before it was put on record.
    pub fn is_unwanted(&self) -> bool {
        lock(&self.state).unwanted.is_some()
    }

    /// It is on record; gives why it was withdrawn before that, if it was.
    pub fn recorded(&self) -> Option<Withdrawal> {
        let mut state = lock(&self.state);
        state.recorded = true;
        state.unwanted
    }

    /// Whether it is on record, or was ended before it came there.
    pub fn is_opened(&self) -> bool {
        lock(&self.state).recorded || self.ended.is_set()
    }

    /// Sets whether its agent is gone; gives what was set before.
    pub fn set_agent_gone(&self, gone: bool) -> bool {
        std::mem::replace(&mut lock(&self.state).agent_gone, gone)
    }

    /// Whether the client has sent its person to where it is answered, and shows nothing of it now.
    pub fn set_sent_to_page(&self, sent: bool) {
        lock(&self.state).sent_to_page = sent;
        self.changed();
    }

    pub fn is_sent_to_page(&self) -> bool {
        lock(&self.state).sent_to_page
    }

    pub fn was_shown(&self) -> bool {
        lock(&self.state).was_shown
    }

    /// This channel of the desk's own, by its place among all, could not show it.
    pub fn set_channel_failed(&self, channel: usize) {
        lock(&self.state).failed_channels |= bit(channel);
    }

    /// This channel of the desk's own, by its place among all, has parked it.
    pub fn set_channel_parked(&self, channel: usize) {
        lock(&self.state).parked_channels |= bit(channel);
    }

    /// Whether this channel of the desk's own has parked it before.
    pub fn is_parked_by(&self, channel: usize) -> bool {
        lock(&self.state).parked_channels & bit(channel) != 0
    }

    /// Says that something is under way that must not be dropped, until it ends.
    pub fn under_way(self: &Arc<Self>) -> UnderWay {
        lock(&self.state).under_way += 1;
        UnderWay(self.clone())
    }

    /// Whether the client's form waits for what its person types, and nothing else goes on in its delivery.
    pub fn set_waits_in_form(&self, waits: bool) {
        lock(&self.state).waits_in_form = waits;
    }

    /// Whether this channel of the desk's own shows it, as far as is known.
    pub fn is_shown_by(&self, channel: usize) -> bool {
        lock(&self.state).failed_channels & bit(channel) == 0
    }

    /// What a channel is to show of it now.
    pub fn showing(&self) -> Showing {
        let state = lock(&self.state);
        Showing {
            new: self.new.clone(),
            key: wire_key(&self.new.key, state.refusals),
            errors: state.errors.clone(),
            kept: state.kept.clone(),
            ended: self.ended.clone(),
            in_client: if state.taken_from_client {
                InClient::NotShown
            } else {
                self.in_client
            },
            shown_at: self.new.opened_at,
            replies_to: ReplyTo::nowhere(),
            after_restart: false,
        }
    }

    /// Hands the settlement, or why there is none, to the flow, and takes the ask off its call.
    pub fn end(&self, settlement: Result<Settlement, AskError>) {
        let waiter = lock(&self.state).waiter.take();
        let decision = settlement.as_ref().ok();
        let decision = decision.map(|settlement| settlement.decision.clone());
        let asker = self.asker.upgrade();
        if settlement.is_err()
            && let Some(asker) = &asker
        {
            asker.ask_failed(self.id(), self.new.opened_at);
        }
        if let Some(waiter) = waiter {
            if let Some(asker) = &asker {
                asker.answer_sent();
            }
            if waiter.send(settlement).is_err()
                && let Some(asker) = &asker
            {
                asker.answer_consumed();
            }
        }
        self.ended.set(decision);
        if let Some(asker) = asker {
            asker.ask_ended(self.id());
        }
    }
}

/// Something about an ask that is under way, until this is dropped.
pub(crate) struct UnderWay(Arc<OpenAsk>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        lock(&self.0.state).under_way -= 1;
    }
}

/// An ask that is being taken from its client, until this is dropped.
pub(crate) struct Taking<'a>(&'a OpenAsk);

impl Drop for Taking<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).takings -= 1;
        self.0.changed();
    }
}

pub(super) fn lock_state(open: &OpenAsk) -> MutexGuard<'_, State> {
    lock(&open.state)
}

/// The bit of a channel; those beyond the last share one.
fn bit(channel: usize) -> u64 {
    1 << channel.min(63)
}
