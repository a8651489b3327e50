//! What a flow's task has to take up, and what a client that is asked in rounds is asked next.

use crate::core::{departure::Departure, open_ask::OpenAsk};
use holdpoint_ask::{AskId, Decision};
use jiff::Timestamp;
use serde_json::Value;
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::Arc,
};
use tokio::{sync::oneshot, time::Instant};

/// The open asks and requests of one call, on their way from the flow to the client and back.
///
/// What the flow registers is *fresh* until its task takes it up, *half-open* until it is on record and
/// shown, then *open*. A round goes out when the flow rests: it was polled and waits, every answer
/// that it was sent was looked at, and nothing is fresh or half-open. So two asks of one `join!` are in
/// one round.
#[derive(Default)]
pub(crate) struct Rounds {
    fresh: Vec<Fresh>,
    /// Open asks that a new client is to be shown.
    again: Vec<Arc<OpenAsk>>,
    /// Asks whose flow lost interest.
    dropped: Vec<AskId>,
    half_open: usize,
    /// Answers that the flow has not looked at yet.
    unconsumed: usize,
    resting: bool,
    open: HashMap<AskId, Arc<OpenAsk>>,
    /// What the client is to be asked, by key.
    round: BTreeMap<String, Wanted>,
    /// How many rounds went out.
    count: u32,
    /// The last rounds that went out, in order: when each was sealed, and when it left.
    sent: VecDeque<(Timestamp, Arc<Departure>)>,
    /// Answers that came before they were asked for, by key.
    beforehand: BTreeMap<String, Value>,
}

/// Of how many rounds it is remembered when they left.
const REMEMBERED: usize = 4;

/// The rounds that went out before the flow was let go. Of the last one it is known when it left: whatever answers
/// an earlier one counts from there too.
pub(crate) struct SentRounds {
    count: u32,
    last: Option<(Timestamp, Left)>,
}

/// When a round left.
enum Left {
    At(Instant),
    /// It has not left yet: its transport will say so.
    NotYet(Arc<Departure>),
}

impl SentRounds {
    /// When the last round left, if it was not sealed before this.
    pub fn departure(&self, sealed_at: Timestamp) -> Option<Arc<Departure>> {
        let (at, left) = self.last.as_ref()?;
        (*at >= sealed_at).then(|| left.departure())
    }
}

impl Left {
    fn departure(&self) -> Arc<Departure> {
        match self {
            Self::At(left) => Arc::new(Departure::at(*left)),
            Self::NotYet(departure) => departure.clone(),
        }
    }
}

/// Something that the flow's task has to take up.
pub(crate) enum Fresh {
    /// A new ask.
    Ask(Arc<OpenAsk>),
    /// An ask that an earlier run of the flow opened.
    Again(Arc<OpenAsk>),
    /// An open ask of an earlier run that nobody can hand its secret to any more.
    Replaced(Decision),
    /// A request to the client that is not an ask.
    Input(String, Input),
}

/// What the flow's task has to do now.
pub(crate) struct Work {
    pub fresh: Vec<Fresh>,
    pub dropped: Vec<AskId>,
    pub again: Vec<Arc<OpenAsk>>,
}

/// What a client is asked for under one key.
enum Wanted {
    Ask(Arc<OpenAsk>),
    Input(Input),
}

/// A request to the client that is not an ask: sampling, roots.
pub(crate) struct Input {
    pub method: &'static str,
    pub params: Value,
    /// The step that its answer is recorded as.
    pub step: (String, u32),
    pub answer: oneshot::Sender<Value>,
}

/// One entry of a round that goes out.
pub(crate) enum RoundItem {
    Ask(Arc<OpenAsk>),
    Input { method: &'static str, params: Value },
}

/// A client's answers, each with what it answers.
#[derive(Default)]
pub(crate) struct Answers {
    pub replies: Vec<(Arc<OpenAsk>, Value)>,
    pub inputs: Vec<(Input, Value)>,
    /// What came for keys under which nothing is open any more.
    pub late: BTreeMap<String, Value>,
}

impl Rounds {
    /// The flow has registered something.
    pub fn add(&mut self, fresh: Fresh) {
        if let Fresh::Ask(open) | Fresh::Again(open) = &fresh {
            self.open.insert(open.id(), open.clone());
        }
        if !matches!(fresh, Fresh::Replaced(_)) {
            self.resting = false;
        }
        self.fresh.push(fresh);
    }

