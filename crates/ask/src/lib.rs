//! What Holdpoint asks people, as plain values.
//!
//! | module | holds |
//! |---|---|
//! | [`mod@ask`] | the question: message, form, danger, time, origin |
//! | [`form`], [`field`] | what is asked for, as typed fields in order |
//! | [`reply`] | what a channel brought back, unchecked |
//! | [`outcome`] | how an ask ended, checked; and the decision that records it |
//! | [`ids`], [`digest`] | names that last |
//!
//! There is no I/O here: no clock, no socket, no database, no protocol library.

pub mod ask;
pub mod digest;
pub mod field;
pub mod form;
pub mod ids;
pub mod outcome;
pub mod reply;

pub use ask::{Ask, Origin};
pub use digest::Digest;
pub use field::{Field, Kind};
pub use form::Form;
pub use ids::{AskId, CallId, GrantId};
pub use outcome::{ChannelKind, Decision, FieldError, Outcome, Withdrawal};
pub use reply::{Answer, Reply};
