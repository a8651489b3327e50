//! `holdpoint hook`: what harnesses prompt for, decided by rules and people.

mod commands;
mod failures;
mod late;
mod permission_tool;
mod rules;
mod scopes;
pub mod station;
