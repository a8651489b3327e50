//! What makes a store a journal, whatever database it is: which write is applied when, how events
//! are chained, what rows hold beside them, and how both are verified.
//!
//! | module | holds |
//! |---|---|
//! | `prepared_write` | a write with its event's text built |
//! | `apply` | the condition and the effects of every write, over a `Store` |
//! | `chain` | the hashes |
//! | `event_body`, `rows` | what events and rows hold |
//! | `verify` | the walk over the chain, and the comparison of rows and events |

pub(crate) mod apply;
pub(crate) mod chain;
pub(crate) mod event_body;
pub(crate) mod prepared_write;
pub(crate) mod rows;
pub(crate) mod verify;
