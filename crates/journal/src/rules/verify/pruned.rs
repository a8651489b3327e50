//! Bodies that are not there: an event behind them must say that exactly they were pruned.

use crate::rules::{
    chain::{Head, Link},
    pruned_body::{Pruned, SetHasher},
};
use std::collections::BTreeMap;

/// The bodies that are missing, by the event that is to explain it.
#[derive(Debug, Default)]
pub(super) struct PrunedBodies {
    missing: BTreeMap<u64, (u64, SetHasher)>,
    count: u64,
}

impl PrunedBodies {
    /// The body of this event is not there, and the event `by` is to say why.
    pub fn missing(&mut self, by: u64, event: Head) {
        self.count += 1;
        let (_, set) = self
            .missing
            .entry(by)
            .or_insert((event.seq, SetHasher::default()));
        set.push(event);
    }

    /// How many are missing.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Compares what an event says was pruned with what is missing.
    pub fn explained(&mut self, link: &Link<'_>) -> Option<&'static str> {
        if link.kind != "pruned" {
            return None;
        }
        let missing = self.missing.remove(&link.seq);
        let missing = missing.and_then(|(_, set)| set.finish());
        match serde_json::from_str::<Pruned<'_>>(link.body) {
            Err(_) => Some("it does not hold what an event of its kind must"),
            Ok(said) if Some(said.set) != missing => {
                Some("the bodies that it says were pruned are not those that are missing")
            }
            Ok(_) => None,
        }
    }

    /// The first event of each set that no event explains.
    pub fn finish(self) -> impl Iterator<Item = (u64, String)> {
        self.missing.into_iter().map(|(by, (first, _))| {
            let what =
                format!("its body is missing, and event {by} does not say that it was pruned");
            (first, what)
        })
    }
}