    /// The flow dropped its ask before it ended.
    pub fn drop_ask(&mut self, ask: AskId) {
        self.dropped.push(ask);
    }

    /// Another request has taken the call over: its client is to be shown what is open.
    pub fn show_all_again(&mut self) {
        let mut open: Vec<_> = self.open.values().cloned().collect();
        open.sort_by_key(|open| open.id());
        self.again.extend(open);
    }

    /// What the flow's task has to take up now. What was fresh is half-open from here on.
    pub fn take_work(&mut self) -> Work {
        self.half_open += self.fresh.len();
        Work {
            fresh: std::mem::take(&mut self.fresh),
            dropped: std::mem::take(&mut self.dropped),
            again: std::mem::take(&mut self.again),
        }
    }

    /// So much of what was half-open is shown, or will not be.
    pub fn shown(&mut self, how_many: usize) {
        self.half_open -= how_many;
    }

    /// The flow was polled and waits; true where it did not rest before.
    pub fn rest(&mut self) -> bool {
        let rests = self.unconsumed == 0 && !self.resting;
        self.resting |= rests;
        rests
    }

    /// The flow has an answer to look at.
    pub fn answer_sent(&mut self) {
        self.unconsumed += 1;
        self.resting = false;
    }

    /// The flow has looked at an answer, or does not want it any more.
    pub fn answer_consumed(&mut self) {
        self.unconsumed -= 1;
    }

    /// Whether the client can be asked now.
    pub fn is_ready(&mut self) -> bool {
        self.round.retain(|_, wanted| !wanted.is_forgotten());
        self.resting
            && self.fresh.is_empty()
            && self.half_open == 0
            && self.unconsumed == 0
            && !self.round.is_empty()
    }

    /// Puts an ask into the next round, if it is open, under the key that it has now.
    pub fn put_ask(&mut self, open: &Arc<OpenAsk>) {
        self.take_out(open.id());
        if self.open.contains_key(&open.id()) {
            self.round
                .insert(open.wire_key(), Wanted::Ask(open.clone()));
        }
    }

    /// Puts requests that are not asks into the next round.
    pub fn put_inputs(&mut self, inputs: Vec<(String, Input)>) {
        let inputs = inputs.into_iter();
        self.round
            .extend(inputs.map(|(key, input)| (key, Wanted::Input(input))));
    }

    /// Takes an ask out of the next round.
    pub fn take_out(&mut self, ask: AskId) {
        self.round.retain(|_, wanted| !wanted.is(ask));
    }

    /// An ask has ended: the client need not be asked.
    pub fn end_ask(&mut self, ask: AskId) {
        if self.open.remove(&ask).is_some() {
            self.take_out(ask);
        }
    }

    /// What is open is another run's from here on.
    pub fn forget_open(&mut self) {
        self.open.clear();
        self.round.clear();
    }

    pub fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    pub fn open_asks(&self) -> Vec<Arc<OpenAsk>> {
        self.open.values().cloned().collect()
    }

    /// How many rounds went out so far.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The round that goes out now: its number, and what it asks.
    pub fn send_out(
        &mut self,
        now: Timestamp,
        departure: &Arc<Departure>,
    ) -> (u32, Vec<(String, RoundItem)>) {
        self.count += 1;
        if self.sent.len() == REMEMBERED {
            self.sent.pop_front();
        }
        self.sent.push_back((now, departure.clone()));
        let items = self.round.iter().map(|(key, wanted)| {
            let item = match wanted {
                Wanted::Ask(open) => RoundItem::Ask(open.clone()),
                Wanted::Input(input) => RoundItem::Input {
                    method: input.method,
                    params: input.params.clone(),
                },
            };
            (key.clone(), item)
        });
        (self.count, items.collect())
    }

