//! The tools from outside: a client that speaks JSON, in both protocol eras.

mod arguments;
mod client;
mod commit;
mod commit_odd;
mod consent;
mod elicit;
mod listing;
mod logs;
mod onboarding;
mod pending;
mod perform;
mod plan;
mod plans;
mod record;
mod repo;
mod review;
mod stand;
