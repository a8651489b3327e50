//! The chain: every event holds the hash of the one before it.

use crate::EventKind;
use holdpoint_ask::{AskId, CallId, Digest};
use sha2::{Digest as _, Sha256};

/// The last event of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Its number; 0 where there is no event yet.
    pub seq: u64,
    /// Its hash.
    pub hash: Digest,
}

/// An event to be added to the chain.
#[derive(Debug)]
pub struct Entry<'a> {
    /// When, in milliseconds.
    pub at: i64,
    /// What happened.
    pub kind: EventKind,
    /// The call that it is about.
    pub call: Option<CallId>,
    /// The ask that it is about.
    pub ask: Option<AskId>,
    /// The rest, as JSON.
    pub body: &'a str,
}

/// An event as it is stored, before anything in it is believed.
#[derive(Debug, Clone, Copy)]
pub struct Link<'a> {
    /// Its number.
    pub seq: u64,
    /// When, in milliseconds.
    pub at: i64,
    /// What happened.
    pub kind: &'a str,
    /// The call that it is about.
    pub call: Option<&'a [u8]>,
    /// The ask that it is about.
    pub ask: Option<&'a [u8]>,
    /// The rest, as JSON.
    pub body: &'a str,
}

impl Head {
    /// The head of a chain without events.
    pub fn start() -> Self {
        Self {
            seq: 0,
            hash: Digest::from_bytes([0; 32]),
        }
    }

    /// The head once this entry is added.
    pub fn then(&self, entry: &Entry<'_>) -> Self {
        let seq = self.seq + 1;
        let hash = self.hash_with(&Link {
            seq,
            at: entry.at,
            kind: entry.kind.as_str(),
            call: entry.call.as_ref().map(|id| id.as_bytes().as_slice()),
            ask: entry.ask.as_ref().map(|id| id.as_bytes().as_slice()),
            body: entry.body,
        });
        Self { seq, hash }
    }

    /// The hash of an event that follows this head. Numbers have a fixed width and texts their
    /// length before them (all ones where there is none), so that no two events have the same
    /// encoding. The body is hashed as it is stored, byte for byte.
    pub fn hash_with(&self, link: &Link<'_>) -> Digest {
        let mut hash = Sha256::new();
        hash.update(self.hash.as_bytes());
        hash.update(link.seq.to_be_bytes());
        hash.update(link.at.to_be_bytes());
        for part in [
            Some(link.kind.as_bytes()),
            link.call,
            link.ask,
            Some(link.body.as_bytes()),
        ] {
            let length = part.map_or(u64::MAX, |part| part.len() as u64);
            hash.update(length.to_be_bytes());
            hash.update(part.unwrap_or_default());
        }
        Digest::from_bytes(hash.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: Link<'_> = Link {
        seq: 1,
        at: 7,
        kind: "decided",
        call: None,
        ask: Some(&[1; 16]),
        body: "{}",
    };

    #[test]
    fn every_part_is_in_the_hash() {
        let head = Head::start();
        let hash = head.hash_with(&LINK);
        for other in [
            Link { seq: 2, ..LINK },
            Link { at: 8, ..LINK },
            Link {
                kind: "decide",
                body: "d{}",
                ..LINK
            },
            Link {
                call: LINK.ask,
                ask: None,
                ..LINK
            },
            Link {
                ask: Some(&[2; 16]),
                ..LINK
            },
            Link {
                call: Some(&[]),
                ..LINK
            },
            Link {
                body: "{ }",
                ..LINK
            },
        ] {
            assert_ne!(head.hash_with(&other), hash, "{other:?}");
        }
        let later = Head { seq: 1, hash };
        assert_ne!(later.hash_with(&LINK), hash);
    }

    #[test]
    fn the_hash_of_a_known_event_stays_what_it_was() {
        assert_eq!(
            Head::start().hash_with(&LINK).to_string(),
            "744acb0bf39478bed75a069190f546d20ca67a5d805a5e81525db983ba53445d"
        );
    }
}
