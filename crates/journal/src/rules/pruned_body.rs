//! What stands in the place of a body that was pruned. No JSON reads like it.

use super::chain::{Head, Link};
use crate::StoredEvent;
use holdpoint_ask::Digest;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;

const PREFIX: &str = "pruned by ";

/// What stands in the place of a body that the event of this number says was pruned.
pub fn pruned_body(by: u64) -> String {
    format!("{PREFIX}{by}")
}

impl Link<'_> {
    /// The number of the event that says that the body was pruned; none where the body is there.
    pub fn pruned_by(&self) -> Option<u64> {
        self.body.strip_prefix(PREFIX)?.parse().ok()
    }
}

/// The body of the event that says which bodies were pruned.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Pruned<'a> {
    pub by: Cow<'a, str>,
    /// In milliseconds: what was older than this.
    pub before: i64,
    #[serde(flatten)]
    pub set: PrunedSet,
}

/// The first event whose body this event says was pruned; none where it says nothing of the kind.
pub(crate) fn pruned_from(event: &StoredEvent) -> Option<u64> {
    let said: Pruned<'_> = serde_json::from_str(&event.body).ok()?;
    Some(said.set.from)
}

/// Events whose bodies were pruned: their range, and the digest of their numbers and hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PrunedSet {
    pub from: u64,
    pub to: u64,
    pub events: u64,
    pub digest: Digest,
}

/// Takes the events of a set in order.
#[derive(Debug, Default)]
pub(crate) struct SetHasher {
    range: Option<(u64, u64)>,
    events: u64,
    hash: Sha256,
}

impl SetHasher {
    pub fn push(&mut self, event: Head) {
        let first = self.range.map_or(event.seq, |(first, _)| first);
        self.range = Some((first, event.seq));
        self.events += 1;
        self.hash.update(event.seq.to_be_bytes());
        self.hash.update(event.hash.as_bytes());
    }

    /// None where there was no event.
    pub fn finish(self) -> Option<PrunedSet> {
        let (from, to) = self.range?;
        Some(PrunedSet {
            from,
            to,
            events: self.events,
            digest: Digest::from_bytes(self.hash.finalize().into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_body_is_no_json_and_names_its_event() {
        let link = |body| Link {
            seq: 1,
            at: 0,
            kind: "asked",
            call: None,
            ask: None,
            body,
        };
        let text = pruned_body(42);
        assert_eq!(link(&text).pruned_by(), Some(42));
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_err());
        for body in ["", "{}", "pruned by ", "pruned by x", r#""pruned by 1""#] {
            assert_eq!(link(body).pruned_by(), None, "{body}");
        }
    }
}
