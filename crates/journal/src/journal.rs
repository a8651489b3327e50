//! The seam between the desk and what keeps its record.

use crate::{
    AskHistory, AskQuery, AskRecord, CallHistory, CallQuery, CallRecord, Event, EventKind, Found,
    GrantRecord, Search, Stats, Verified, Write, Written,
};
use futures::future::BoxFuture;
use holdpoint_ask::{AskId, CallId, GrantId};
use jiff::tz::TimeZone;
use std::path::PathBuf;
use tokio::sync::watch;
use uuid::Uuid;

/// The durable record. Every method may be called from many tasks at once, and many processes may
/// hold the same record open.
pub trait Journal: Send + Sync + std::fmt::Debug + 'static {
    /// Applies a batch of writes in order, all or none; when it returns they are durable. A write
    /// whose condition does not hold is no fault: the answer in its place says so.
    ///
    /// The batch is queued before the first poll: a caller that need not wait may drop the future.
    fn commit(&self, batch: Vec<Write>) -> BoxFuture<'static, Result<Vec<Written>, JournalError>>;

    /// One ask.
    fn ask(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskRecord>, JournalError>>;

    /// Asks, newest first.
    fn asks(&self, query: AskQuery) -> BoxFuture<'_, Result<Vec<AskRecord>, JournalError>>;

    /// Asks that people look for, last opened first.
    fn search(&self, search: Search) -> BoxFuture<'_, Result<Found, JournalError>>;

    /// Counts over the asks that a search would find without its limit; hours and days are those
    /// of this zone.
    fn stats(&self, search: Search, zone: TimeZone) -> BoxFuture<'_, Result<Stats, JournalError>>;

    /// An ask with what happened around it.
    fn history(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskHistory>, JournalError>>;

    /// A call with its asks and steps.
    fn call(&self, id: CallId) -> BoxFuture<'_, Result<Option<CallHistory>, JournalError>>;

    /// Calls that people look for, newest first. Every call may have to be looked at.
    fn calls(&self, query: CallQuery) -> BoxFuture<'_, Result<Vec<CallRecord>, JournalError>>;

    /// One grant.
    fn grant(&self, id: GrantId) -> BoxFuture<'_, Result<Option<GrantRecord>, JournalError>>;

    /// Events behind `after`, oldest first, at most `limit`.
    fn events(&self, after: u64, limit: usize) -> BoxFuture<'_, Result<Vec<Event>, JournalError>>;

    /// The newest step of this name that has ended, in whatever call: the call, and what the step
    /// ended with. A flow keeps a state by recording it under a name of its own.
    fn latest_step(
        &self,
        name: &str,
    ) -> BoxFuture<'_, Result<Option<(CallId, serde_json::Value)>, JournalError>>;

    /// The place of the last event; 0 where there is none.
    fn head(&self) -> BoxFuture<'_, Result<u64, JournalError>>;

    /// Walks the chain, compares the asks with it, and says what is wrong.
    fn verify(&self) -> BoxFuture<'_, Result<Verified, JournalError>>;

    /// A counter that changes soon after *another* process has committed something. A process
    /// knows of its own commits already.
    fn foreign_commits(&self) -> watch::Receiver<u64>;

    /// A counter that changes at once after a commit of this process, and soon after one of
    /// another.
    fn commits(&self) -> watch::Receiver<u64>;

    /// How many asks are open.
    fn open_asks(&self) -> BoxFuture<'_, Result<u64, JournalError>>;

    /// The id under which this process owns calls here.
    fn owner(&self) -> Uuid;

    /// What was noted about who may answer, of these kinds, newest first, at most `limit`; see
    /// [`EventKind::is_guard`].
    fn guard_events(
        &self,
        kinds: &'static [EventKind],
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Event>, JournalError>>;

    /// The secrets of an answer that was given in another process, sealed to the flow that asked;
    /// see [`Write::SettleSealed`].
    fn parcel(&self, ask: AskId) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>>;

    /// Something small that was kept beside the record under this name, readable by its owner only.
    fn kept(&self, name: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>>;

    /// Keeps something small beside the record under this name, whole or not at all; none removes it.
    fn keep(&self, name: &str, what: Option<Vec<u8>>) -> BoxFuture<'_, Result<(), JournalError>>;

    /// A folder of this name beside the record, readable by its owner only, made where it is
    /// missing; none where the record lies in no folder.
    fn folder(&self, name: &str) -> BoxFuture<'_, Result<Option<PathBuf>, JournalError>>;

    /// A key that belongs to this journal and outlives the process, made on first use. It is kept
    /// beside the record, readable by its owner only, never in it.
    fn key(&self, name: &str) -> BoxFuture<'_, Result<[u8; 32], JournalError>>;
}

/// Why the record could not be read or written. Nothing of the batch took effect.
#[derive(Debug, Clone, thiserror::Error)]
pub enum JournalError {
    /// It cannot be opened.
    #[error("cannot open the journal at {place}: {what}")]
    Open {
        /// Where it is.
        place: String,
        /// What is wrong, and what to do.
        what: String,
    },
    /// A newer Holdpoint wrote it.
    #[error(
        "the journal at {place} has schema version {found}, and this Holdpoint knows versions up to {known}: use the newer Holdpoint that wrote it. The file was not changed"
    )]
    Newer {
        /// Where it is.
        place: String,
        /// The version of the file.
        found: u32,
        /// The newest version that is known here.
        known: u32,
    },
    /// A write did not become durable.
    #[error("cannot write to the journal: {0}")]
    Write(String),
    /// A read failed.
    #[error("cannot read the journal: {0}")]
    Read(String),
    /// A row does not hold what it should.
    #[error("the journal is damaged: {0}")]
    Damaged(String),
    /// It was closed.
    #[error("the journal is closed")]
    Closed,
}
