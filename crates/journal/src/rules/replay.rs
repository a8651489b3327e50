//! Taking over the events of another journal: each is added as it stands there, and the rows are made
//! again by what it says. What only rows and the vault hold (leases, sealed secrets, keys) is not in events.

use super::{
    chain::{Head, Link},
    event_body::{
        self, Asked, Called, Extended, Granted, Redeemed, Refused, Step, TakenOver,
        time_from_millis,
    },
    rows::{self, AskRow, CallRow, StepRow},
    store::Store,
};
use crate::{CallBinding, EventKind, GrantRecord, JournalError, StoredEvent};
use holdpoint_ask::{AskId, CallId};
use serde::de::DeserializeOwned;

/// Adds events of another journal behind the last one, which is `head`; gives the new last one. A body that
/// was pruned there has no hash that could be computed: [`Verifier`](super::Verifier) checks those.
///
/// # Errors
/// When an event does not follow the one before it, its hash does not fit, or it speaks of something that
/// no event before it opened. The whole batch must then be undone.
pub fn replay(
    store: &mut impl Store,
    mut head: Head,
    events: &[StoredEvent],
) -> Result<Head, JournalError> {
    for event in events {
        let link = event.link();
        if link.seq != head.seq + 1 {
            return Err(JournalError::write(format!(
                "event {} cannot follow event {}: somebody else wrote to this journal meanwhile",
                link.seq, head.seq
            )));
        }
        let pruned = link.pruned_by().is_some();
        if !pruned && head.hash_with(&link) != event.hash {
            return Err(JournalError::damaged(format!(
                "the hash of event {} does not fit what it says",
                link.seq
            )));
        }
        head = Head {
            seq: link.seq,
            hash: event.hash,
        };
        store.append_stored(event)?;
        // What was pruned has no row any more.
        if !pruned {
            make_rows(store, event)?;
        }
    }
    Ok(head)
}

/// Does to the rows what the write did that this event is of.
fn make_rows(store: &mut impl Store, event: &StoredEvent) -> Result<(), JournalError> {
    let seq = event.seq;
    match EventKind::of_word(&event.kind) {
        EventKind::Called => {
            let said: Called<'static> = body(event)?;
            store.insert_call(CallRow {
                id: call(event)?,
                opened: seq,
                owner: said.owner,
                epoch: 1,
                finished: None,
                binding: Some(CallBinding::new(
                    &said.origin,
                    &said.method,
                    &said.arguments,
                )),
            })
        }
        EventKind::TakenOver => {
            let said: TakenOver = body(event)?;
            let id = known_call(store, event)?;
            store.set_owner(id, said.owner, said.epoch)
        }
        EventKind::Finished => {
            let id = known_call(store, event)?;
            store.set_finished(id, seq)
        }
        EventKind::Asked => {
            let said: Asked<'static> = body(event)?;
            store.insert_ask(AskRow {
                id: ask(event)?,
                call: event.call,
                secret: said.ask.form.has_secret(),
                dangerous: said.ask.dangerous,
                principal: said.origin.into_owned().principal,
                opened: seq,
                deadline_at: said.deadline_at,
                refusals: 0,
                refused: None,
                decided: None,
                gone: false,
            })
        }
        EventKind::Refused => {
            let said: Refused<'static> = body(event)?;
            let id = open_ask(store, event)?;
            store.set_refused(id, said.refusals, seq)
        }
        EventKind::Decided => {
            let id = open_ask(store, event)?;
            rows::decision(id, seq, &event.body)?;
            store.set_decided(id, seq)
        }
        EventKind::Extended => {
            let said: Extended<'static> = body(event)?;
            let id = open_ask(store, event)?;
            store.set_deadline(id, said.deadline_at)
        }
        // Whoever notes it does not ask whether the ask is open, or there at all.
        kind @ (EventKind::AgentGone | EventKind::AgentBack) => match event.ask {
            Some(id) if store.ask(id)?.is_some() => {
                store.set_gone(id, kind == EventKind::AgentGone)
            }
            _ => Ok(()),
        },
        EventKind::StepStarted => {
            let said: Step<'static> = body(event)?;
            let id = known_call(store, event)?;
            store.insert_step(StepRow {
                call: id,
                name: said.name.into_owned(),
                occurrence: said.occurrence,
                epoch: said.epoch,
                started: seq,
                finished: None,
            })
        }
        EventKind::StepFinished => {
            let said: Step<'static> = body(event)?;
            let id = call(event)?;
            let started = store.step(id, &said.name, said.occurrence)?;
            started.ok_or_else(|| unopened(event))?;
            store.set_step_finished(id, &said.name, said.occurrence, seq)
        }
        EventKind::Granted => {
            let said: Granted<'static> = body(event)?;
            let id = ask(event)?;
            store.ask(id)?.ok_or_else(|| unopened(event))?;
            store.insert_grant(&GrantRecord {
                id: said.grant,
                ask: id,
                principal: said.principal.into_owned(),
                purpose: said.purpose.into_owned(),
                digest: said.digest,
                issued_at: time_from_millis(event.at)?,
                expires_at: time_from_millis(said.expires_at)?,
                redeemed_at: None,
            })
        }
        EventKind::Redeemed => {
            let Redeemed { grant } = body(event)?;
            store.grant(grant)?.ok_or_else(|| unopened(event))?;
            store.set_redeemed(grant, time_from_millis(event.at)?)
        }
        _ => Ok(()),
    }
}

fn body<T: DeserializeOwned>(event: &StoredEvent) -> Result<T, JournalError> {
    event_body::parse(event.seq, &event.body)
}

fn call(event: &StoredEvent) -> Result<CallId, JournalError> {
    event.call.ok_or_else(|| unopened(event))
}

fn ask(event: &StoredEvent) -> Result<AskId, JournalError> {
    event.ask.ok_or_else(|| unopened(event))
}

fn known_call(store: &mut impl Store, event: &StoredEvent) -> Result<CallId, JournalError> {
    let row = store.call(call(event)?)?.ok_or_else(|| unopened(event))?;
    Ok(row.id)
}

fn open_ask(store: &mut impl Store, event: &StoredEvent) -> Result<AskId, JournalError> {
    let row = store.ask(ask(event)?)?.ok_or_else(|| unopened(event))?;
    match row.decided {
        None => Ok(row.id),
        Some(first) => Err(JournalError::damaged(format!(
            "event {} is about ask {}, which event {first} ended",
            event.seq, row.id
        ))),
    }
}

fn unopened(event: &StoredEvent) -> JournalError {
    let Link { seq, kind, .. } = event.link();
    JournalError::damaged(format!(
        "event {seq} (`{kind}`) is about something that no event before it opened"
    ))
}
