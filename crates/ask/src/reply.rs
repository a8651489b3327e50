//! What a channel brought back, before anyone has checked it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The values of a form's fields, by name, in the form's own shape.
pub type Answer = Map<String, Value>;

/// What a person (or a client in a person's name) did with an ask. Nothing in it is believed yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "lowercase")]
pub enum Reply {
    /// Submitted the form.
    Accept {
        /// What was filled in.
        #[serde(default)]
        content: Answer,
    },
    /// Said no.
    Decline {
        /// In the person's words, where the channel has room for them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Put it away without an answer.
    Cancel,
}
