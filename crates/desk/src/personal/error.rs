//! What can be wrong with what a person has set.

use holdpoint_ask::visible;
use holdpoint_journal::JournalError;
use holdpoint_workspace::ReadError;
use std::{io, path::PathBuf};

/// Why the person's own inbox cannot be used: what is set is wrong, or their journal cannot be opened.
/// What would loosen what they set is an error, and never ignored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PersonalError {
    /// A file is there and cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: ReadError,
    },
    /// A file is not valid TOML.
    #[error("{} is not valid TOML: {what}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// Where and why, from the parser.
        what: String,
    },
    /// A value that does not fit.
    #[error("{place}: `{key}` must be {expected}")]
    Value {
        /// Where it is: a file or a variable.
        place: String,
        /// The key.
        key: &'static str,
        /// What fits.
        expected: &'static str,
    },
    /// A setting of trust that this program does not know, and so cannot keep to; or one that was misspelt.
    #[error("{place}: unknown key `{}`; did you mean `{meant}`?", visible(key))]
    Unknown {
        /// Where it is.
        place: String,
        /// The key.
        key: String,
        /// The known key that it is most like.
        meant: &'static str,
    },
    /// A value that would trust more than the person's own file does, or the default.
    #[error("{place}: `{key}` can only be tightened here, and this would loosen it: {why}")]
    Loosens {
        /// Where it is.
        place: String,
        /// The key.
        key: &'static str,
        /// In which way.
        why: String,
    },
    /// There is no folder for the journal.
    #[error(
        "no home folder was found to keep the journal in; name a file: sqlite:PATH, with --journal or in the variable HOLDPOINT_JOURNAL"
    )]
    NoHome,
    /// A relative path, and no folder that it is below.
    #[error(
        "the journal's path is relative, and the current folder cannot be told: write an absolute path"
    )]
    CurrentFolder(#[source] io::Error),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}
