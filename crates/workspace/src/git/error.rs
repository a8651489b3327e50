//! Why git could not say.

use std::{io, time::Duration};

/// Why git could not say.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git.
    #[error("the git program is not installed")]
    Missing,
    /// There is a `.git`, and it does not lead to a repository.
    #[error("{0} is not a repository that git can read")]
    NotARepository(String),
    /// The way to a folder is not text.
    #[error("the path of the folder is not UTF-8 text")]
    NotText,
    /// It took too long.
    #[error("git {what} took longer than {} s and was stopped", .limit.as_secs())]
    TimedOut {
        /// Which of its commands.
        what: String,
        /// How long it may take.
        limit: Duration,
    },
    /// It said more than can be looked at.
    #[error("git {what} says more than can be read here: name fewer files")]
    TooMuch {
        /// Which of its commands.
        what: String,
    },
    /// It ended with an error.
    #[error("git {what}: {said}")]
    Failed {
        /// Which of its commands.
        what: String,
        /// What it said about it.
        said: String,
    },
    /// It could not be started, or not be read.
    #[error("git could not be run")]
    Io(#[from] io::Error),
}
