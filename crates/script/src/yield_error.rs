//! What is wrong with what a script yielded.

/// What is wrong with a yield. It is thrown where the script yielded it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct YieldError(pub String);

/// A name as a message can repeat it: visible, and not too long.
pub(crate) fn short(name: &str) -> String {
    holdpoint_ask::visible(name).chars().take(100).collect()
}
