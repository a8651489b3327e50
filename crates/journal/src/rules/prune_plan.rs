//! Which calls and asks are over, so that nobody acts on them any more and their bodies may go.
//!
//! | it stays | because |
//! |---|---|
//! | an open ask, and all of its call | somebody may answer it, and the flow then goes on |
//! | a call that has no result while its process lives | its flow runs |
//! | a call or ask of which anything happened later | it is not old |
//! | a grant that is neither used nor expired, with its ask | it permits something |
//! | the newest ended step of each name and server, with its call | flows keep their state there; where the call has no result, with all of its steps |
//! | what was noted about who may answer, and what was pruned | the PIN, attempts and `verify` need it |
//! | whatever holds an event that only a newer program knows | nobody here knows what that needs |
//! | a decision that is newer than one that stays, of the same server, principal and workspace | a no must not go while an older yes stays |

use super::{
    chain::Link,
    event_body::{Granted, Redeemed, TakenOver},
};
use crate::{EventKind, Over, OverCall};
use facts::{AskFacts, AskedBy, CallFacts, CalledBy, StepName};
use holdpoint_ask::{AskId, CallId, GrantId};
use jiff::Timestamp;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

mod facts;
mod newest_part;

/// Takes every event in order, and then says what is over.
#[derive(Debug)]
pub struct PrunePlan {
    before: i64,
    now: i64,
    calls: HashMap<CallId, CallFacts>,
    asks: HashMap<AskId, AskFacts>,
    /// Who asked: a server, a principal and a workspace, by number.
    askers: HashMap<AskedBy, usize>,
    /// The newest ended step of each server and name.
    states: HashMap<(Option<String>, String), (CallId, u32)>,
    grants: HashMap<GrantId, AskId>,
}

/// What may be pruned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prunable {
    /// What is over, oldest first.
    pub over: Vec<Over>,
    /// How many asks are in it.
    pub asks: u64,
    /// How many calls are in it.
    pub calls: u64,
    /// How many bodies go.
    pub bodies: u64,
    /// How many bytes these have.
    pub bytes: u64,
    /// How many calls and asks that are as old stay, since they are still needed.
    pub kept: u64,
}

/// A call with its asks, or an ask from a shell.
#[derive(Debug)]
struct Unit {
    call: Option<CallId>,
    asks: Vec<AskId>,
}

impl PrunePlan {
    /// Plans to prune what is older than `before`.
    pub fn new(before: Timestamp, now: Timestamp) -> Self {
        Self {
            before: before.as_millisecond(),
            now: now.as_millisecond(),
            calls: HashMap::new(),
            asks: HashMap::new(),
            askers: HashMap::new(),
            states: HashMap::new(),
            grants: HashMap::new(),
        }
    }

    /// Takes the next event. One that cannot be understood keeps what it is about.
    pub fn event(&mut self, link: &Link<'_>) {
        if link.pruned_by().is_some() {
            return;
        }
        let kind = EventKind::of_word(link.kind);
        let (call, ask) = (id(link.call), id(link.ask).map(AskId::from_bytes));
        let call = call.map(CallId::from_bytes);
        if self.open(kind, link, call, ask).is_none() {
            self.keep(call, ask);
        }
        let call = call.or_else(|| self.asks.get(&ask?)?.call);
        let late = link.at >= self.before || matches!(kind, EventKind::Other(_));
        let place = (link.seq, link.body.len() as u64);
        if let Some(facts) = call.and_then(|call| self.calls.get_mut(&call)) {
            facts.late |= late;
        }
        if let Some(facts) = ask.and_then(|ask| self.asks.get_mut(&ask)) {
            facts.late |= late;
        }
        if kind.is_guard() || matches!(kind, EventKind::Pruned | EventKind::Other(_)) {
            return;
        }
        if let Some(facts) = ask.and_then(|ask| self.asks.get_mut(&ask)) {
            facts.events.push(place);
        } else if let Some(facts) = call.and_then(|call| self.calls.get_mut(&call)) {
            match (kind, step_name(kind, link)) {
                (_, Some(step)) => facts.steps.entry(step).or_default().push(place),
                (EventKind::Called | EventKind::Finished | EventKind::TakenOver, _) => {
                    facts.own.push(place);
                }
                _ => facts.notes.push(place),
            }
        }
    }

