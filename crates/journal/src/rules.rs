//! What makes a database a journal: which write is applied when, how events are chained, what rows
//! hold beside them, and how both are verified. An engine brings the database; everything here is
//! the same for all of them.
//!
//! | for | there is |
//! |---|---|
//! | writing | [`PreparedWrite`] and [`apply()`] over a [`Store`], within one transaction |
//! | the chain | [`Head::then`] gives the number and the hash of the next [`Entry`] |
//! | reading back | [`CallRow`], [`AskRow`] and [`StepRow`] become records with the bodies of their events; [`read_event`] |
//! | verifying | [`Verifier`], which takes every event and looks rows up in a [`RowSource`] |
//! | private things | [`check_name`] and [`check_key_name`], for every name that the [`Vault`](crate::Vault) is given |
//! | taking over | [`replay()`], for events of another journal; [`prune()`] with [`PrunePlan`], for what is over |
//! | people | [`Matcher`] says whether a search finds an ask, [`RunMatcher`] whether it finds a run, [`no_such_page`] that it cannot page back from there, [`Tally`] counts |
//!
//! An engine is done when `holdpoint_journal::testing::story` passes on it. `docs/internals/journal-engine.md` in the
//! repository says what to write in which order, and what an engine promises; `tests/it/own_engine` is a small one.

mod apply;
mod chain;
pub(crate) mod event_body;
mod prepared_write;
mod prune;
mod prune_plan;
mod pruned_body;
mod replay;
mod rows;
mod store;
mod vault_name;
mod verify;

pub use crate::{
    run_search::RunMatcher,
    search::{Matcher, no_such_page},
    stats::{Fact, Tally},
};
pub use apply::apply;
pub use chain::{Entry, Head, Link};
pub use event_body::read_event;
pub use prepared_write::PreparedWrite;
pub use prune::prune;
pub use prune_plan::{Prunable, PrunePlan};
pub use pruned_body::pruned_body;
pub(crate) use pruned_body::pruned_from;
pub use replay::replay;
pub use rows::{AskRow, CallRow, StepRow, missing_event, step_result};
pub use store::Store;
pub use vault_name::{check_key_name, check_name};
pub use verify::{RowCounts, RowSource, Verifier};
