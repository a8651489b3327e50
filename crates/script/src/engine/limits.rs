//! What a script may use.

use std::time::Duration;

/// What one call of a script may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Memory, in bytes.
    pub memory: usize,
    /// Time to compute between two yields.
    pub segment: Duration,
    /// How long it is waited for beyond that: some functions of the language cannot be interrupted, like
    /// a text of megabytes searched in another.
    pub patience: Duration,
    /// Size of one yielded or returned value, and of the arguments, as JSON.
    pub value: usize,
    /// Size of what a yield is answered with, as JSON: a file that was read is larger than an ask.
    pub given: usize,
    /// How deep a value may be nested.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: 64 << 20,
            segment: Duration::from_secs(2),
            patience: Duration::from_secs(20),
            value: 1 << 20,
            given: 16 << 20,
            depth: 64,
        }
    }
}