    /// The processes that own calls which are old and have no result: those of them that live must be named
    /// to [`Self::finish`].
    pub fn owners(&self) -> HashSet<Uuid> {
        let unfinished = self
            .calls
            .values()
            .filter(|call| !call.late && !call.finished);
        unfinished.map(|call| call.owner).collect()
    }

    /// Says what is over, given which owners live.
    pub fn finish(mut self, alive: &HashSet<Uuid>) -> Prunable {
        for ask in self.grants.values() {
            if let Some(facts) = self.asks.get_mut(ask) {
                facts.granted = true;
            }
        }
        for ((_, name), (call, occurrence)) in std::mem::take(&mut self.states) {
            if let Some(facts) = self.calls.get_mut(&call) {
                facts.states.insert((name, occurrence));
            }
        }
        let (old, needed): (Vec<Unit>, Vec<Unit>) = self
            .units()
            .into_iter()
            .partition(|unit| self.is_over(unit, alive));
        let of_old = |unit: &&Unit| self.is_old(unit);
        let mut kept = needed.iter().filter(of_old).count();
        let (over, newer) = newest_part::split(old, &needed, &self.asks);
        kept += newer;
        let mut prunable = Prunable {
            kept: kept as u64,
            ..Prunable::default()
        };
        for unit in over {
            self.add(unit, &mut prunable);
        }
        prunable.over.sort_by_key(|over| over.events[0]);
        prunable
    }

    /// Takes up what this event opens or ends; none where it does not hold what its kind must.
    fn open(
        &mut self,
        kind: EventKind,
        link: &Link<'_>,
        call: Option<CallId>,
        ask: Option<AskId>,
    ) -> Option<()> {
        match kind {
            EventKind::Called => {
                let by: CalledBy = body(link)?;
                self.calls.insert(call?, CallFacts::new(by));
            }
            EventKind::TakenOver => {
                let said: TakenOver = body(link)?;
                let facts = self.calls.get_mut(&call?)?;
                (facts.owner, facts.epoch) = (said.owner, said.epoch);
            }
            EventKind::Finished => self.calls.get_mut(&call?)?.finished = true,
            EventKind::StepFinished => {
                let (name, occurrence) = step_name(kind, link)?;
                let server = self.calls.get(&call?)?.server.clone();
                self.states.insert((server, name), (call?, occurrence));
            }
            EventKind::Asked => {
                let asked = facts::asker(link)?;
                let next = self.askers.len();
                let asker = *self.askers.entry(asked).or_insert(next);
                let call = call.filter(|call| self.calls.contains_key(call));
                self.asks.insert(ask?, AskFacts::new(call, asker));
            }
            EventKind::Decided => self.asks.get_mut(&ask?)?.decided = Some(link.seq),
            EventKind::Granted => {
                let said: Granted<'_> = body(link)?;
                if said.expires_at > self.now {
                    self.grants.insert(said.grant, ask?);
                }
            }
            EventKind::Redeemed => {
                let said: Redeemed = body(link)?;
                self.grants.remove(&said.grant);
            }
            _ => {}
        }
        Some(())
    }

    fn keep(&mut self, call: Option<CallId>, ask: Option<AskId>) {
        if let Some(facts) = call.and_then(|call| self.calls.get_mut(&call)) {
            facts.late = true;
        }
        if let Some(facts) = ask.and_then(|ask| self.asks.get_mut(&ask)) {
            facts.late = true;
        }
    }

    fn units(&self) -> Vec<Unit> {
        let mut units: HashMap<CallId, Unit> = HashMap::new();
        for id in self.calls.keys() {
            let call = Some(*id);
            units.insert(
                *id,
                Unit {
                    call,
                    asks: Vec::new(),
                },
            );
        }
        let mut alone = Vec::new();
        for (id, facts) in &self.asks {
            match facts.call.and_then(|call| units.get_mut(&call)) {
                Some(unit) => unit.asks.push(*id),
                None => alone.push(Unit {
                    call: None,
                    asks: vec![*id],
                }),
            }
        }
        alone.extend(units.into_values());
        alone
    }

    fn call_of(&self, unit: &Unit) -> Option<&CallFacts> {
        self.calls.get(&unit.call?)
    }

