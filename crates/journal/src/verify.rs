//! The walk over the chain, and the comparison of the rows with it.
//!
//! Events come in order, one at a time, and little is held: a row that says something which its
//! event so far did not say is a *claim*, and waits for the event that bears it out. A claim that
//! is left at the end is a flaw.

use crate::{
    Flaw, GrantRecord, JournalError, Verified,
    body::{Extended, Granted, Redeemed, Step, TakenOver},
    chain::{Head, Link},
    row::{AskRow, CallRow, StepRow},
};
use facts::{AskedFacts, CalledFacts, RefusedFacts};
use holdpoint_ask::{AskId, CallId, Digest, GrantId};
use serde::Deserialize;
use std::{collections::HashMap, fmt};
use uuid::Uuid;

mod facts;

/// More flaws than this say no more than these.
const MOST_FLAWS: usize = 100;

/// The rows that are compared with the events.
pub(crate) trait Rows {
    fn call(&mut self, id: CallId) -> Result<Option<CallRow>, JournalError>;
    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>, JournalError>;
    fn step(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
    ) -> Result<Option<StepRow>, JournalError>;
    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>, JournalError>;
    fn counts(&mut self) -> Result<Counts, JournalError>;
    /// The rows that no event opened, in words. Slow; asked for only when the counts differ.
    fn strays(&mut self) -> Result<Vec<String>, JournalError>;
}

/// How many rows there are.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub calls: u64,
    pub asks: u64,
    pub steps: u64,
    pub grants: u64,
}

/// What a row is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    Call(CallId),
    Ask(AskId),
    Step(CallId, String, u32),
    Grant(GrantId),
}

/// A walk over the chain.
#[derive(Debug)]
pub(crate) struct Check<R> {
    rows: R,
    head: Head,
    events: u64,
    seen: Counts,
    claims: HashMap<(Subject, Aspect), Claim>,
    flaws: Vec<Flaw>,
}

/// What of a row can change after its first event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Aspect {
    Owner,
    Finished,
    Deadline,
    Refusals,
    Decided,
    Redeemed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    Nothing,
    Number(i64),
    Pair(u64, u64),
    Owner(Uuid, u64),
}

/// What a row says, and the last event that said otherwise.
#[derive(Debug)]
struct Claim {
    seq: u64,
    row: Value,
    event: Value,
}

impl<R: Rows> Check<R> {
    pub fn new(rows: R) -> Self {
        Self {
            rows,
            head: Head::start(),
            events: 0,
            seen: Counts::default(),
            claims: HashMap::new(),
            flaws: Vec::new(),
        }
    }

    /// Takes the next event.
    pub fn event(&mut self, link: &Link<'_>, hash: Digest) -> Result<(), JournalError> {
        self.events += 1;
        if link.seq != self.head.seq + 1 {
            self.flaw(link.seq, format!("event {} is missing", self.head.seq + 1));
        } else if self.head.hash_with(link) != hash {
            self.flaw(
                link.seq,
                "its hash does not fit: it, or its hash, was changed",
            );
        }
        // Go on from the hash that stands there, so that one edit is one flaw.
        self.head = Head {
            seq: link.seq,
            hash,
        };
        if self.flaws.len() < MOST_FLAWS && self.compare(link)?.is_none() {
            self.flaw(link.seq, "it does not hold what an event of its kind must");
        }
        Ok(())
    }

    /// Takes an event that is not even one.
    pub fn unreadable(&mut self, seq: u64) {
        self.events += 1;
        self.flaw(seq, "its columns do not hold what they should");
        self.head.seq = seq;
    }

    /// What the walk found.
    pub fn finish(mut self) -> Result<Verified, JournalError> {
        let mut claims: Vec<_> = self.claims.drain().collect();
        claims.sort_by_key(|(_, claim)| claim.seq);
        for ((subject, aspect), claim) in claims {
            let (row, event) = (claim.row, claim.event);
            self.flaw(
                claim.seq,
                format!("{subject}: {aspect} is {row} in its row and {event} in its events"),
            );
        }
        if self.rows.counts()? != self.seen {
            for stray in self.rows.strays()? {
                self.flaw(0, format!("{stray} has a row, but no event opened it"));
            }
        }
        Ok(Verified {
            events: self.events,
            head: (self.events > 0).then_some(self.head.hash),
            flaws: self.flaws,
        })
    }

    /// Compares the rows that an event is about with it; none where the event makes no sense.
    fn compare(&mut self, link: &Link<'_>) -> Result<Option<()>, JournalError> {
        match link.kind {
            "called" => self.called(link),
            "taken_over" => self.taken_over(link),
            "finished" => self.finished(link),
            "asked" => self.asked(link),
            "refused" | "extended" | "decided" => self.ask_changed(link),
            "step_started" | "step_finished" => self.step(link),
            "granted" => self.granted(link),
            "redeemed" => self.redeemed(link),
            _ => Ok(Some(())),
        }
    }

