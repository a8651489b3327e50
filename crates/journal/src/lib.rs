//! The durable record, and the meeting point of all processes.
//!
//! | module | holds |
//! |---|---|
//! | [`journal`], [`upkeep`] | the traits: [`Journal`] (what is acted on), [`Records`] (what people look up), [`Vault`] (what is private), [`Upkeep`] (the record as a whole) |
//! | [`mod@open`] | opening a journal by its address |
//! | [`mod@copy`], [`mod@prune`] | copying a journal into another, and removing what is old |
//! | [`sqlite`] | the engine: SQLite, in a file or in memory |
//! | [`mod@write`] | what can be committed, and what came of it |
//! | [`record`], [`event`] | what can be read back |
//! | [`search`], [`run_search`], [`stats`] | finding asks and runs, counting asks, for people |
//! | `seal` | sealing what is private, for engines whose tables others may read |
//! | [`rules`] | what another engine is written against: what each write does, the chain, verifying |
//!
//! The events are the record; the rows beside them only point at them, so that nothing is stored
//! twice and an edit of either shows.
//!
//! ```
//! use holdpoint_ask::{Ask, AskId, Origin};
//! use holdpoint_journal::{InClient, NewAsk, Write};
//! use std::sync::Arc;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), holdpoint_journal::JournalError> {
//! let journal = holdpoint_journal::open("memory:").await?;
//! let ask = Ask::confirm("Delete 5 artifacts?");
//! let new = NewAsk {
//!     id: AskId::new(),
//!     call: None,
//!     key: "001".into(),
//!     digest: ask.digest(),
//!     occurrence: 0,
//!     ask,
//!     origin: Origin::default(),
//!     opened_at: jiff::Timestamp::now(),
//!     deadline_at: None,
//!     epoch: 0,
//!     seal_to: None,
//!     in_client: InClient::NotShown,
//! };
//! let id = new.id;
//! journal.commit(vec![Write::OpenAsk(Arc::new(new))]).await?;
//! assert!(journal.ask(id).await?.is_some_and(|ask| ask.decision.is_none()));
//! assert!(journal.verify().await?.flaws.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! Nothing here knows MCP, HTTP or a terminal.
// Standard output belongs to the protocol, and a library has no terminal of its own.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)
)]
#![warn(missing_debug_implementations, unnameable_types)]
// What only engines of this crate share stays where it is also without one.
#![cfg_attr(not(feature = "sqlite"), allow(dead_code, unused_imports))]

pub mod copy;
pub mod error;
pub mod event;
pub mod journal;
#[cfg(feature = "sqlite")]
pub mod open;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod prune;
pub mod record;
pub mod rules;
pub mod run_search;
#[cfg(feature = "seal")]
pub mod seal;
pub mod search;
#[cfg(feature = "sqlite")]
pub mod sqlite;
pub mod stats;
#[cfg(feature = "testing")]
#[allow(missing_docs)] // A story's name says what it holds.
#[allow(clippy::unwrap_used)] // A story that cannot go on has failed.
pub mod testing;
pub mod upkeep;
pub mod write;

mod call_binding;
mod commit_counters;
mod event_text;
mod in_client;
#[cfg(feature = "sqlite")]
mod key_file;
mod odd;
mod other_kind;
mod page_seat;
mod shown_address;
#[cfg(feature = "sqlite")]
mod sidecar_files;
mod watcher;

pub use call_binding::CallBinding;
pub use copy::{Copied, copy};
pub use error::JournalError;
pub use event::{Event, EventKind, Flaw, Verified};
pub use in_client::InClient;
/// The crate of the moments and zones that are in records and searches.
pub use jiff;
pub use journal::{BoxFuture, Journal, JournalEngine, Records, Vault};
pub use odd::odd_events;
#[cfg(feature = "sqlite")]
pub use open::{open, open_read_only};
pub use page_seat::{PageSeat, Seat};
#[cfg(feature = "postgres")]
pub use postgres::PostgresJournal;
pub use prune::prune;
pub use record::{
    AskHistory, AskQuery, AskRecord, CallHistory, CallQuery, CallRecord, GrantRecord, GrantUse,
    StepRecord, StepState,
};
pub use run_search::{FoundRuns, RunSearch};
pub use search::{Found, Search, Status};
pub use shown_address::{address_has_password, shown_address};
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteJournal;
pub use stats::Stats;
pub use upkeep::{Condition, Over, OverCall, PruneBatch, StoredEvent, Upkeep};
pub use watcher::Watcher;
pub use write::{
    NewAsk, NewCall, Recorded, Redeemed, Settled, StepStart, TakeOver, Write, Written,
};
