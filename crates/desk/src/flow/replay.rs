//! What earlier runs of a flow asked and did, and which of it comes next in this one.

use super::ask_keys::AskKeys;
use holdpoint_ask::Digest;
use holdpoint_journal::{AskRecord, CallHistory, StepState};
use std::collections::HashMap;

/// Matches what a flow asks and does with what its earlier runs did: by what is asked, or by a step's
/// name, and by how often that came before. It also gives every ask its key within the call.
#[derive(Default)]
pub(crate) struct Replay {
    past_asks: HashMap<(Digest, u32), AskRecord>,
    past_steps: HashMap<(String, u32), StepState>,
    /// How often each was asked in this run.
    asked: HashMap<Digest, u32>,
    /// How often each step was come to in this run.
    stepped: HashMap<String, u32>,
    keys: AskKeys,
}

/// The ask that comes next, and what is known of it.
#[derive(Debug)]
pub(crate) struct NextAsk {
    pub occurrence: u32,
    /// The same ask of an earlier run, decided or open.
    pub past: Option<AskRecord>,
    /// Open asks of an earlier run that nobody can hand their secret to any more: this one is asked
    /// in their place.
    pub replaced: Vec<AskRecord>,
}

impl Replay {
    /// What an earlier run of the flow asked and did counts in this one.
    pub fn remember(&mut self, history: CallHistory) {
        for ask in history.asks {
            self.keys.taken(&ask.key);
            self.past_asks.insert((ask.digest, ask.occurrence), ask);
        }
        for step in history.steps {
            let place = (step.name, step.occurrence);
            self.past_steps.insert(place, step.state);
        }
    }

    /// Whether an earlier run asked or did something that this one has not come to yet.
    pub fn has_more(&self) -> bool {
        !self.past_asks.is_empty() || !self.past_steps.is_empty()
    }

    /// The next ask with this digest. A secret is not replayed: where the ask has one, `secret_for`
    /// is the key that this process opens secrets with. One that was answered is passed over, and so
    /// is an open one whose secret could only be opened by a process that is gone.
    pub fn next_ask(&mut self, digest: Digest, secret_for: Option<[u8; 32]>) -> NextAsk {
        let mut occurrence = self.asked.get(&digest).copied().unwrap_or_default();
        let mut replaced = Vec::new();
        let mut past = self.past_asks.remove(&(digest, occurrence));
        while let Some(record) = past.take_if(|record| {
            let open_here = record.decision.is_none() && record.seal_to == secret_for;
            secret_for.is_some() && !open_here
        }) {
            if record.decision.is_none() {
                replaced.push(record);
            }
            occurrence += 1;
            past = self.past_asks.remove(&(digest, occurrence));
        }
        self.asked.insert(digest, occurrence + 1);
        NextAsk {
            occurrence,
            past,
            replaced,
        }
    }

    /// A key that no ask of this call has had: the author's own, or the next number.
    pub fn next_key(&mut self, name: Option<&str>) -> String {
        self.keys.next(name)
    }

    /// Which of the steps of this name comes next, and what an earlier run did about it.
    pub fn next_step(&mut self, name: &str) -> (u32, Option<StepState>) {
        let occurrence = match self.stepped.get_mut(name) {
            Some(count) => {
                *count += 1;
                *count - 1
            }
            None => {
                self.stepped.insert(name.to_owned(), 1);
                0
            }
        };
        if self.past_steps.is_empty() {
            return (occurrence, None);
        }
        let past = self.past_steps.remove(&(name.to_owned(), occurrence));
        (occurrence, past)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_ask::{Ask, CallId, Decision, Origin, Outcome};
    use holdpoint_journal::{NewAsk, NewCall, StepRecord};
    use jiff::Timestamp;
    use serde_json::json;

    const MINE: [u8; 32] = [1; 32];
    const GONE: [u8; 32] = [2; 32];

    fn digest() -> Digest {
        Ask::confirm("Go?").digest()
    }

    fn past(occurrence: u32, decided: bool, seal_to: Option<[u8; 32]>) -> AskRecord {
        let ask = Ask::confirm("Go?");
        let mut new = NewAsk::new(ask, Origin::default(), Timestamp::UNIX_EPOCH);
        new.key = format!("{:04}", occurrence + 1);
        new.occurrence = occurrence;
        new.seal_to = seal_to;
        let mut record = AskRecord::from(new);
        record.decision =
            decided.then(|| Decision::new(record.id, Outcome::Cancelled, Timestamp::UNIX_EPOCH));
        record
    }

    fn replay(asks: Vec<AskRecord>, steps: Vec<StepRecord>) -> Replay {
        let call = NewCall {
            id: CallId::new(),
            origin: Origin::default(),
            method: "tools/call".into(),
            arguments: json!({}),
            flow_version: String::new(),
            owner: Default::default(),
            opened_at: Timestamp::UNIX_EPOCH,
            run: false,
        };
        let mut replay = Replay::default();
        replay.remember(CallHistory::new(call.into(), asks, steps));
        replay
    }

    #[test]
    fn an_ask_is_matched_by_what_it_asks_and_how_often_it_came() {
        let (first, second) = (past(0, true, None), past(1, false, None));
        let ids = [Some(first.id), Some(second.id), None];
        let mut replay = replay(vec![second, first], Vec::new());
        for (occurrence, id) in ids.into_iter().enumerate() {
            assert_eq!(replay.has_more(), id.is_some());
            let next = replay.next_ask(digest(), None);
            assert_eq!(next.occurrence, occurrence as u32);
            assert_eq!(next.past.map(|record| record.id), id);
            assert!(next.replaced.is_empty());
        }
        assert_eq!(
            replay.next_key(None),
            "0003",
            "what earlier runs had is taken"
        );
    }

    #[test]
    fn a_secret_is_asked_again_and_its_earlier_asks_are_passed_over() {
        let (decided, lost) = (past(0, true, Some(GONE)), past(1, false, Some(GONE)));
        let replaced_id = lost.id;
        let mut replay = replay(vec![decided, lost], Vec::new());
        let next = replay.next_ask(digest(), Some(MINE));
        assert_eq!((next.occurrence, next.past.is_none()), (2, true));
        let replaced: Vec<_> = next.replaced.iter().map(|record| record.id).collect();
        assert_eq!(replaced, [replaced_id]);
        assert!(!replay.has_more(), "nothing is left to come to");
    }

    #[test]
    fn an_open_secret_that_this_process_can_open_goes_on() {
        let mine = past(0, false, Some(MINE));
        let id = mine.id;
        let next = replay(vec![mine], Vec::new()).next_ask(digest(), Some(MINE));
        assert_eq!(
            (next.occurrence, next.past.map(|record| record.id)),
            (0, Some(id))
        );
    }

    #[test]
    fn a_step_is_matched_by_its_name_and_how_often_it_came() {
        let step = |name: &str, occurrence, value: u32| {
            StepRecord::new(name, occurrence, StepState::Finished(value.into()))
        };
        let mut replay = replay(Vec::new(), vec![step("push", 1, 7), step("push", 0, 5)]);
        let finished = |value: u32| Some(StepState::Finished(value.into()));
        assert_eq!(replay.next_step("push"), (0, finished(5)));
        assert_eq!(replay.next_step("pull"), (0, None));
        assert_eq!(replay.next_step("push"), (1, finished(7)));
        assert!(!replay.has_more());
        assert_eq!(replay.next_step("push"), (2, None));
    }
}
