//! Three of a journal's traits: what is acted on, what people look up, and what is private. The fourth is
//! [`Upkeep`], for the record as a whole.
//!
//! They are the boundary between the desk and whatever keeps its record. Every method may be called
//! from many tasks at once, and many processes may have the same record open.

use crate::{
    AskHistory, AskQuery, AskRecord, CallBinding, CallHistory, CallQuery, CallRecord, Event,
    EventKind, Found, FoundRuns, GrantRecord, JournalError, PageSeat, RunSearch, Search, Stats,
    Upkeep, Verified, Watcher, Write, Written, rules::check_name,
};
use holdpoint_ask::{AskId, CallId, GrantId};
use jiff::{SignedDuration, tz::TimeZone};
use serde_json::Value;
use std::{fmt::Debug, future::ready, path::PathBuf, pin::Pin};
use tokio::sync::watch;
use uuid::Uuid;

/// A future in a box, so that a trait with it can be an object. It is the same type as that of this name in
/// the crate `futures`, which nobody needs for it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The record that is acted on.
pub trait Journal: Debug + Send + Sync + 'static {
    /// Applies a batch of writes in order, all or none; when it returns they are durable. A write
    /// whose condition does not hold is not an error: the answer in its place says so.
    ///
    /// The batch is queued before the first poll: a caller that need not wait may drop the future.
    fn commit(&self, batch: Vec<Write>) -> BoxFuture<'static, Result<Vec<Written>, JournalError>>;

    /// Reads one ask.
    fn ask(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskRecord>, JournalError>>;

    /// Reads asks, newest first.
    fn asks(&self, query: AskQuery) -> BoxFuture<'_, Result<Vec<AskRecord>, JournalError>>;

    /// Counts the open asks.
    fn open_asks(&self) -> BoxFuture<'_, Result<u64, JournalError>>;

    /// Reads a call with its asks and steps.
    fn call(&self, id: CallId) -> BoxFuture<'_, Result<Option<CallHistory>, JournalError>>;

    /// Finds the calls of other processes that were called just like this and have no result, newest
    /// first, at most 16. Whether those processes are gone is not said.
    fn unfinished_calls(
        &self,
        binding: CallBinding,
    ) -> BoxFuture<'_, Result<Vec<CallId>, JournalError>>;

    /// Reads the newest step of this name that has ended, in whatever call of this server: the call,
    /// and what the step ended with. A flow keeps a state by recording it under a name of its own; what
    /// another server recorded under the same name is another state.
    fn latest_step(
        &self,
        name: &str,
        server: Option<&str>,
    ) -> BoxFuture<'_, Result<Option<(CallId, Value)>, JournalError>>;

    /// Reads the newest step of each name that begins so and has ended, in whatever call of this server:
    /// the name, and what the step ended with, by name. See [`Self::latest_step`].
    fn latest_steps(
        &self,
        prefix: &str,
        server: Option<&str>,
    ) -> BoxFuture<'_, Result<Vec<(String, Value)>, JournalError>>;

    /// Reads one grant.
    fn grant(&self, id: GrantId) -> BoxFuture<'_, Result<Option<GrantRecord>, JournalError>>;

    /// Reads the grants of this purpose that were not used up, newest first, expired or not.
    fn unused_grants(&self, purpose: &str)
    -> BoxFuture<'_, Result<Vec<GrantRecord>, JournalError>>;

    /// Reads events behind `after`, oldest first, at most `limit`.
    fn events(&self, after: u64, limit: usize) -> BoxFuture<'_, Result<Vec<Event>, JournalError>>;

    /// Reads what was noted about who may answer, of these kinds, newest first, at most `limit`; see
    /// [`EventKind::is_guard`].
    fn guard_events(
        &self,
        kinds: &'static [EventKind],
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Event>, JournalError>>;

    /// The number of the last event; 0 where there is none.
    fn head(&self) -> BoxFuture<'_, Result<u64, JournalError>>;

    /// A counter that changes at once after a commit of this process, and soon after one of
    /// another.
    fn commits(&self) -> watch::Receiver<u64>;

    /// A counter that changes soon after *another* process has committed something. A process
    /// knows of its own commits already.
    fn foreign_commits(&self) -> watch::Receiver<u64>;

    /// By how much the record's clock is ahead of this machine's. Where several machines share a record, all
    /// go by one clock, so that none of them ends an ask early or takes a grant that has run out.
    fn clock_offset(&self) -> SignedDuration {
        SignedDuration::ZERO
    }

    /// The id under which this process owns calls here.
    fn owner(&self) -> Uuid;

    /// Whether the process that owns calls under this id is alive.
    fn is_alive(&self, owner: Uuid) -> BoxFuture<'_, Result<bool, JournalError>>;

    /// Announces that an inbox of this process, a page or a list in a terminal, watches this journal:
    /// whoever asks over it, in whatever process, can leave an ask there. It ends when what this gives
    /// is dropped, and with the process, however that ends. It is not on record.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), holdpoint_journal::JournalError> {
    /// let journal = holdpoint_journal::open("memory:").await?;
    /// let watcher = journal.watch().await?;
    /// assert!(journal.is_watched().await?);
    /// drop(watcher);
    /// assert!(!journal.is_watched().await?);
    /// # Ok(())
    /// # }
    /// ```
    fn watch(&self) -> BoxFuture<'_, Result<Watcher, JournalError>>;

    /// Whether an inbox of any process watches this journal now. It is cheap, above all where none
    /// ever did, and nothing tells when it changes: ask when it matters.
    fn is_watched(&self) -> BoxFuture<'_, Result<bool, JournalError>>;

    /// Takes the place of the process that hosts the page of this record, where there can be one only: the
    /// record lies on one machine, and whoever has it open shares that page. Elsewhere every process may host
    /// it, as this says by itself.
    fn page_seat(&self) -> BoxFuture<'_, Result<PageSeat, JournalError>> {
        Box::pin(ready(Ok(PageSeat::Free)))
    }
}

