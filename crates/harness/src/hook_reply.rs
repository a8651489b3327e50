//! What the hook writes and how it exits.

use serde_json::Value;

/// A reply to the harness.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookReply {
    /// For the harness: one JSON object, or nothing.
    pub stdout: String,
    /// For the harness too, where it exits with 2.
    pub stderr: String,
    /// How it exits.
    pub exit_code: u8,
}

impl HookReply {
    pub(crate) fn json(value: Value) -> Self {
        Self {
            stdout: format!("{value}\n"),
            ..Self::default()
        }
    }

    /// A no by the exit code, which blocks wherever a harness knows no better.
    pub(crate) fn refusal(reason: &str) -> Self {
        Self {
            stdout: String::new(),
            stderr: format!("{}\n", not_empty(reason)),
            exit_code: 2,
        }
    }

    /// The same reply, which is a no by its exit code too.
    pub(crate) fn and_refuse(mut self, reason: &str) -> Self {
        self.stderr = format!("{}\n", not_empty(reason));
        self.exit_code = 2;
        self
    }
}

/// A reason that is there: some harnesses take a no without one for no answer.
pub(crate) fn not_empty(reason: &str) -> String {
    match reason.trim() {
        "" => "It is not allowed.".to_owned(),
        reason => reason.to_owned(),
    }
}
