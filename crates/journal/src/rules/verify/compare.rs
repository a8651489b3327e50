//! What each kind of event says of which row.

use super::{
    RowSource, Verifier,
    facts::{AskedFacts, CalledFacts, RefusedFacts},
    subject::{Aspect, Subject, Value},
};
use crate::{
    GrantRecord, JournalError,
    rules::{
        chain::Link,
        event_body::{Extended, Granted, Redeemed, Step, TakenOver},
        rows::AskRow,
    },
};
use holdpoint_ask::{AskId, CallId};
use serde::Deserialize;

impl<R: RowSource> Verifier<R> {
    /// Compares the rows that an event is about with it; none where the event cannot be understood.
    pub(super) fn compare(&mut self, link: &Link<'_>) -> Result<Option<()>, JournalError> {
        match link.kind {
            "called" => self.called(link),
            "taken_over" => self.taken_over(link),
            "finished" => self.finished(link),
            "asked" => self.asked(link),
            "refused" | "extended" | "decided" | "agent_gone" | "agent_back" => {
                self.ask_changed(link)
            }
            "step_started" | "step_finished" => self.step(link),
            "granted" => self.granted(link),
            "redeemed" => self.redeemed(link),
            _ => Ok(Some(())),
        }
    }

    fn called(&mut self, link: &Link<'_>) -> Result<Option<()>, JournalError> {
        let (Some(id), Some(said)) = (call_id(link), body::<CalledFacts<'_>>(link)) else {
            return Ok(None);
        };
        self.seen.calls += 1;
        let subject = Subject::Call(id);
        let row = self.rows.call(id);
        let Some(row) = self.found(link, &subject, row)? else {
            return Ok(Some(()));
        };
        let same = row.opened == link.seq && said.allows(row.binding);
        self.same(link, &subject, same);
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
        self.digests.push(link.seq, said.digest, said.ask.get());
        let row = self.rows.ask(id);
        let Some(row) = self.found(link, &subject, row)? else {
            return Ok(Some(()));
        };
        let same = row.opened == link.seq
            && row.call.as_ref().map(|id| id.as_bytes().as_slice()) == link.call
            && row.principal == said.origin.principal
            && row.secret == said.has_secret()
            && row.dangerous == said.is_dangerous();
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
        self.claim(link, &subject, Aspect::Gone, gone(&row), Value::Nothing);
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
            "agent_gone" => (Aspect::Gone, Value::Number(1), gone),
            "agent_back" => (Aspect::Gone, Value::Nothing, gone),
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

fn gone(row: &AskRow) -> Value {
    if row.gone {
        Value::Number(1)
    } else {
        Value::Nothing
    }
}

fn redeemed(grant: &GrantRecord) -> Value {
    time(grant.redeemed_at.map(|at| at.as_millisecond()))
}
