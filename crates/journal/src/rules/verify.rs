//! The walk over the chain, and the comparison of the rows with it.
//!
//! Events come in order, one at a time, and little is held in memory: a row that says something which
//! its events so far did not say is a *claim*, and waits for the event that confirms it. A claim that
//! is left at the end is a flaw.

use super::{
    chain::{Head, Link},
    rows::{AskRow, CallRow, StepRow},
};
use crate::{Flaw, GrantRecord, JournalError, Verified};
use digests::Digests;
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::{AskId, CallId, Digest, GrantId};
use pruned::PrunedBodies;
use std::collections::HashMap;
use subject::{Aspect, Subject, Value};

mod compare;
mod digests;
mod facts;
mod pruned;
mod subject;

/// How many flaws are reported at most; more would say nothing new.
const MAX_FLAWS: usize = 100;

/// The rows that are compared with the events.
pub trait RowSource {
    /// Reads a call.
    fn call(&mut self, id: CallId) -> Result<Option<CallRow>, JournalError>;
    /// Reads an ask.
    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>, JournalError>;
    /// Reads a step.
    fn step(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
    ) -> Result<Option<StepRow>, JournalError>;
    /// Reads a grant.
    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>, JournalError>;
    /// Counts the rows.
    fn counts(&mut self) -> Result<RowCounts, JournalError>;
    /// Names the rows that no event with a body opened. It is slow, and is called only when the counts
    /// differ.
    fn strays(&mut self) -> Result<Vec<String>, JournalError>;
}

/// How many rows there are.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// Of calls.
    pub calls: u64,
    /// Of asks.
    pub asks: u64,
    /// Of steps.
    pub steps: u64,
    /// Of grants.
    pub grants: u64,
}

/// A walk over the chain: takes every event in order, and then says what is wrong.
#[derive(Debug)]
pub struct Verifier<R> {
    rows: R,
    head: Head,
    events: u64,
    seen: RowCounts,
    claims: HashMap<(Subject, Aspect), Claim>,
    digests: Digests,
    pruned: PrunedBodies,
    flaws: Vec<Flaw>,
}

/// What a row says, and the last event that said otherwise.
#[derive(Debug)]
struct Claim {
    seq: u64,
    row: Value,
    event: Value,
}

impl<R: RowSource> Verifier<R> {
    /// Starts at the beginning of the chain.
    pub fn new(rows: R) -> Self {
        Self {
            rows,
            head: Head::start(),
            events: 0,
            seen: RowCounts::default(),
            claims: HashMap::new(),
            digests: Digests::default(),
            pruned: PrunedBodies::default(),
            flaws: Vec::new(),
        }
    }

    /// The rows, for an engine that fetches those of the next few events together.
    pub fn rows_mut(&mut self) -> &mut R {
        &mut self.rows
    }

    /// Takes the next event, with the hash that is stored with it.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub fn event(&mut self, link: &Link<'_>, hash: Digest) -> Result<(), JournalError> {
        self.events += 1;
        let pruned_by = link.pruned_by();
        if link.seq != self.head.seq + 1 {
            self.flaw(link.seq, format!("event {} is missing", self.head.seq + 1));
        } else if pruned_by.is_none() && self.head.hash_with(link) != hash {
            self.flaw(
                link.seq,
                "its hash does not fit: it, or its hash, was changed",
            );
        }
        // Go on from the hash that stands there, so that one edit is one flaw.
        self.head = Head {
            seq: link.seq,
            hash,
        };
        if let Some(by) = pruned_by {
            // It has no row any more either.
            self.pruned.missing(by, self.head);
            return Ok(());
        }
        if let Some(what) = self.pruned.explained(link) {
            self.flaw(link.seq, what);
        }
        if self.flaws.len() < MAX_FLAWS && self.compare(link)?.is_none() {
            self.flaw(link.seq, "it does not hold what an event of its kind must");
        }
        Ok(())
    }

    /// Takes an event whose columns cannot be read.
    pub fn unreadable(&mut self, seq: u64) {
        self.events += 1;
        self.flaw(seq, "its columns do not hold what they should");
        self.head.seq = seq;
    }

    /// Says what the walk found.
    ///
    /// # Errors
    /// When the rows cannot be read.
    pub fn finish(mut self) -> Result<Verified, JournalError> {
        let mut claims: Vec<_> = self.claims.drain().collect();
        claims.sort_by_key(|(_, claim)| claim.seq);
        for ((subject, aspect), claim) in claims {
            let (row, event) = (claim.row, claim.event);
            self.flaw(
                claim.seq,
                format!("{subject}: {aspect} is {row} in its row and {event} in its events"),
            );
        }
        for seq in std::mem::take(&mut self.digests).finish() {
            self.flaw(seq, "its digest is not that of what was asked");
        }
        let pruned = self.pruned.count();
        for (seq, what) in std::mem::take(&mut self.pruned).finish() {
            self.flaw(seq, what);
        }
        self.flaws.sort_by_key(|flaw| flaw.seq);
        if self.rows.counts()? != self.seen {
            for stray in self.rows.strays()? {
                self.flaw(0, format!("{stray} has a row, but no event opened it"));
            }
        }
        Ok(Verified {
            events: self.events,
            head: (self.events > 0).then_some(self.head.hash),
            flaws: self.flaws,
            lost: None,
            pruned,
        })
    }

    /// The first event of a row says this of an aspect of it.
    fn claim(
        &mut self,
        link: &Link<'_>,
        subject: &Subject,
        aspect: Aspect,
        row: Value,
        event: Value,
    ) {
        if row != event {
            let seq = link.seq;
            self.claims
                .insert((subject.clone(), aspect), Claim { seq, row, event });
        }
    }

    /// A later event says this of an aspect of a row.
    fn later(
        &mut self,
        link: &Link<'_>,
        subject: Subject,
        aspect: Aspect,
        event: Value,
        read: impl FnOnce(&mut R) -> Result<Option<Value>, JournalError>,
    ) -> Result<Option<()>, JournalError> {
        let key = (subject, aspect);
        let row = match self.claims.remove(&key) {
            Some(claim) => claim.row,
            None => {
                let row = read(&mut self.rows);
                match self.found(link, &key.0, row)? {
                    Some(row) => row,
                    None => return Ok(Some(())),
                }
            }
        };
        self.claim(link, &key.0, aspect, row, event);
        Ok(Some(()))
    }

    fn same(&mut self, link: &Link<'_>, subject: &Subject, same: bool) {
        if !same {
            self.flaw(
                link.seq,
                format!("{subject}: its row differs from this event"),
            );
        }
    }

    /// The row that was looked up; a flaw where there is none, or none that can be read.
    fn found<T>(
        &mut self,
        link: &Link<'_>,
        subject: &Subject,
        row: Result<Option<T>, JournalError>,
    ) -> Result<Option<T>, JournalError> {
        match row {
            Ok(None) => self.flaw(link.seq, format!("{subject} has this event, but no row")),
            Err(error @ JournalError::Damaged { .. }) => {
                let what = error_chain(&error);
                self.flaw(
                    link.seq,
                    format!("{subject}: its row cannot be read: {what}"),
                );
            }
            row => return row,
        }
        Ok(None)
    }

    fn flaw(&mut self, seq: u64, what: impl Into<String>) {
        if self.flaws.len() < MAX_FLAWS {
            let what = what.into();
            self.flaws.push(Flaw { seq, what });
        }
    }
}
