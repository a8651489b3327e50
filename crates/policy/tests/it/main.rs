//! Tests of rules as their users know them.

mod cases;
#[cfg(feature = "shell")]
mod commands;
#[cfg(feature = "shell")]
mod docs;
#[cfg(feature = "shell")]
mod explaining;
mod files;
mod import;
mod loading;
mod properties;
mod scopes;
#[cfg(feature = "shell")]
mod suggesting;
mod tools;