    /// When the round that was sealed then left, or the first one after it, which left later; none
    /// where another process sent it out.
    pub fn departure(&self, sealed_at: Timestamp) -> Option<Arc<Departure>> {
        let since = self.sent.iter().find(|(at, _)| *at >= sealed_at);
        since.map(|(_, departure)| departure.clone())
    }

    /// The rounds that went out so far.
    pub fn sent_out(&self) -> SentRounds {
        let last = self.sent.back().map(|(at, departure)| {
            let left = match departure.left() {
                Some(left) => Left::At(left),
                None => Left::NotYet(departure.clone()),
            };
            (*at, left)
        });
        SentRounds {
            count: self.count,
            last,
        }
    }

    /// These rounds went out before the flow was let go.
    pub fn go_on(&mut self, before: SentRounds) {
        self.count = before.count;
        let last = before.last.map(|(at, left)| (at, left.departure()));
        self.sent = last.into_iter().collect();
    }

    /// Whether nothing is on its way, and the client is asked for nothing but what people decide.
    pub fn is_at_rest(&self) -> bool {
        let inputs = |wanted: &Wanted| matches!(wanted, Wanted::Input(_));
        self.resting
            && self.fresh.is_empty()
            && self.again.is_empty()
            && self.dropped.is_empty()
            && self.half_open == 0
            && self.unconsumed == 0
            && self.beforehand.is_empty()
            && !self.round.values().any(inputs)
    }

    /// Sorts a client's answers: each once, each to what is open under its key now. Answers to a
    /// round that is over, or to what was asked after the last ask of that round, answer nothing.
    pub fn take_answers(&mut self, responses: BTreeMap<String, Value>, last_ask: AskId) -> Answers {
        let mut answers = Answers::default();
        for (key, response) in responses {
            match self.round.remove(&key) {
                Some(Wanted::Input(input)) => answers.inputs.push((input, response)),
                Some(Wanted::Ask(open)) => {
                    if open.id() <= last_ask {
                        answers.replies.push((open.clone(), response));
                    }
                    self.round.insert(key, Wanted::Ask(open));
                }
                None => drop(answers.late.insert(key, response)),
            }
        }
        answers
    }

    /// Keeps answers that came before they were asked for.
    pub fn set_beforehand(&mut self, answers: BTreeMap<String, Value>) {
        self.beforehand = answers;
    }

    /// The answer that came for this key before it was asked for.
    pub fn take_beforehand(&mut self, key: &str) -> Option<Value> {
        self.beforehand.remove(key)
    }
}

impl Wanted {
    /// Nobody waits for it any more, or the client is not asked for it any more.
    fn is_forgotten(&self) -> bool {
        match self {
            Self::Input(input) => input.answer.is_closed(),
            Self::Ask(open) => open.is_taken_from_client(),
        }
    }

