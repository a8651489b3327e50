//! Why a payload cannot be read.

/// Why a payload cannot be read. Whoever gets it denies.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is no JSON object, or names a key twice.
    #[error("the payload is not a JSON object")]
    NotJson(#[source] serde_json::Error),
    /// Something is not there.
    #[error("the payload has no {0:?}")]
    Missing(String),
    /// Something is of another type, or makes no sense.
    #[error("{key:?} in the payload is not {expected}")]
    Wrong {
        /// The key.
        key: String,
        /// What it should be.
        expected: &'static str,
    },
    /// An event of which nobody knows what it asks for.
    #[error("the event {0:?} is not known")]
    UnknownEvent(String),
    /// The permission tool was not called by Claude Code itself.
    #[error("only Claude Code calls this tool, and not for an agent: {0}")]
    NotTheHarness(&'static str),
}

impl ReadError {
    pub(crate) fn wrong(key: &str, expected: &'static str) -> Self {
        Self::Wrong {
            key: key.to_owned(),
            expected,
        }
    }
}
