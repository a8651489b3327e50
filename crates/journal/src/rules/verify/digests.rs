//! Checking that each ask's digest is its own. That is a third of the work of a verification, so a
//! second thread does it where there are many asks.

use super::facts;
use holdpoint_ask::Digest;
use std::{
    mem, panic,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

/// How many asks are handed over at once.
const CHUNK: usize = 256;

/// How many chunks may wait, so that a long chain is not held in memory.
const WAITING: usize = 16;

/// The digests that are still to be checked.
#[derive(Debug, Default)]
pub(super) struct Digests {
    chunk: Vec<Claimed>,
    helper: Option<Helper>,
}

/// An ask as JSON, with the digest that it is said to have.
#[derive(Debug)]
struct Claimed {
    seq: u64,
    digest: Digest,
    ask: String,
}

#[derive(Debug)]
struct Helper {
    queue: SyncSender<Vec<Claimed>>,
    thread: JoinHandle<Vec<u64>>,
}

impl Digests {
    /// Takes the next ask.
    pub fn push(&mut self, seq: u64, digest: Digest, ask: &str) {
        let ask = ask.to_owned();
        self.chunk.push(Claimed { seq, digest, ask });
        if self.chunk.len() == CHUNK {
            let helper = self.helper.get_or_insert_with(Helper::start);
            // A helper that has ended has panicked, which `finish` passes on.
            let _ = helper.queue.send(mem::take(&mut self.chunk));
        }
    }

    /// The events whose asks have another digest.
    pub fn finish(self) -> Vec<u64> {
        let last = wrong(self.chunk);
        let Some(Helper { queue, thread }) = self.helper else {
            return last.collect();
        };
        drop(queue);
        let mut found = thread
            .join()
            .unwrap_or_else(|panic| panic::resume_unwind(panic));
        found.extend(last);
        found
    }
}

impl Helper {
    fn start() -> Self {
        let (queue, chunks): (_, Receiver<Vec<Claimed>>) = sync_channel(WAITING);
        let thread = thread::spawn(move || chunks.into_iter().flat_map(wrong).collect());
        Self { queue, thread }
    }
}

fn wrong(chunk: Vec<Claimed>) -> impl Iterator<Item = u64> {
    let wrong = |claimed: &Claimed| facts::digest_of(&claimed.ask) != Some(claimed.digest);
    chunk.into_iter().filter(wrong).map(|claimed| claimed.seq)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_digest_is_found_in_every_chunk() {
        for count in [0, 1, CHUNK as u64, 3 * CHUNK as u64 + 7] {
            let mut digests = Digests::default();
            for seq in 1..=count {
                let ask = format!(r#"{{"message": "{seq}"}}"#);
                let right = facts::digest_of(&ask).unwrap();
                let wrong = Digest::hash_bytes(ask.as_bytes());
                digests.push(seq, if seq % 100 == 1 { wrong } else { right }, &ask);
            }
            let expected: Vec<_> = (1..=count).filter(|seq| seq % 100 == 1).collect();
            assert_eq!(digests.finish(), expected);
        }
    }
}