    fn is(&self, ask: AskId) -> bool {
        matches!(self, Self::Ask(open) if open.id() == ask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{
        end_signal::EndSignal,
        open_ask::{Asker, Refusals},
    };
    use holdpoint_ask::Ask;
    use holdpoint_journal::{InClient, NewAsk};
    use serde_json::json;
    use std::sync::Weak;

    struct Nobody;

    impl Asker for Nobody {
        fn answer_sent(&self) {}
        fn answer_consumed(&self) {}
        fn ask_ended(&self, _ask: AskId) {}
        fn ask_failed(&self, _ask: AskId, _opened_at: Timestamp) {}
    }

    fn ask(opened_at: Timestamp) -> Arc<OpenAsk> {
        let new = NewAsk::new(Ask::confirm("Go?"), Default::default(), opened_at);
        OpenAsk::new(
            Weak::<Nobody>::new(),
            new,
            InClient::Decides,
            Refusals::default(),
            EndSignal::default(),
        )
        .0
    }

    fn input() -> (Input, oneshot::Receiver<Value>) {
        let (answer, waiting) = oneshot::channel();
        let input = Input {
            method: "roots/list",
            params: json!({}),
            step: ("roots/list".into(), 0),
            answer,
        };
        (input, waiting)
    }

    /// Rounds with one ask in the round that goes out next.
    fn with_open_ask() -> (Rounds, Arc<OpenAsk>) {
        let (mut rounds, open) = (Rounds::default(), ask(Timestamp::UNIX_EPOCH));
        rounds.add(Fresh::Ask(open.clone()));
        rounds.rest();
        assert_eq!(rounds.take_work().fresh.len(), 1);
        rounds.put_ask(&open);
        rounds.shown(1);
        (rounds, open)
    }

    #[test]
    fn a_round_goes_out_when_the_flow_rests_and_nothing_is_half_open() {
        let (mut rounds, open) = (Rounds::default(), ask(Timestamp::UNIX_EPOCH));
        rounds.add(Fresh::Ask(open.clone()));
        assert!(!rounds.is_ready(), "fresh");
        assert!(rounds.rest(), "it waits for the first time");
        assert!(!rounds.rest(), "and is known to");
        rounds.take_work();
        rounds.put_ask(&open);
        assert!(!rounds.is_ready(), "half-open");
        rounds.shown(1);
        assert!(rounds.is_ready());
        rounds.add(Fresh::Ask(ask(Timestamp::UNIX_EPOCH)));
        assert!(!rounds.is_ready(), "another one is fresh");
    }

    #[test]
    fn no_round_goes_out_while_the_flow_has_an_answer_to_look_at() {
        let (mut rounds, _open) = with_open_ask();
        rounds.answer_sent();
        assert!(!rounds.rest(), "it has an answer to look at");
        assert!(!rounds.is_ready());
        rounds.answer_consumed();
        assert!(!rounds.is_ready(), "it may ask more");
        assert!(rounds.rest());
        assert!(rounds.is_ready());
    }

    #[test]
    fn what_ended_or_was_forgotten_is_not_asked() {
        let (mut rounds, open) = with_open_ask();
        let (input, waiting) = input();
        rounds.put_inputs(vec![("0002".into(), input)]);
        rounds.end_ask(open.id());
        assert!(rounds.is_ready(), "the request is left");
        drop(waiting);
        assert!(!rounds.is_ready());
        rounds.put_ask(&open);
        assert!(!rounds.is_ready(), "an ask that ended is not put in again");
    }

    #[test]
    fn an_answer_goes_to_what_is_open_under_its_key_and_was_asked_before_the_seal() {
        let (mut rounds, open) = with_open_ask();
        let (input, _waiting) = input();
        rounds.put_inputs(vec![("0002".into(), input)]);
        let departure = Arc::default();
        let (number, items) = rounds.send_out(Timestamp::UNIX_EPOCH, &departure);
        assert_eq!((number, items.len()), (1, 2));
        let responses = || {
            let keys = ["0001", "0002", "0003"];
            BTreeMap::from(keys.map(|key| (key.to_owned(), json!(key))))
        };
        let answers = rounds.take_answers(responses(), open.id());
        let replied: Vec<_> = answers.replies.iter().map(|(ask, _)| ask.id()).collect();
        assert_eq!((replied, answers.inputs.len()), (vec![open.id()], 1));
        let answers = rounds.take_answers(responses(), AskId::from_bytes([0; 16]));
        assert!(
            answers.replies.is_empty(),
            "asked after the round was sealed"
        );
        assert!(answers.inputs.is_empty(), "answered already");
    }

    #[test]
    fn a_new_client_is_shown_what_is_open() {
        let (mut rounds, open) = with_open_ask();
        rounds.show_all_again();
        rounds.drop_ask(open.id());
        let work = rounds.take_work();
        assert_eq!((work.again.len(), work.dropped), (1, vec![open.id()]));
        assert!(rounds.take_work().again.is_empty());
    }
}