    fn is_old(&self, unit: &Unit) -> bool {
        let late = |ask: &AskId| self.asks.get(ask).is_none_or(|ask| ask.late);
        !self.call_of(unit).is_some_and(|call| call.late) && !unit.asks.iter().any(late)
    }

    fn is_over(&self, unit: &Unit, alive: &HashSet<Uuid>) -> bool {
        let done = |ask: &AskId| {
            let facts = self.asks.get(ask);
            facts.is_some_and(|ask| ask.decided.is_some() && !ask.granted)
        };
        let ended = self
            .call_of(unit)
            .is_none_or(|call| call.finished || !alive.contains(&call.owner));
        self.is_old(unit) && ended && unit.asks.iter().all(done)
    }

    fn add(&self, unit: Unit, prunable: &mut Prunable) {
        let of_asks = unit.asks.iter().filter_map(|ask| self.asks.get(ask));
        let mut places: Vec<(u64, u64)> = of_asks.flat_map(|ask| ask.events.clone()).collect();
        let call = self.call_of(&unit).zip(unit.call).map(|(facts, id)| {
            let stays = !facts.states.is_empty();
            places.extend(&facts.notes);
            if !stays {
                places.extend(&facts.own);
            }
            // Without a result it may be taken over, and must not do again what it did.
            let all_stay = stays && !facts.finished;
            let gone = |step: &&(String, u32)| !all_stay && !facts.states.contains(*step);
            let steps: Vec<_> = facts.steps.keys().filter(gone).cloned().collect();
            places.extend(steps.iter().flat_map(|step| &facts.steps[step]));
            OverCall {
                id,
                epoch: facts.epoch,
                steps,
                stays,
            }
        });
        // All that is left of it stays.
        if places.is_empty() {
            return;
        }
        places.sort_unstable();
        prunable.asks += unit.asks.len() as u64;
        prunable.calls += u64::from(call.as_ref().is_some_and(|call| !call.stays));
        prunable.bodies += places.len() as u64;
        prunable.bytes += places.iter().map(|(_, bytes)| bytes).sum::<u64>();
        prunable.over.push(Over {
            call,
            asks: unit.asks,
            events: places.into_iter().map(|(seq, _)| seq).collect(),
        });
    }
}

fn id(bytes: Option<&[u8]>) -> Option<[u8; 16]> {
    bytes?.try_into().ok()
}

fn body<'a, T: Deserialize<'a>>(link: &Link<'a>) -> Option<T> {
    serde_json::from_str(link.body).ok()
}

fn step_name(kind: EventKind, link: &Link<'_>) -> Option<(String, u32)> {
    if !matches!(kind, EventKind::StepStarted | EventKind::StepFinished) {
        return None;
    }
    let step: StepName = body(link)?;
    Some((step.name, step.occurrence))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many bodies of an ask from a shell may go, with this event behind its decision.
    fn bodies_with(kind: &str, at: i64) -> u64 {
        let asked = r#"{"origin":{"principal":"ada"},"ask":{"message":"Go?"}}"#;
        let events = [
            ("asked", 1, asked),
            ("decided", 2, "{}"),
            (kind, at, r#"{"any":"thing"}"#),
        ];
        let time = |millis| Timestamp::from_millisecond(millis).unwrap();
        let mut plan = PrunePlan::new(time(100), time(200));
        for ((kind, at, body), seq) in events.into_iter().zip(1..) {
            let (call, ask) = (None, Some([1; 16].as_slice()));
            plan.event(&Link {
                seq,
                at,
                kind,
                call,
                ask,
                body,
            });
        }
        plan.finish(&HashSet::new()).bodies
    }

    #[test]
    fn what_nobody_knows_here_or_is_not_old_keeps_all_of_it() {
        assert_eq!(bodies_with("shown", 3), 3);
        assert_eq!(bodies_with("pin_given", 3), 2, "who may answer stays");
        assert_eq!(bodies_with("shown", 100), 0, "something happened later");
        assert_eq!(
            bodies_with("delegated", 3),
            0,
            "only a newer program knows it"
        );
        assert_eq!(bodies_with("granted", 3), 0, "it cannot be understood");
    }
}
