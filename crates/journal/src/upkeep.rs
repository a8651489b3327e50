//! The fourth trait of a journal: what is done with the record as a whole. It is copied, pruned and looked
//! over here; [`copy()`](crate::copy()) and [`prune()`](crate::prune()) do it for any engine.

use crate::{BoxFuture, Event, JournalError, rules::Link};
use holdpoint_ask::{AskId, CallId, Digest};
use jiff::Timestamp;
use std::fmt::Debug;

/// What is done with the record as a whole.
pub trait Upkeep: Debug + Send + Sync + 'static {
    /// Reads events behind `after` as they are stored, oldest first, at most `limit`.
    fn stored_events(
        &self,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredEvent>, JournalError>>;

    /// Adds events of another journal as they stand there, all or none, and makes the rows that they
    /// speak of; see [`rules::replay`](crate::rules::replay()). They must follow the last event of this journal.
    fn import(&self, events: Vec<StoredEvent>) -> BoxFuture<'_, Result<(), JournalError>>;

    /// The names of all keys that were made.
    fn key_names(&self) -> BoxFuture<'_, Result<Vec<String>, JournalError>>;

    /// Sets a key of another journal, in the place of the own one of this name.
    fn put_key(&self, name: &str, key: [u8; 32]) -> BoxFuture<'_, Result<(), JournalError>>;

    /// The names of all private values, however many parts they have.
    fn value_names(&self) -> BoxFuture<'_, Result<Vec<String>, JournalError>>;

    /// Removes the bodies of what is over and records that, all or none; see
    /// [`rules::prune`](crate::rules::prune()). Programs that know nothing of pruning are locked out with it.
    /// Gives how many bodies went.
    fn prune_batch(&self, batch: PruneBatch) -> BoxFuture<'_, Result<u64, JournalError>>;

    /// The event that says what was pruned last; none where nothing was.
    fn last_pruned(&self) -> BoxFuture<'_, Result<Option<Event>, JournalError>>;

    /// Gives the space of what was removed back, and removes what was derived from it. Whether the record
    /// takes less space then: not while another process has it open.
    fn free_space(&self) -> BoxFuture<'_, Result<bool, JournalError>>;

    /// What keeps the record, and who may write it.
    fn condition(&self) -> BoxFuture<'_, Result<Condition, JournalError>>;

    /// Whether another process has this journal open to write to it.
    fn is_open_elsewhere(&self) -> BoxFuture<'_, Result<bool, JournalError>>;
}

/// An event as it is stored, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its number.
    pub seq: u64,
    /// When, in milliseconds.
    pub at: i64,
    /// The word of its kind, whether it is known here or not.
    pub kind: String,
    /// The call that it is about.
    pub call: Option<CallId>,
    /// The ask that it is about.
    pub ask: Option<AskId>,
    /// The rest, as JSON; or which event says that it was pruned, see
    /// [`Link::pruned_by`](crate::rules::Link::pruned_by).
    pub body: String,
    /// The hash over this event and the hash before it.
    pub hash: Digest,
}

impl StoredEvent {
    /// As the rules take it.
    pub fn link(&self) -> Link<'_> {
        Link {
            seq: self.seq,
            at: self.at,
            kind: &self.kind,
            call: self.call.as_ref().map(|id| id.as_bytes().as_slice()),
            ask: self.ask.as_ref().map(|id| id.as_bytes().as_slice()),
            body: &self.body,
        }
    }
}

/// What keeps a record.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Condition {
    /// The database, with its version.
    pub engine: String,
    /// The version of the schema that the record has.
    pub version: u32,
    /// The lowest version of the schema that a program must know to use the record.
    pub lowest: u32,
    /// How many bytes it takes, with its log; none where that is not known.
    pub bytes: Option<u64>,
    /// Up to which event searches have an index; none where there is none beside the record.
    pub indexed: Option<u64>,
}

impl Condition {
    /// A record that this database keeps.
    pub fn new(engine: impl Into<String>, version: u32, lowest: u32) -> Self {
        Self {
            engine: engine.into(),
            version,
            lowest,
            bytes: None,
            indexed: None,
        }
    }
}

/// What is pruned in one transaction.
#[derive(Debug, Clone)]
pub struct PruneBatch {
    /// What is over.
    pub over: Vec<Over>,
    /// Who wants it.
    pub by: String,
    /// What is older than this is pruned.
    pub before: Timestamp,
    /// When.
    pub at: Timestamp,
}

/// A call with its asks, or an ask from a shell, that is over: nobody acts on it any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Over {
    /// The call; none for an ask from a shell.
    pub call: Option<OverCall>,
    /// The asks, all of them decided.
    pub asks: Vec<AskId>,
    /// The events whose bodies go, in order.
    pub events: Vec<u64>,
}

/// A call that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverCall {
    /// Its id.
    pub id: CallId,
    /// The epoch that it came to.
    pub epoch: u64,
    /// The steps that go, by name and occurrence.
    pub steps: Vec<(String, u32)>,
    /// Whether the call itself stays, because one of its steps holds the newest state of its name.
    pub stays: bool,
}
