//! Why a journal could not be opened, read or written.

use std::{error::Error, sync::Arc};

/// What failed below; shared, since everybody who waits for a commit gets the same failure.
type Cause = Arc<dyn Error + Send + Sync>;

/// Why the record could not be read or written. Nothing of the batch took effect, unless the error says that this
/// could not be looked up; then too nothing may be done as if it had.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// It cannot be opened.
    #[error("cannot open the journal at {place}: {what}")]
    Open {
        /// Where it is.
        place: String,
        /// What is wrong, and what to do.
        what: String,
        /// What failed below.
        source: Option<Cause>,
    },
    /// A newer Holdpoint wrote it.
    #[error(
        "the journal at {place} can be used only by a Holdpoint that knows schema version {found}, and this one knows versions up to {known}: use the newer Holdpoint that wrote it. Nothing was changed"
    )]
    Newer {
        /// Where it is.
        place: String,
        /// The lowest version that a program must know to use it.
        found: u32,
        /// The newest version that is known here.
        known: u32,
    },
    /// A write did not become durable.
    #[error("cannot write to the journal: {what}")]
    Write {
        /// What is wrong, and what to do.
        what: String,
        /// What failed below.
        source: Option<Cause>,
    },
    /// A read failed.
    #[error("cannot read the journal: {what}")]
    Read {
        /// What is wrong, and what to do.
        what: String,
        /// What failed below.
        source: Option<Cause>,
    },
    /// A row or an event does not hold what it should.
    #[error("the journal is damaged: {what}")]
    Damaged {
        /// What is wrong.
        what: String,
        /// What failed below.
        source: Option<Cause>,
    },
    /// It was closed.
    #[error("the journal is closed")]
    Closed,
}

impl JournalError {
    /// The journal at this place cannot be opened.
    pub fn open(place: impl ToString, what: impl Into<String>) -> Self {
        Self::Open {
            place: place.to_string(),
            what: what.into(),
            source: None,
        }
    }

    /// A write failed, or was refused.
    pub fn write(what: impl Into<String>) -> Self {
        Self::Write {
            what: what.into(),
            source: None,
        }
    }

    /// A read failed.
    pub fn read(what: impl Into<String>) -> Self {
        Self::Read {
            what: what.into(),
            source: None,
        }
    }

    /// The record does not hold what it should.
    pub fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged {
            what: what.into(),
            source: None,
        }
    }

    /// Adds what failed below.
    pub fn with_source(mut self, cause: impl Error + Send + Sync + 'static) -> Self {
        match &mut self {
            Self::Open { source, .. }
            | Self::Write { source, .. }
            | Self::Read { source, .. }
            | Self::Damaged { source, .. } => *source = Some(Arc::new(cause)),
            Self::Newer { .. } | Self::Closed => {}
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_is_the_source_and_not_in_the_text() {
        let error =
            JournalError::write("the disk is full").with_source(std::io::Error::other("no"));
        assert_eq!(
            error.to_string(),
            "cannot write to the journal: the disk is full"
        );
        let cause = error.clone().source().map(ToString::to_string);
        assert_eq!(cause.as_deref(), Some("no"));
    }
}
