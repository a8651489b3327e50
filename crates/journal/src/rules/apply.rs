//! The condition and the effects of every write, the same for every engine.

use super::{
    chain::Entry,
    event_body::{self, Asked, Finished},
    prepared_write::{Change, PreparedWrite, StepName},
    rows::{self, AskRow, CallRow, StepRow},
    store::Store,
};
use crate::{
    EventKind, GrantRecord, JournalError, Redeemed, Settled, StepStart, TakeOver, Written,
};
use holdpoint_ask::{CallId, Outcome};
use jiff::Timestamp;
use uuid::Uuid;

/// Applies one write.
///
/// # Errors
/// When it cannot be applied: the whole batch must then be undone. A condition that does not hold is
/// not an error, but an answer.
pub fn apply(store: &mut impl Store, write: &PreparedWrite) -> Result<Written, JournalError> {
    match &write.0 {
        Change::OpenCall {
            id,
            owner,
            at,
            body,
        } => {
            let opened = store.append(Entry {
                at: *at,
                kind: EventKind::Called,
                call: Some(*id),
                ask: None,
                body,
            })?;
            store.insert_call(CallRow {
                id: *id,
                opened,
                owner: *owner,
                epoch: 1,
                finished: None,
            })?;
            Ok(Written::Done)
        }
        Change::OpenAsk {
            id,
            epoch,
            call,
            principal,
            secret,
            dangerous,
            deadline_at,
            at,
            body,
        } => {
            if let Some(call) = call
                && let Some(row) = store.call(*call)?
                && (row.epoch != *epoch || row.finished.is_some())
            {
                return Ok(Written::Applied(false));
            }
            let opened = store.append(Entry {
                at: *at,
                kind: EventKind::Asked,
                call: *call,
                ask: Some(*id),
                body,
            })?;
            store.insert_ask(AskRow {
                id: *id,
                call: *call,
                principal: principal.clone(),
                secret: *secret,
                dangerous: *dangerous,
                opened,
                deadline_at: *deadline_at,
                refusals: 0,
                refused: None,
                decided: None,
                gone: false,
            })?;
            Ok(Written::Applied(true))
        }
        Change::Refuse {
            ask,
            refusals,
            at,
            body,
        } => {
            let fits = |row: &AskRow| row.decided.is_none() && row.refusals == *refusals;
            let Some(row) = store.ask(*ask)?.filter(fits) else {
                return Ok(Written::Applied(false));
            };
            let seq = store.append(event_of_ask(&row, *at, EventKind::Refused, body))?;
            store.set_refused(*ask, refusals.saturating_add(1), seq)?;
            Ok(Written::Applied(true))
        }
        Change::Settle {
            decision,
            sealed,
            body,
        } => {
            let Some(row) = store.ask(decision.ask)? else {
                return Ok(Written::Settled(Settled::Unknown));
            };
            if let Some(seq) = row.decided {
                let text = read_body(store, "ask", &row.id, seq, EventKind::Decided)?;
                let first = rows::decision(row.id, seq, &text)?;
                return Ok(Written::Settled(Settled::Lost(Box::new(first))));
            }
            // The desk takes secrets out of an answer; this checks it once more.
            if row.secret
                && let Outcome::Accepted(answer) = &decision.outcome
            {
                let text = read_body(store, "ask", &row.id, row.opened, EventKind::Asked)?;
                let asked: Asked<'static> = event_body::parse(row.opened, &text)?;
                if asked.ask.form.redact(answer) != *answer {
                    return Err(JournalError::write(
                        "the answer still holds a secret; nothing of it was recorded",
                    ));
                }
            }
            let at = decision.at.as_millisecond();
            let seq = store.append(event_of_ask(&row, at, EventKind::Decided, body))?;
            store.set_decided(row.id, seq)?;
            if let Some(sealed) = sealed {
                store.insert_parcel(row.id, sealed)?;
            }
            Ok(Written::Settled(Settled::Won))
        }
        Change::DropParcel { ask } => {
            store.drop_parcel(*ask)?;
            Ok(Written::Done)
        }
        Change::Extend {
            ask,
            deadline_at,
            at,
            body,
        } => {
            let Some(row) = store.ask(*ask)?.filter(|row| row.decided.is_none()) else {
                return Ok(Written::Applied(false));
            };
            store.append(event_of_ask(&row, *at, EventKind::Extended, body))?;
            store.set_deadline(*ask, *deadline_at)?;
            Ok(Written::Applied(true))
        }
        Change::StartStep { step, at, body } => {
            start_step(store, step, *at, body).map(Written::Step)
        }
        Change::FinishStep { step, at, body } => {
            let current = store
                .call(step.call)?
                .is_some_and(|call| call.epoch == step.epoch);
            let open = |row: &StepRow| current && row.finished.is_none();
            if store.step(step)?.filter(open).is_none() {
                return Ok(Written::Applied(false));
            }
            let seq = store.append(event_of_call(step.call, *at, EventKind::StepFinished, body))?;
            store.set_step_finished(step, seq)?;
            Ok(Written::Applied(true))
        }
        Change::FinishCall {
            call,
            epoch,
            at,
            body,
        } => {
            let fits = |row: &CallRow| row.epoch == *epoch && row.finished.is_none();
            if store.call(*call)?.filter(fits).is_none() {
                return Ok(Written::Applied(false));
            }
            let seq = store.append(event_of_call(*call, *at, EventKind::Finished, body))?;
            store.set_finished(*call, seq)?;
            Ok(Written::Applied(true))
        }
        Change::TakeOver {
            call,
            epoch,
            owner,
            at,
        } => take_over(store, *call, *epoch, *owner, *at).map(Written::TakeOver),
        Change::Renew { owner, until } => {
            store.set_lease(*owner, *until)?;
            Ok(Written::Done)
        }
        Change::IssueGrant { grant, body } => {
            issue(store, grant, body)?;
            Ok(Written::Done)
        }
        Change::RedeemGrant {
            grant,
            digest,
            purpose,
            principal,
            at,
        } => {
            let fits =
                |given: &GrantRecord| given.purpose == *purpose && given.principal == *principal;
            let Some(given) = store.grant(*grant)?.filter(fits) else {
                return Ok(Written::Redeemed(Redeemed::Unknown));
            };
            let at = event_body::time_from_millis(*at)?;
            Ok(Written::Redeemed(if given.redeemed_at.is_some() {
                Redeemed::Used
            } else if at >= given.expires_at {
                Redeemed::Expired
            } else if given.digest != *digest {
                Redeemed::OtherDigest
            } else {
                redeem(store, &given, at)?;
                Redeemed::Good
            }))
        }
        Change::Note {
            call,
            ask,
            kind,
            at,
            body,
        } => {
            store.append(Entry {
                at: *at,
                kind: *kind,
                call: *call,
                ask: *ask,
                body,
            })?;
            if let Some(ask) = ask
                && matches!(kind, EventKind::AgentGone | EventKind::AgentBack)
            {
                store.set_gone(*ask, *kind == EventKind::AgentGone)?;
            }
            Ok(Written::Done)
        }
    }
}

