//! The durable record, and the meeting point of all processes.
//!
//! | module | holds |
//! |---|---|
//! | [`journal`] | the [`Journal`] trait: commit, read, wait |
//! | [`write`] | what can be committed, and what came of it |
//! | [`record`] | what can be read back |
//! | [`event`] | the hash-chained events and how they are checked |
//!
//! Nothing here knows MCP, HTTP or a terminal.

pub mod event;
pub mod journal;
pub mod record;
pub mod write;

pub use event::{Event, EventKind, Flaw, Verified};
pub use journal::{Journal, JournalError};
pub use record::{
    AskQuery, AskRecord, CallHistory, CallRecord, GrantRecord, StepRecord, StepState,
};
pub use write::{NewAsk, NewCall, Redeemed, Settled, StepStart, TakeOver, Write, Written};
