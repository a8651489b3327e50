//! Removing the bodies of what is over: what one transaction does. Which calls and asks are over is said by
//! [`PrunePlan`](super::PrunePlan).

use super::{
    chain::{Entry, Head},
    event_body,
    pruned_body::{Pruned, SetHasher},
    store::Store,
};
use crate::{EventKind, JournalError, Over, PruneBatch};
use std::borrow::Cow;

/// Removes the bodies of what is over, with the rows that speak of it, and adds the event that says so. Gives
/// how many bodies went: none where others were faster, and then there is no event either.
///
/// # Errors
/// When a row or an event cannot be read or written: all of it must then be undone.
pub fn prune(store: &mut impl Store, batch: &PruneBatch) -> Result<u64, JournalError> {
    let at = batch.at.as_millisecond();
    let mut bodies: Vec<Head> = Vec::new();
    let mut over = Vec::new();
    for subject in &batch.over {
        let there = store.hashes_of_bodies(&subject.events)?;
        // Somebody else may have pruned it, or gone on with it, since it was looked at.
        if there.len() == subject.events.len() && is_over(store, subject, at)? {
            bodies.extend(there);
            over.push(subject);
        }
    }
    bodies.sort_by_key(|event| event.seq);
    let mut set = SetHasher::default();
    bodies.iter().for_each(|event| set.push(*event));
    let Some(set) = set.finish() else {
        return Ok(0);
    };
    let body = event_body::to_json(&Pruned {
        by: Cow::Borrowed(&batch.by),
        before: batch.before.as_millisecond(),
        set,
    })?;
    let by = store.append(Entry {
        at,
        kind: EventKind::Pruned,
        call: None,
        ask: None,
        body: &body,
    })?;
    let seqs: Vec<u64> = bodies.iter().map(|event| event.seq).collect();
    store.drop_bodies(&seqs, by)?;
    for subject in over {
        for ask in &subject.asks {
            store.remove_ask(*ask)?;
        }
        let Some(call) = &subject.call else { continue };
        for (name, occurrence) in &call.steps {
            store.remove_step(call.id, name, *occurrence)?;
        }
        if !call.stays {
            store.remove_call(call.id)?;
        }
    }
    Ok(set.events)
}

fn is_over(store: &mut impl Store, subject: &Over, at: i64) -> Result<bool, JournalError> {
    for ask in &subject.asks {
        if store.ask(*ask)?.is_none_or(|row| row.decided.is_none()) {
            return Ok(false);
        }
    }
    let Some(call) = &subject.call else {
        return Ok(true);
    };
    let Some(row) = store.call(call.id)? else {
        return Ok(false);
    };
    Ok(row.finished.is_some() || (row.epoch == call.epoch && !store.is_alive(row.owner, at)?))
}