fn start_step(
    store: &mut impl Store,
    step: &StepName,
    at: i64,
    body: &str,
) -> Result<StepStart, JournalError> {
    let Some(call) = store
        .call(step.call)?
        .filter(|call| call.epoch == step.epoch)
    else {
        return Ok(StepStart::Lost);
    };
    if let Some(row) = store.step(step)? {
        // Started and not finished, under whatever epoch: it may have happened.
        let Some(seq) = row.finished else {
            return Ok(StepStart::Interrupted);
        };
        let text = read_body(store, "call", &step.call, seq, EventKind::StepFinished)?;
        return Ok(StepStart::Finished(rows::step_result(seq, &text)?));
    }
    if call.finished.is_some() {
        return Ok(StepStart::Lost);
    }
    let started = store.append(event_of_call(step.call, at, EventKind::StepStarted, body))?;
    store.insert_step(StepRow {
        call: step.call,
        name: step.name.clone(),
        occurrence: step.occurrence,
        epoch: step.epoch,
        started,
        finished: None,
    })?;
    Ok(StepStart::Started)
}

fn take_over(
    store: &mut impl Store,
    call: CallId,
    epoch: u64,
    owner: Uuid,
    at: i64,
) -> Result<TakeOver, JournalError> {
    let Some(row) = store.call(call)? else {
        return Ok(TakeOver::Unknown);
    };
    if let Some(seq) = row.finished {
        let text = read_body(store, "call", &call, seq, EventKind::Finished)?;
        let finished: Finished<'static> = event_body::parse(seq, &text)?;
        return Ok(TakeOver::Finished(finished.result.into_owned()));
    }
    if row.epoch != epoch || (row.owner != owner && store.is_alive(row.owner, at)?) {
        return Ok(TakeOver::Held);
    }
    let epoch = epoch + 1;
    let body = event_body::to_json(&event_body::TakenOver {
        epoch,
        owner,
        from: row.owner,
    })?;
    store.append(event_of_call(call, at, EventKind::TakenOver, &body))?;
    store.set_owner(call, owner, epoch)?;
    Ok(TakeOver::Taken { epoch })
}

/// Gives a grant, if the ask that it names was accepted. A batch may settle and grant at once:
/// where the settling lost to a no, nothing is granted.
fn issue(store: &mut impl Store, grant: &GrantRecord, body: &str) -> Result<(), JournalError> {
    let refuse = |why: &str| {
        let what = format!("a grant needs an accepted ask: {why}");
        Err(JournalError::write(what))
    };
    let Some(ask) = store.ask(grant.ask)? else {
        return refuse("this one does not exist");
    };
    let Some(seq) = ask.decided else {
        return refuse("this one is still open");
    };
    let text = read_body(store, "ask", &ask.id, seq, EventKind::Decided)?;
    if !matches!(
        rows::decision(ask.id, seq, &text)?.outcome,
        Outcome::Accepted(_)
    ) {
        return refuse("this one was not accepted");
    }
    let at = grant.issued_at.as_millisecond();
    store.append(event_of_ask(&ask, at, EventKind::Granted, body))?;
    store.insert_grant(grant)
}

fn redeem(store: &mut impl Store, grant: &GrantRecord, at: Timestamp) -> Result<(), JournalError> {
    let call = store.ask(grant.ask)?.and_then(|ask| ask.call);
    let body = event_body::to_json(&event_body::Redeemed { grant: grant.id })?;
    store.append(Entry {
        at: at.as_millisecond(),
        kind: EventKind::Redeemed,
        call,
        ask: Some(grant.ask),
        body: &body,
    })?;
    store.set_redeemed(grant.id, at)
}

fn read_body(
    store: &mut impl Store,
    what: &str,
    id: &impl std::fmt::Display,
    seq: u64,
    kind: EventKind,
) -> Result<String, JournalError> {
    let text = store.body(seq, kind)?;
    text.ok_or_else(|| rows::missing_event(what, id, seq))
}

fn event_of_ask<'a>(row: &AskRow, at: i64, kind: EventKind, body: &'a str) -> Entry<'a> {
    Entry {
        at,
        kind,
        call: row.call,
        ask: Some(row.id),
        body,
    }
}

fn event_of_call(call: CallId, at: i64, kind: EventKind, body: &str) -> Entry<'_> {
    Entry {
        at,
        kind,
        call: Some(call),
        ask: None,
        body,
    }
}
