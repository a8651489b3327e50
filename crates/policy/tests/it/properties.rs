//! What holds for all rules, commands and scopes.

mod any;
mod rules;
mod scopes;
#[cfg(feature = "shell")]
mod shell;