    fn called(&mut self, link: &Link<'_>) -> Result<Option<()>, JournalError> {
        let (Some(id), Some(said)) = (call_id(link), body::<CalledFacts>(link)) else {
            return Ok(None);
        };
        self.seen.calls += 1;
        let subject = Subject::Call(id);
        let row = self.rows.call(id);
        let Some(row) = self.found(link, &subject, row)? else {
            return Ok(Some(()));
        };
        self.same(link, &subject, row.opened == link.seq);
        let (is, was) = (
            Value::Owner(row.owner, row.epoch),
            Value::Owner(said.owner, 1),
        );
        self.claim(link, &subject, Aspect::Owner, is, was);
        self.claim(
            link,
            &subject,
            Aspect::Finished,
            place(row.finished),
            Value::Nothing,
        );
        Ok(Some(()))
    }

    fn taken_over(&mut self, link: &Link<'_>) -> Result<Option<()>, JournalError> {
        let (Some(id), Some(said)) = (call_id(link), body::<TakenOver>(link)) else {
            return Ok(None);
        };
        let said = Value::Owner(said.owner, said.epoch);
        self.later(link, Subject::Call(id), Aspect::Owner, said, |rows| {
            let row = rows.call(id)?;
            Ok(row.map(|row| Value::Owner(row.owner, row.epoch)))
        })
    }

    fn finished(&mut self, link: &Link<'_>) -> Result<Option<()>, JournalError> {
        let Some(id) = call_id(link) else {
            return Ok(None);
        };
        let said = place(Some(link.seq));
        self.later(link, Subject::Call(id), Aspect::Finished, said, |rows| {
            Ok(rows.call(id)?.map(|row| place(row.finished)))
        })
    }

    fn asked(&mut self, link: &Link<'_>) -> Result<Option<()>, JournalError> {
        let (Some(id), Some(said)) = (ask_id(link), body::<AskedFacts<'_>>(link)) else {
            return Ok(None);
        };
        self.seen.asks += 1;
        let subject = Subject::Ask(id);
        if !said.digest_fits() {
            self.flaw(
                link.seq,
                format!("{subject}: its digest is not that of what was asked"),
            );
        }
        let row = self.rows.ask(id);
        let Some(row) = self.found(link, &subject, row)? else {
            return Ok(Some(()));
        };
        let same = row.opened == link.seq
            && row.call.as_ref().map(|id| id.as_bytes().as_slice()) == link.call
            && row.principal == said.origin.principal
            && row.secret == said.has_secret();
        self.same(link, &subject, same);
        let (is, was) = (time(row.deadline_at), time(said.deadline_at));
        self.claim(link, &subject, Aspect::Deadline, is, was);
        self.claim(
            link,
            &subject,
            Aspect::Refusals,
            refusals(&row),
            Value::Nothing,
        );
        self.claim(
            link,
            &subject,
            Aspect::Decided,
            place(row.decided),
            Value::Nothing,
        );
        Ok(Some(()))
    }

