//! Rules for what agents do: what is allowed, asked or denied; and the scopes that people gave.
//!
//! Pure: no I/O and no clock. Files are read, and time is told, by whoever uses it.
// Standard output belongs to the protocol, and a library has no terminal of its own.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)
)]

mod annotations;
mod command_pattern;
mod condition;
mod domain;
mod error;
mod explain;
mod glob;
pub mod import;
mod index;
mod judge;
mod load;
mod offer;
mod path_pattern;
mod place;
mod proposal;
mod rule;
mod rules;
mod ruling;
mod scope;
mod shell;
mod suggest;
mod summary;
mod tool_use;

pub use annotations::needs_approval;
pub use error::RulesError;
pub use explain::{Explanation, MatchedRule};
pub use offer::{offers, would_have_allowed};
pub use rules::{OnFailure, Rules};
pub use ruling::{CommandPart, Reason, RulePlace, Ruling, Verdict};
pub use scope::{Covers, Holder, Lifetime, Scope, ScopeOffer};
pub use suggest::{PastUse, Suggestion, suggest};
pub use tool_use::{Annotations, NoLinks, Paths, RealPath, ToolDefinition, ToolUse};
