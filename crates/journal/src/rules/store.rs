//! What an engine offers to the rules while a transaction is open.

use super::{
    chain::{Entry, Head},
    rows::{AskRow, CallRow, StepRow},
};
use crate::{EventKind, GrantRecord, JournalError, StoredEvent};
use holdpoint_ask::{AskId, CallId, GrantId};
use jiff::Timestamp;
use uuid::Uuid;

/// What an engine can do within one transaction. [`apply`](super::apply()) checks every condition; a store refuses
/// only what it cannot keep: an id that exists already, a call or an ask that does not exist.
///
/// The methods block. An engine calls `apply` on a thread that may wait, as SQLite's does.
/// Times are in milliseconds.
pub trait Store {
    /// Adds an event to the chain and returns its number.
    fn append(&mut self, entry: Entry<'_>) -> Result<u64, JournalError>;
    /// Adds an event of another journal to the chain, as it is stored there. That it follows is checked.
    fn append_stored(&mut self, event: &StoredEvent) -> Result<(), JournalError>;
    /// The numbers and hashes of those of these events whose bodies are there, in order.
    fn hashes_of_bodies(&mut self, seqs: &[u64]) -> Result<Vec<Head>, JournalError>;
    /// Puts [`pruned_body`](super::pruned_body()) in the place of these bodies.
    fn drop_bodies(&mut self, seqs: &[u64], by: u64) -> Result<(), JournalError>;
    /// Reads the body of an event, if it is of this kind.
    fn body(&mut self, seq: u64, kind: EventKind) -> Result<Option<String>, JournalError>;

    /// The number of the last event about the PIN; 0 where there is none.
    fn last_pin_event(&mut self) -> Result<u64, JournalError>;

    /// Reads a call.
    fn call(&mut self, id: CallId) -> Result<Option<CallRow>, JournalError>;
    /// Adds a call.
    fn insert_call(&mut self, row: CallRow) -> Result<(), JournalError>;
    /// Gives a call another owner, at another epoch.
    fn set_owner(&mut self, id: CallId, owner: Uuid, epoch: u64) -> Result<(), JournalError>;
    /// Points a call at the event that ended it.
    fn set_finished(&mut self, id: CallId, seq: u64) -> Result<(), JournalError>;

    /// Removes a call whose steps and asks are gone.
    fn remove_call(&mut self, id: CallId) -> Result<(), JournalError>;

    /// Reads an ask.
    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>, JournalError>;
    /// Adds an ask.
    fn insert_ask(&mut self, row: AskRow) -> Result<(), JournalError>;
    /// Sets how many replies were invalid, and points the ask at the event of the last one.
    fn set_refused(&mut self, id: AskId, refusals: u32, seq: u64) -> Result<(), JournalError>;
    /// Moves the deadline of an ask.
    fn set_deadline(&mut self, id: AskId, at: Option<i64>) -> Result<(), JournalError>;
    /// Points an ask at the event of its decision.
    fn set_decided(&mut self, id: AskId, seq: u64) -> Result<(), JournalError>;
    /// Says whether the agent behind an ask is gone.
    fn set_gone(&mut self, id: AskId, gone: bool) -> Result<(), JournalError>;
    /// Removes an ask with its grants and its sealed secrets.
    fn remove_ask(&mut self, id: AskId) -> Result<(), JournalError>;
    /// Stores the sealed secrets of an answer.
    fn insert_parcel(&mut self, ask: AskId, sealed: &[u8]) -> Result<(), JournalError>;
    /// Removes the sealed secrets of an answer, if there are any.
    fn drop_parcel(&mut self, ask: AskId) -> Result<(), JournalError>;

    /// Reads a step, whatever its epoch.
    fn step(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
    ) -> Result<Option<StepRow>, JournalError>;
    /// Adds a step.
    fn insert_step(&mut self, row: StepRow) -> Result<(), JournalError>;
    /// Points a step at the event that ended it.
    fn set_step_finished(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
        seq: u64,
    ) -> Result<(), JournalError>;
    /// Removes a step.
    fn remove_step(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
    ) -> Result<(), JournalError>;

    /// Reads a grant.
    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>, JournalError>;
    /// Whether an ask has given a grant, used or not.
    fn has_granted(&mut self, ask: AskId) -> Result<bool, JournalError>;
    /// Adds a grant.
    fn insert_grant(&mut self, grant: &GrantRecord) -> Result<(), JournalError>;
    /// Says when a grant was used up.
    fn set_redeemed(&mut self, id: GrantId, at: Timestamp) -> Result<(), JournalError>;

    /// Says until when a process counts as alive without a further sign.
    fn set_lease(&mut self, owner: Uuid, until: i64) -> Result<(), JournalError>;
    /// Whether a process counts as alive at this time.
    fn is_alive(&mut self, owner: Uuid, at: i64) -> Result<bool, JournalError>;
}