    fn ask_changed(&mut self, link: &Link<'_>) -> Result<Option<()>, JournalError> {
        let Some(id) = ask_id(link) else {
            return Ok(None);
        };
        let (aspect, said, is): (_, _, fn(&AskRow) -> Value) = match link.kind {
            "decided" => (Aspect::Decided, place(Some(link.seq)), |row| {
                place(row.decided)
            }),
            "extended" => {
                let Some(said) = body::<Extended<'_>>(link) else {
                    return Ok(None);
                };
                (Aspect::Deadline, time(said.deadline_at), |row| {
                    time(row.deadline_at)
                })
            }
            _ => {
                let Some(said) = body::<RefusedFacts>(link) else {
                    return Ok(None);
                };
                let said = Value::Pair(u64::from(said.refusals), link.seq);
                (Aspect::Refusals, said, refusals)
            }
        };
        self.later(link, Subject::Ask(id), aspect, said, |rows| {
            Ok(rows.ask(id)?.as_ref().map(is))
        })
    }

    fn step(&mut self, link: &Link<'_>) -> Result<Option<()>, JournalError> {
        let (Some(call), Some(said)) = (call_id(link), body::<Step<'_>>(link)) else {
            return Ok(None);
        };
        let (name, occurrence) = (said.name.as_ref(), said.occurrence);
        let subject = Subject::Step(call, name.to_owned(), occurrence);
        if link.kind == "step_finished" {
            let ended = place(Some(link.seq));
            return self.later(link, subject, Aspect::Finished, ended, |rows| {
                let row = rows.step(call, name, occurrence)?;
                Ok(row.map(|row| place(row.finished)))
            });
        }
        self.seen.steps += 1;
        let row = self.rows.step(call, name, occurrence);
        let Some(row) = self.found(link, &subject, row)? else {
            return Ok(Some(()));
        };
        let same = row.started == link.seq && row.epoch == said.epoch;
        self.same(link, &subject, same);
        self.claim(
            link,
            &subject,
            Aspect::Finished,
            place(row.finished),
            Value::Nothing,
        );
        Ok(Some(()))
    }

    fn granted(&mut self, link: &Link<'_>) -> Result<Option<()>, JournalError> {
        let (Some(ask), Some(said)) = (ask_id(link), body::<Granted<'_>>(link)) else {
            return Ok(None);
        };
        self.seen.grants += 1;
        let subject = Subject::Grant(said.grant);
        let row = self.rows.grant(said.grant);
        let Some(row) = self.found(link, &subject, row)? else {
            return Ok(Some(()));
        };
        let same = row.ask == ask
            && row.principal == said.principal
            && row.purpose == said.purpose
            && row.digest == said.digest
            && row.issued_at.as_millisecond() == link.at
            && row.expires_at.as_millisecond() == said.expires_at;
        self.same(link, &subject, same);
        self.claim(
            link,
            &subject,
            Aspect::Redeemed,
            redeemed(&row),
            Value::Nothing,
        );
        Ok(Some(()))
    }

    fn redeemed(&mut self, link: &Link<'_>) -> Result<Option<()>, JournalError> {
        let Some(Redeemed { grant }) = body(link) else {
            return Ok(None);
        };
        let said = Value::Number(link.at);
        self.later(
            link,
            Subject::Grant(grant),
            Aspect::Redeemed,
            said,
            |rows| Ok(rows.grant(grant)?.as_ref().map(redeemed)),
        )
    }

    /// The first event of a row says this of an aspect of it.
    fn claim(
        &mut self,
        link: &Link<'_>,
        subject: &Subject,
        aspect: Aspect,
        row: Value,
        event: Value,
    ) {
        if row != event {
            let seq = link.seq;
            self.claims
                .insert((subject.clone(), aspect), Claim { seq, row, event });
        }
    }

    /// A later event says this of an aspect of a row.
    fn later(
        &mut self,
        link: &Link<'_>,
        subject: Subject,
        aspect: Aspect,
        event: Value,
        look: impl FnOnce(&mut R) -> Result<Option<Value>, JournalError>,
    ) -> Result<Option<()>, JournalError> {
        let key = (subject, aspect);
        let row = match self.claims.remove(&key) {
            Some(claim) => claim.row,
            None => {
                let row = look(&mut self.rows);
                match self.found(link, &key.0, row)? {
                    Some(row) => row,
                    None => return Ok(Some(())),
                }
            }
        };
        self.claim(link, &key.0, aspect, row, event);
        Ok(Some(()))
    }

    fn same(&mut self, link: &Link<'_>, subject: &Subject, same: bool) {
        if !same {
            self.flaw(
                link.seq,
                format!("{subject}: its row differs from this event"),
            );
        }
    }

    /// The row that was looked up; a flaw where there is none, or none that can be read.
    fn found<T>(
        &mut self,
        link: &Link<'_>,
        subject: &Subject,
        row: Result<Option<T>, JournalError>,
    ) -> Result<Option<T>, JournalError> {
        match row {
            Ok(None) => self.flaw(link.seq, format!("{subject} has this event, but no row")),
            Err(JournalError::Damaged(what)) => {
                self.flaw(
                    link.seq,
                    format!("{subject}: its row cannot be read: {what}"),
                );
            }
            row => return row,
        }
        Ok(None)
    }

    fn flaw(&mut self, seq: u64, what: impl Into<String>) {
        if self.flaws.len() < MOST_FLAWS {
            let what = what.into();
            self.flaws.push(Flaw { seq, what });
        }
    }
}

fn body<'a, T: Deserialize<'a>>(link: &Link<'a>) -> Option<T> {
    serde_json::from_str(link.body).ok()
}

fn call_id(link: &Link<'_>) -> Option<CallId> {
    Some(CallId::from_bytes(link.call?.try_into().ok()?))
}

fn ask_id(link: &Link<'_>) -> Option<AskId> {
    Some(AskId::from_bytes(link.ask?.try_into().ok()?))
}

fn place(seq: Option<u64>) -> Value {
    seq.map_or(Value::Nothing, |seq| Value::Number(seq as i64))
}

fn time(millis: Option<i64>) -> Value {
    millis.map_or(Value::Nothing, Value::Number)
}

fn refusals(row: &AskRow) -> Value {
    match (row.refusals, row.refused) {
        (0, None) => Value::Nothing,
        (count, seq) => Value::Pair(u64::from(count), seq.unwrap_or_default()),
    }
}

fn redeemed(grant: &GrantRecord) -> Value {
    time(grant.redeemed_at.map(|at| at.as_millisecond()))
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(id) => write!(f, "call {id}"),
            Self::Ask(id) => write!(f, "ask {id}"),
            Self::Step(call, name, occurrence) => {
                write!(f, "step `{name}` ({occurrence}) of call {call}")
            }
            Self::Grant(id) => write!(f, "grant {id}"),
        }
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Owner => "the owner",
            Self::Finished => "the event that ended it",
            Self::Deadline => "the deadline",
            Self::Refusals => "the count of invalid replies",
            Self::Decided => "the event that decided it",
            Self::Redeemed => "the time of its use",
        })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("none"),
            Self::Number(number) => number.fmt(f),
            Self::Pair(count, seq) => write!(f, "{count} (event {seq})"),
            Self::Owner(owner, epoch) => write!(f, "{owner} at epoch {epoch}"),
        }
    }
}
