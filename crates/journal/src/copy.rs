//! Copying a journal into another, whatever keeps them.

use crate::{EventKind, JournalEngine, JournalError, StoredEvent, Verified, rules::pruned_from};
use holdpoint_ask::Digest;

/// How many events go in one transaction.
const CHUNK: usize = 1_000;

/// What came of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copied {
    /// How many events were there already.
    pub found: u64,
    /// How many were copied.
    pub events: u64,
    /// The hash of the last one; the same at both ends.
    pub head: Option<Digest>,
    /// How many of them have no body, since it was pruned.
    pub pruned: u64,
    /// How many keys and private values were copied.
    pub private: u64,
}

/// Copies the events that `from` holds now into `to`, where the rows are made again by them, and verifies both.
/// What is there already is not copied again: a copy that was interrupted goes on. The keys and private values go
/// too, each time; secrets that are sealed to a flow do not, since no other process can open them. `told` hears how
/// many events `to` holds.
///
/// # Errors
/// When either has a flaw, `to` holds something else, or another process has `to` open. What was copied until
/// then stays, and is gone on with the next time.
pub async fn copy(
    from: &dyn JournalEngine,
    to: &dyn JournalEngine,
    mut told: impl FnMut(u64),
) -> Result<Copied, JournalError> {
    refuse_in_use(to).await?;
    let source = from.verify().await?;
    check(&source, "the journal that is copied")?;
    let found = to.head().await?;
    check_same_start(from, to, found).await?;
    let mut at = found;
    while at < source.events {
        let rest = usize::try_from(source.events - at).unwrap_or(CHUNK);
        let events = from.stored_events(at, CHUNK.min(rest)).await?;
        let Some(last) = events.last() else { break };
        at = last.seq;
        refuse_pruned_since(&events, found)?;
        to.import(events).await?;
        told(at);
    }
    let copy = to.verify().await?;
    check(&copy, "the copy")?;
    if (copy.events, copy.head) != (source.events, source.head) {
        return Err(JournalError::write(
            "the copy does not end where the journal did: somebody wrote to it meanwhile. Copy again",
        ));
    }
    let private = copy_vault(from, to).await?;
    Ok(Copied {
        found,
        events: copy.events - found,
        head: copy.head,
        pruned: copy.pruned,
        private,
    })
}

/// Sessions, tokens and the PIN go on working where the keys are the same.
async fn copy_vault(from: &dyn JournalEngine, to: &dyn JournalEngine) -> Result<u64, JournalError> {
    let mut copied = 0;
    for name in from.key_names().await? {
        to.put_key(&name, from.key(&name).await?).await?;
        copied += 1;
    }
    for name in from.value_names().await? {
        if let Some(value) = from.load(&name).await? {
            to.store(&name, Some(value)).await?;
            copied += 1;
        }
    }
    Ok(copied)
}

/// Refuses a journal that somebody uses: what they write would get between what is copied.
async fn refuse_in_use(to: &dyn JournalEngine) -> Result<(), JournalError> {
    if to.is_open_elsewhere().await? || to.is_watched().await? {
        return Err(JournalError::write(
            "another process has the journal open that is copied into: end it first",
        ));
    }
    Ok(())
}

fn check(found: &Verified, what: &str) -> Result<(), JournalError> {
    if let Some(flaw) = found.flaws.first() {
        let (seq, flaw) = (flaw.seq, &flaw.what);
        return Err(JournalError::damaged(format!(
            "{what} has a flaw at event {seq}: {flaw}"
        )));
    }
    match found.lost {
        Some(mark) => Err(JournalError::damaged(format!(
            "{what} once came to event {}, and does not hold it any more",
            mark.seq
        ))),
        None => Ok(()),
    }
}

/// What the target holds must be the beginning of what the source holds.
async fn check_same_start(
    from: &dyn JournalEngine,
    to: &dyn JournalEngine,
    found: u64,
) -> Result<(), JournalError> {
    if found == 0 {
        return Ok(());
    }
    let (source, there) = (event(from, found).await?, event(to, found).await?);
    if source.map(|event| event.hash) == there.map(|event| event.hash) {
        return Ok(());
    }
    Err(JournalError::write(format!(
        "the journal that is copied into holds {found} events that are not the first of the one that is \
         copied: name an empty one"
    )))
}

/// What the target holds has bodies that were pruned since: they would have to go there too.
fn refuse_pruned_since(events: &[StoredEvent], found: u64) -> Result<(), JournalError> {
    let earlier = |event: &StoredEvent| {
        event.kind == EventKind::Pruned.as_str()
            && pruned_from(event).is_some_and(|from| from <= found)
    };
    if events.iter().any(earlier) {
        return Err(JournalError::write(
            "the journal was pruned since its copy was begun, and the copy still holds what went: name an \
             empty one",
        ));
    }
    Ok(())
}

async fn event(journal: &dyn JournalEngine, seq: u64) -> Result<Option<StoredEvent>, JournalError> {
    let mut found = journal.stored_events(seq - 1, 1).await?;
    Ok(found.pop().filter(|event| event.seq == seq))
}
