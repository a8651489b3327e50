//! Why a prompt ended without a value.

use inquire::InquireError;

/// Why a prompt ended without a value.
#[derive(Debug)]
pub enum Stop {
    /// The person left it, by Escape.
    Left,
    /// The person wants to end the program, by Ctrl-C.
    Interrupted,
    /// The ask ended while they typed.
    Over,
    /// The terminal failed.
    Fault(InquireError),
}

impl From<InquireError> for Stop {
    fn from(error: InquireError) -> Self {
        match error {
            InquireError::OperationCanceled => Self::Left,
            InquireError::OperationInterrupted => Self::Interrupted,
            error => Self::Fault(error),
        }
    }
}
