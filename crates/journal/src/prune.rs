//! Removing the bodies of what is old and over, in any engine.

use crate::{
    JournalEngine, JournalError, PruneBatch,
    rules::{Prunable, PrunePlan},
};
use holdpoint_ask::AskId;
use jiff::{SignedDuration, Timestamp};
use std::collections::HashSet;

/// How many events are read at a time.
const CHUNK: usize = 2_000;

/// How many bodies go in one transaction, about: whoever commits meanwhile waits for it.
const BATCH: usize = 2_000;

/// What is younger than this may still be in somebody's hands.
pub const YOUNGEST: SignedDuration = SignedDuration::from_hours(24);

/// Looks for what is over and older than `before`.
///
/// # Errors
/// When the time is less than a day ago, or the record cannot be read.
pub async fn prunable(
    journal: &dyn JournalEngine,
    before: Timestamp,
    now: Timestamp,
) -> Result<Prunable, JournalError> {
    if before > now - YOUNGEST {
        return Err(JournalError::read(
            "what is younger than a day stays, since it may still be in use: name an earlier time",
        ));
    }
    let mut plan = PrunePlan::new(before, now);
    let mut seen = 0;
    loop {
        let events = journal.stored_events(seen, CHUNK).await?;
        let Some(last) = events.last() else { break };
        seen = last.seq;
        events.iter().for_each(|event| plan.event(&event.link()));
    }
    let mut alive = HashSet::new();
    for owner in plan.owners() {
        if journal.is_alive(owner).await? {
            alive.insert(owner);
        }
    }
    Ok(plan.finish(&alive))
}

/// Removes the bodies of what was found, in the name of `by`: an event for each transaction says which went.
/// What somebody went on with meanwhile stays. Gives how many went; `told` hears of it as it goes on.
///
/// # Errors
/// When the record cannot be written. What went until then has gone, and is recorded.
pub async fn prune(
    journal: &dyn JournalEngine,
    found: Prunable,
    before: Timestamp,
    by: &str,
    mut told: impl FnMut(u64),
) -> Result<u64, JournalError> {
    let mut gone = 0;
    let mut over = found.over.into_iter().peekable();
    while over.peek().is_some() {
        let mut batch = Vec::new();
        let mut bodies = 0;
        while bodies < BATCH
            && let Some(next) = over.next()
        {
            bodies += next.events.len();
            batch.push(next);
        }
        let asks: Vec<AskId> = batch.iter().flat_map(|over| over.asks.clone()).collect();
        let batch = PruneBatch {
            over: batch,
            by: by.to_owned(),
            before,
            at: Timestamp::now(),
        };
        gone += journal.prune_batch(batch).await?;
        remove_files(journal, &asks).await?;
        told(gone);
    }
    Ok(gone)
}

/// Removes the files that people gave with answers that were pruned.
async fn remove_files(journal: &dyn JournalEngine, asks: &[AskId]) -> Result<(), JournalError> {
    for ask in asks {
        let files = journal.names(&format!("files/{ask}")).await?;
        if files.is_empty() || journal.ask(*ask).await?.is_some() {
            continue;
        }
        for file in files {
            journal.store(&file, None).await?;
        }
    }
    Ok(())
}