/// What people look up in the record. Nothing acts on it.
pub trait Records: Debug + Send + Sync + 'static {
    /// Finds asks, last opened first.
    fn search(&self, search: Search) -> BoxFuture<'_, Result<Found, JournalError>>;

    /// Counts the asks that a search would find without its limit; hours and days are those of this
    /// zone.
    fn stats(&self, search: Search, zone: TimeZone) -> BoxFuture<'_, Result<Stats, JournalError>>;

    /// Reads an ask with what happened around it.
    fn history(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskHistory>, JournalError>>;

    /// Finds runs of scripts, last begun first.
    fn runs(&self, search: RunSearch) -> BoxFuture<'_, Result<FoundRuns, JournalError>>;

    /// Finds calls, newest first. Every call may have to be read.
    fn calls(&self, query: CallQuery) -> BoxFuture<'_, Result<Vec<CallRecord>, JournalError>>;

    /// Walks the chain of events, compares the rows with it, and says what is wrong.
    fn verify(&self) -> BoxFuture<'_, Result<Verified, JournalError>>;
}

/// What belongs to the journal and is never in its events: keys, private values, sealed secrets.
/// Only the owner of the journal can read it.
pub trait Vault: Debug + Send + Sync + 'static {
    /// A key that belongs to this journal and outlives the process, made on first use.
    fn key(&self, name: &str) -> BoxFuture<'_, Result<[u8; 32], JournalError>>;

    /// Reads the private value of this name: `pin`, `tokens/phone`. It may have some megabytes.
    fn load(&self, name: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>>;

    /// Writes the private value of this name, whole or not at all; none removes it.
    fn store(&self, name: &str, value: Option<Vec<u8>>) -> BoxFuture<'_, Result<(), JournalError>>;

    /// Writes the private value of this name where there is none, whole or not at all; false where there is
    /// one, which stays. Of several processes that do this at once, one is told true.
    fn create(&self, name: &str, value: Vec<u8>) -> BoxFuture<'_, Result<bool, JournalError>>;

    /// The names of the private values right below this one, in order: below `tokens`, `tokens/phone` is one
    /// and `tokens/old/phone` is not.
    fn names(&self, below: &str) -> BoxFuture<'_, Result<Vec<String>, JournalError>>;

    /// Where the private value of this name can be read as a file by the owner's own programs; none where it
    /// is not a file of its own. It need not be there.
    fn file(&self, name: &str) -> BoxFuture<'_, Result<Option<PathBuf>, JournalError>> {
        Box::pin(ready(check_name(name).map(|()| None)))
    }

    /// Reads the secrets of an answer that was given in another process, sealed to the flow that
    /// asked; see [`Write::SettleSealed`].
    fn parcel(&self, ask: AskId) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>>;
}

/// All of a journal: what [`open`](crate::open()) returns.
pub trait JournalEngine: Journal + Records + Vault + Upkeep {}

impl<T: Journal + Records + Vault + Upkeep> JournalEngine for T {}
