//! The condition and the effects of every write, the same for every engine.

use super::{
    chain::Entry,
    event_body::{self, Asked, Finished, Refused},
    prepared_write::PreparedWrite,
    rows::{self, AskRow, CallRow, StepRow},
    store::Store,
};
use crate::{
    CallBinding, EventKind, GrantRecord, GrantUse, JournalError, NewAsk, Redeemed, Settled,
    StepStart, TakeOver, Write, Written,
};
use holdpoint_ask::{CallId, ChannelKind, Decision, Outcome};
use jiff::Timestamp;
use uuid::Uuid;

/// Applies one write.
///
/// # Errors
/// When it cannot be applied: the whole batch must then be undone. A condition that does not hold is
/// not an error, but an answer.
pub fn apply(store: &mut impl Store, write: &PreparedWrite) -> Result<Written, JournalError> {
    let body = &write.body;
    match &write.write {
        Write::OpenCall(call) => {
            let opened = store.append(event_of_call(
                call.id,
                call.opened_at,
                EventKind::Called,
                body,
            ))?;
            store.insert_call(CallRow {
                id: call.id,
                opened,
                owner: call.owner,
                epoch: 1,
                finished: None,
                binding: Some(CallBinding::from(&**call)),
            })?;
            Ok(Written::Done)
        }
        Write::OpenAsk(new) => open_ask(store, new, body).map(Written::Applied),
        Write::Refuse {
            ask, refusals, at, ..
        } => {
            let fits = |row: &AskRow| row.decided.is_none() && row.refusals == *refusals;
            let Some(row) = store.ask(*ask)?.filter(fits) else {
                return Ok(Written::Applied(false));
            };
            if was_taken_away(store, &row)? {
                return Ok(Written::Applied(false));
            }
            let seq = store.append(event_of_ask(&row, *at, EventKind::Refused, body))?;
            store.set_refused(*ask, refusals.saturating_add(1), seq)?;
            Ok(Written::Applied(true))
        }
        Write::Settle(decision) => settle(store, decision, None, body).map(Written::Settled),
        Write::SettleOwn {
            call,
            epoch,
            decision,
        } => {
            let is_lost = |row: CallRow| row.epoch != *epoch;
            if store.call(*call)?.is_some_and(is_lost) {
                return Ok(Written::Settled(Settled::CallLost));
            }
            let is_other = |row: AskRow| row.call != Some(*call);
            if store.ask(decision.ask)?.is_some_and(is_other) {
                return Err(JournalError::write("the ask is not of this call"));
            }
            settle(store, decision, None, body).map(Written::Settled)
        }
        Write::TimeOut(decision) => {
            let now = decision.at.as_millisecond();
            let open = |row: &AskRow| row.decided.is_none();
            let has_time = |row: AskRow| row.deadline_at.is_none_or(|deadline| deadline > now);
            if store.ask(decision.ask)?.filter(open).is_some_and(has_time) {
                return Ok(Written::Settled(Settled::NotDue));
            }
            settle(store, decision, None, body).map(Written::Settled)
        }
        Write::SettleSealed { decision, sealed } => {
            settle(store, decision, Some(sealed), body).map(Written::Settled)
        }
        Write::SettleGranting { decision, grant } => {
            if grant.ask != decision.ask {
                return Err(JournalError::write("the grant is not of this ask"));
            }
            let settled = settle(store, decision, None, body)?;
            if matches!(settled, Settled::Won) {
                let body = event_body::to_json(&event_body::Granted::from(grant))?;
                issue(store, grant, &body)?;
            }
            Ok(Written::Settled(settled))
        }
        Write::DropParcel { ask } => {
            store.drop_parcel(*ask)?;
            Ok(Written::Done)
        }
        Write::Extend {
            ask,
            deadline_at,
            at,
            ..
        } => {
            let Some(row) = store.ask(*ask)?.filter(|row| row.decided.is_none()) else {
                return Ok(Written::Applied(false));
            };
            store.append(event_of_ask(&row, *at, EventKind::Extended, body))?;
            store.set_deadline(*ask, deadline_at.map(|time| time.as_millisecond()))?;
            Ok(Written::Applied(true))
        }
        Write::StartStep {
            call,
            epoch,
            name,
            occurrence,
            at,
            ..
        } => {
            let step = StepRow {
                call: *call,
                name: name.clone(),
                occurrence: *occurrence,
                epoch: *epoch,
                started: 0,
                finished: None,
            };
            start_step(store, step, *at, body).map(Written::Step)
        }
        Write::FinishStep {
            call,
            epoch,
            name,
            occurrence,
            at,
            ..
        } => {
            let current = store.call(*call)?.is_some_and(|row| row.epoch == *epoch);
            let open = |row: &StepRow| current && row.finished.is_none();
            if store.step(*call, name, *occurrence)?.filter(open).is_none() {
                return Ok(Written::Applied(false));
            }
            let seq = store.append(event_of_call(*call, *at, EventKind::StepFinished, body))?;
            store.set_step_finished(*call, name, *occurrence, seq)?;
            Ok(Written::Applied(true))
        }
        Write::FinishCall {
            call, epoch, at, ..
        } => {
            let fits = |row: &CallRow| row.epoch == *epoch && row.finished.is_none();
            if store.call(*call)?.filter(fits).is_none() {
                return Ok(Written::Applied(false));
            }
            let seq = store.append(event_of_call(*call, *at, EventKind::Finished, body))?;
            store.set_finished(*call, seq)?;
            Ok(Written::Applied(true))
        }
        Write::TakeOver {
            call,
            epoch,
            owner,
            at,
        } => take_over(store, *call, *epoch, *owner, *at).map(Written::TakeOver),
        Write::Renew { owner, until } => {
            store.set_lease(*owner, until.as_millisecond())?;
            Ok(Written::Done)
        }
        Write::IssueGrant(grant) => issue(store, grant, body).map(Written::Applied),
        Write::RedeemGrant {
            required,
            grant,
            digest,
            purpose,
            principal,
            at,
        } => {
            let given = store.grant(*grant)?;
            let at = event_body::time_from_millis(at.as_millisecond())?;
            let good_for = GrantUse {
                purpose,
                principal,
                digest: *digest,
                at,
            };
            let found = good_for.check(given.as_ref());
            match (found, given) {
                (Redeemed::Good, Some(given)) => redeem(store, &given, at)?,
                _ if *required => {
                    return Err(JournalError::write("a grant that is needed is not good"));
                }
                _ => {}
            }
            Ok(Written::Redeemed(found))
        }
        Write::Note {
            call,
            ask,
            kind,
            at,
            ..
        } => {
            store.append(Entry {
                at: at.as_millisecond(),
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
        Write::NotePin { after, .. } if store.last_pin_event()? != *after => {
            Ok(Written::Applied(false))
        }
        Write::NotePin { ask, kind, at, .. } => {
            store.append(Entry {
                at: at.as_millisecond(),
                kind: *kind,
                call: None,
                ask: *ask,
                body,
            })?;
            Ok(Written::Applied(true))
        }
    }
}

/// Opens an ask, if its call is unfinished and still at the ask's epoch.
fn open_ask(store: &mut impl Store, new: &NewAsk, body: &str) -> Result<bool, JournalError> {
    if let Some(call) = new.call
        && let Some(row) = store.call(call)?
        && (row.epoch != new.epoch || row.finished.is_some())
    {
        return Ok(false);
    }
    let opened = store.append(Entry {
        at: new.opened_at.as_millisecond(),
        kind: EventKind::Asked,
        call: new.call,
        ask: Some(new.id),
        body,
    })?;
    store.insert_ask(AskRow {
        id: new.id,
        call: new.call,
        principal: new.origin.principal.clone(),
        secret: new.ask.form.has_secret(),
        dangerous: new.ask.dangerous,
        opened,
        deadline_at: new.deadline_at.map(|time| time.as_millisecond()),
        refusals: 0,
        refused: None,
        decided: None,
        gone: false,
    })?;
    Ok(true)
}

/// Ends an ask, if it is open: the first decision wins.
fn settle(
    store: &mut impl Store,
    decision: &Decision,
    sealed: Option<&[u8]>,
    body: &str,
) -> Result<Settled, JournalError> {
    let Some(row) = store.ask(decision.ask)? else {
        return Ok(Settled::Unknown);
    };
    if let Some(seq) = row.decided {
        let text = read_body(store, "ask", &row.id, seq, EventKind::Decided)?;
        let first = rows::decision(row.id, seq, &text)?;
        return Ok(Settled::Lost(Box::new(first)));
    }
    let of_client = matches!(
        decision.channel,
        Some(ChannelKind::Client | ChannelKind::Url)
    );
    if of_client && was_taken_away(store, &row)? {
        return Ok(Settled::TakenAway);
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
    let seq = store.append(event_of_ask(&row, decision.at, EventKind::Decided, body))?;
    store.set_decided(row.id, seq)?;
    if let Some(sealed) = sealed {
        store.insert_parcel(row.id, sealed)?;
    }
    Ok(Settled::Won)
}

/// Whether the ask was taken from the agent's client; the last invalid reply says so.
fn was_taken_away(store: &mut impl Store, row: &AskRow) -> Result<bool, JournalError> {
    let Some(seq) = row.refused else {
        return Ok(false);
    };
    let text = read_body(store, "ask", &row.id, seq, EventKind::Refused)?;
    Ok(event_body::parse::<Refused<'static>>(seq, &text)?.takes_away)
}

fn start_step(
    store: &mut impl Store,
    step: StepRow,
    at: Timestamp,
    body: &str,
) -> Result<StepStart, JournalError> {
    let current = |row: &CallRow| row.epoch == step.epoch;
    let Some(call) = store.call(step.call)?.filter(current) else {
        return Ok(StepStart::Lost);
    };
    if let Some(row) = store.step(step.call, &step.name, step.occurrence)? {
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
    store.insert_step(StepRow { started, ..step })?;
    Ok(StepStart::Started)
}

fn take_over(
    store: &mut impl Store,
    call: CallId,
    epoch: u64,
    owner: Uuid,
    at: Timestamp,
) -> Result<TakeOver, JournalError> {
    let Some(row) = store.call(call)? else {
        return Ok(TakeOver::Unknown);
    };
    if let Some(seq) = row.finished {
        let text = read_body(store, "call", &call, seq, EventKind::Finished)?;
        let finished: Finished<'static> = event_body::parse(seq, &text)?;
        return Ok(TakeOver::Finished(finished.result.into_owned()));
    }
    if row.epoch != epoch
        || (row.owner != owner && store.is_alive(row.owner, at.as_millisecond())?)
    {
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

/// Gives a grant, if the ask that it names was accepted and has given none: one yes is one permission. A
/// batch may settle and grant at once: where the settling lost to a no, nothing is granted.
fn issue(store: &mut impl Store, grant: &GrantRecord, body: &str) -> Result<bool, JournalError> {
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
    if store.has_granted(ask.id)? {
        return Ok(false);
    }
    store.append(event_of_ask(
        &ask,
        grant.issued_at,
        EventKind::Granted,
        body,
    ))?;
    store.insert_grant(grant)?;
    Ok(true)
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

fn event_of_ask<'a>(row: &AskRow, at: Timestamp, kind: EventKind, body: &'a str) -> Entry<'a> {
    Entry {
        at: at.as_millisecond(),
        kind,
        call: row.call,
        ask: Some(row.id),
        body,
    }
}

fn event_of_call(call: CallId, at: Timestamp, kind: EventKind, body: &str) -> Entry<'_> {
    Entry {
        at: at.as_millisecond(),
        kind,
        call: Some(call),
        ask: None,
        body,
    }
}
