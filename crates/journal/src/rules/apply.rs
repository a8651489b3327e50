//! The rules of every write, the same for every journal.

use crate::{
    EventKind, GrantRecord, JournalError, Redeemed, Settled, StepStart, TakeOver, Written,
    rules::chain::Entry,
    rules::event_body::{self, Asked, Finished},
    rules::prepared_write::{PreparedWrite, StepName},
    rules::rows::{self, AskRow, CallRow, StepRow},
};
use holdpoint_ask::{AskId, CallId, GrantId, Outcome};
use jiff::Timestamp;
use uuid::Uuid;

/// What a journal can do within one transaction. The conditions are checked in [`apply`]; a store
/// refuses only what it cannot keep: an id that is taken, a call or an ask that is not there.
pub(crate) trait Store {
    /// Adds an event to the chain and returns its place.
    fn append(&mut self, entry: Entry<'_>) -> Result<u64, JournalError>;
    /// The body of an event, if it is of this kind.
    fn body(&mut self, seq: u64, kind: EventKind) -> Result<Option<String>, JournalError>;

    fn call(&mut self, id: CallId) -> Result<Option<CallRow>, JournalError>;
    fn insert_call(&mut self, row: CallRow) -> Result<(), JournalError>;
    fn set_owner(&mut self, id: CallId, owner: Uuid, epoch: u64) -> Result<(), JournalError>;
    fn set_finished(&mut self, id: CallId, seq: u64) -> Result<(), JournalError>;

    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>, JournalError>;
    fn insert_ask(&mut self, row: AskRow) -> Result<(), JournalError>;
    fn set_refused(&mut self, id: AskId, refusals: u32, seq: u64) -> Result<(), JournalError>;
    fn set_deadline(&mut self, id: AskId, at: Option<i64>) -> Result<(), JournalError>;
    fn set_decided(&mut self, id: AskId, seq: u64) -> Result<(), JournalError>;
    fn set_gone(&mut self, id: AskId, gone: bool) -> Result<(), JournalError>;
    fn insert_parcel(&mut self, ask: AskId, sealed: &[u8]) -> Result<(), JournalError>;
    fn drop_parcel(&mut self, ask: AskId) -> Result<(), JournalError>;

    fn step(&mut self, step: &StepName) -> Result<Option<StepRow>, JournalError>;
    fn insert_step(&mut self, row: StepRow) -> Result<(), JournalError>;
    fn set_step_finished(&mut self, step: &StepName, seq: u64) -> Result<(), JournalError>;

    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>, JournalError>;
    fn insert_grant(&mut self, grant: &GrantRecord) -> Result<(), JournalError>;
    fn set_redeemed(&mut self, id: GrantId, at: Timestamp) -> Result<(), JournalError>;

    fn set_lease(&mut self, owner: Uuid, until: i64) -> Result<(), JournalError>;
    /// Whether a process shows signs of life at this time.
    fn alive(&mut self, owner: Uuid, at: i64) -> Result<bool, JournalError>;
}

/// Applies one change. An error is a fault: the whole batch must then be undone.
pub(crate) fn apply(
    store: &mut impl Store,
    change: &PreparedWrite,
) -> Result<Written, JournalError> {
    match change {
        PreparedWrite::OpenCall {
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
        PreparedWrite::OpenAsk {
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
            Ok(Written::Done)
        }
        PreparedWrite::Refuse {
            ask,
            refusals,
            at,
            body,
        } => {
            let fits = |row: &AskRow| row.decided.is_none() && row.refusals == *refusals;
            let Some(row) = store.ask(*ask)?.filter(fits) else {
                return Ok(Written::Applied(false));
            };
            let seq = store.append(about(&row, *at, EventKind::Refused, body))?;
            store.set_refused(*ask, refusals.saturating_add(1), seq)?;
            Ok(Written::Applied(true))
        }
        PreparedWrite::Settle {
            decision,
            sealed,
            body,
        } => {
            let Some(row) = store.ask(decision.ask)? else {
                return Ok(Written::Settled(Settled::Unknown));
            };
            if let Some(seq) = row.decided {
                let text = event(store, "ask", &row.id, seq, EventKind::Decided)?;
                let first = rows::decision(row.id, seq, &text)?;
                return Ok(Written::Settled(Settled::Lost(Box::new(first))));
            }
            // The desk takes secrets out of an answer; this is the second lock.
            if row.secret
                && let Outcome::Accepted(answer) = &decision.outcome
            {
                let text = event(store, "ask", &row.id, row.opened, EventKind::Asked)?;
                let asked: Asked<'static> = event_body::parse(row.opened, &text)?;
                if asked.ask.form.redact(answer) != *answer {
                    return Err(JournalError::Write(
                        "the answer still holds a secret; nothing of it was recorded".into(),
                    ));
                }
            }
            let at = decision.at.as_millisecond();
            let seq = store.append(about(&row, at, EventKind::Decided, body))?;
            store.set_decided(row.id, seq)?;
            if let Some(sealed) = sealed {
                store.insert_parcel(row.id, sealed)?;
            }
            Ok(Written::Settled(Settled::Won))
        }
        PreparedWrite::DropParcel { ask } => {
            store.drop_parcel(*ask)?;
            Ok(Written::Done)
        }
        PreparedWrite::Extend {
            ask,
            deadline_at,
            at,
            body,
        } => {
            let Some(row) = store.ask(*ask)?.filter(|row| row.decided.is_none()) else {
                return Ok(Written::Applied(false));
            };
            store.append(about(&row, *at, EventKind::Extended, body))?;
            store.set_deadline(*ask, *deadline_at)?;
            Ok(Written::Applied(true))
        }
        PreparedWrite::StartStep { step, at, body } => {
            start_step(store, step, *at, body).map(Written::Step)
        }
        PreparedWrite::FinishStep { step, at, body } => {
            let current = store
                .call(step.call)?
                .is_some_and(|call| call.epoch == step.epoch);
            let open = |row: &StepRow| current && row.finished.is_none();
            if store.step(step)?.filter(open).is_none() {
                return Ok(Written::Applied(false));
            }
            let seq = store.append(of_call(step.call, *at, EventKind::StepFinished, body))?;
            store.set_step_finished(step, seq)?;
            Ok(Written::Applied(true))
        }
        PreparedWrite::FinishCall {
            call,
            epoch,
            at,
            body,
        } => {
            let fits = |row: &CallRow| row.epoch == *epoch && row.finished.is_none();
            if store.call(*call)?.filter(fits).is_none() {
                return Ok(Written::Applied(false));
            }
            let seq = store.append(of_call(*call, *at, EventKind::Finished, body))?;
            store.set_finished(*call, seq)?;
            Ok(Written::Applied(true))
        }
        PreparedWrite::TakeOver {
            call,
            epoch,
            owner,
            at,
        } => take_over(store, *call, *epoch, *owner, *at).map(Written::TakeOver),
        PreparedWrite::Renew { owner, until } => {
            store.set_lease(*owner, *until)?;
            Ok(Written::Done)
        }
        PreparedWrite::IssueGrant { grant, body } => {
            issue(store, grant, body)?;
            Ok(Written::Done)
        }
        PreparedWrite::RedeemGrant {
            grant,
            digest,
            purpose,
            principal,
            at,
        } => {
            let fits =
                |kept: &GrantRecord| kept.purpose == *purpose && kept.principal == *principal;
            let Some(kept) = store.grant(*grant)?.filter(fits) else {
                return Ok(Written::Redeemed(Redeemed::Unknown));
            };
            let at = rows::moment(*at)?;
            Ok(Written::Redeemed(if kept.redeemed_at.is_some() {
                Redeemed::Used
            } else if at >= kept.expires_at {
                Redeemed::Expired
            } else if kept.digest != *digest {
                Redeemed::OtherDigest
            } else {
                redeem(store, &kept, at)?;
                Redeemed::Good
            }))
        }
        PreparedWrite::Note {
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
        let text = event(store, "call", &step.call, seq, EventKind::StepFinished)?;
        let result = event_body::parse::<event_body::Step<'static>>(seq, &text)?.result;
        return Ok(StepStart::Finished(result.unwrap_or_default().into_owned()));
    }
    if call.finished.is_some() {
        return Ok(StepStart::Lost);
    }
    let started = store.append(of_call(step.call, at, EventKind::StepStarted, body))?;
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
        let text = event(store, "call", &call, seq, EventKind::Finished)?;
        let finished: Finished<'static> = event_body::parse(seq, &text)?;
        return Ok(TakeOver::Finished(finished.result.into_owned()));
    }
    if row.epoch != epoch || (row.owner != owner && store.alive(row.owner, at)?) {
        return Ok(TakeOver::Held);
    }
    let epoch = epoch + 1;
    let body = event_body::to_json(&event_body::TakenOver {
        epoch,
        owner,
        from: row.owner,
    })?;
    store.append(of_call(call, at, EventKind::TakenOver, &body))?;
    store.set_owner(call, owner, epoch)?;
    Ok(TakeOver::Taken { epoch })
}

/// Gives a grant, if the ask that it names was accepted. A batch may settle and grant at once:
/// where the settling lost to a no, nothing is granted.
fn issue(store: &mut impl Store, grant: &GrantRecord, body: &str) -> Result<(), JournalError> {
    let refuse = |why: &str| {
        Err(JournalError::Write(format!(
            "no grant without a yes: {why}"
        )))
    };
    let Some(ask) = store.ask(grant.ask)? else {
        return refuse("there is no such ask");
    };
    let Some(seq) = ask.decided else {
        return refuse("the ask is still open");
    };
    let text = event(store, "ask", &ask.id, seq, EventKind::Decided)?;
    if !matches!(
        rows::decision(ask.id, seq, &text)?.outcome,
        Outcome::Accepted(_)
    ) {
        return refuse("the ask was not accepted");
    }
    let at = grant.issued_at.as_millisecond();
    store.append(about(&ask, at, EventKind::Granted, body))?;
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

fn event(
    store: &mut impl Store,
    what: &str,
    id: &impl std::fmt::Display,
    seq: u64,
    kind: EventKind,
) -> Result<String, JournalError> {
    let text = store.body(seq, kind)?;
    text.ok_or_else(|| rows::missing(what, id, seq))
}

fn about<'a>(row: &AskRow, at: i64, kind: EventKind, body: &'a str) -> Entry<'a> {
    Entry {
        at,
        kind,
        call: row.call,
        ask: Some(row.id),
        body,
    }
}

fn of_call(call: CallId, at: i64, kind: EventKind, body: &str) -> Entry<'_> {
    Entry {
        at,
        kind,
        call: Some(call),
        ask: None,
        body,
    }
}
