//! What is wrong with a file of rules.

/// A file of rules cannot be used: where, what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {what}")]
pub struct RulesError {
    /// The file, as it is shown to people.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub what: String,
}
