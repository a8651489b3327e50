//! What can go wrong. An outcome is no error: these are faults.

use crate::PinError;
use holdpoint_ask::{AskError as Flawed, AskId};
use holdpoint_journal::JournalError;

/// Why an ask could not be put to anybody, or its answer not be taken. Nothing was approved.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The ask itself is wrong.
    #[error("this cannot be asked")]
    Flawed(#[from] Flawed),
    /// The record could not be written or read.
    #[error("the record could not be kept, so nobody was asked")]
    Journal(#[from] JournalError),
    /// Too many asks are open.
    #[error(
        "{limit} questions of this client are open already: wait for answers before asking more"
    )]
    TooMany {
        /// How many may be.
        limit: usize,
    },
    /// Another process runs this call now.
    #[error("another process has taken this call over")]
    LostCall,
    /// The accepted answer does not fit the type that was asked for.
    #[error("the answer does not fit the type that was asked for: {0}")]
    Mismatch(String),
    /// A secret was given and the process that asked is not the one that has it: ask again.
    #[error("a secret was given and cannot be handed over to the flow that asked: ask again")]
    SecretElsewhere,
    /// The PIN cannot be checked.
    #[error("the PIN cannot be checked")]
    Pin(#[from] PinError),
    /// There is no such ask.
    #[error("there is no ask {0}")]
    Unknown(AskId),
}

/// Why an effect did not run, or what it ended with is not known.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// It was started before and a crash left it unfinished: it may or may not have happened.
    #[error(
        "the step \"{name}\" was started before and was interrupted: it may or may not have happened"
    )]
    Interrupted {
        /// The step.
        name: String,
    },
    /// Another process runs this call now.
    #[error("another process has taken this call over")]
    LostCall,
    /// The record could not be kept; the effect did not run.
    #[error("the record could not be kept")]
    Journal(#[from] JournalError),
    /// The recorded result does not fit the type that the flow wants now.
    #[error("the recorded result of the step \"{name}\" does not fit: {what}")]
    Mismatch {
        /// The step.
        name: String,
        /// What is wrong.
        what: String,
    },
}
