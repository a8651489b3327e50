//! What a channel brought back, before anyone has checked it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// The values of a form's fields, by name, in the form's own shape.
pub type Answer = Map<String, Value>;

/// What a person (or a client in a person's name) did with an ask. Nothing in it is believed yet.
///
/// Its `Debug` names the fields of an accept and never their values: one may be a secret.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
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
    /// Dismissed it without an answer.
    Cancel,
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accept { content } => f
                .debug_tuple("Accept")
                .field(&content.keys().collect::<Vec<_>>())
                .finish(),
            Self::Decline { reason } => f.debug_struct("Decline").field("reason", reason).finish(),
            Self::Cancel => f.write_str("Cancel"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ElicitResult, Outcome, ReplyAction};
    use serde_json::json;

    #[test]
    fn values_are_never_printed() {
        let content = json!({"token": "hunter2"}).as_object().unwrap().clone();
        let reply = Reply::Accept {
            content: content.clone(),
        };
        assert_eq!(format!("{reply:?}"), r#"Accept(["token"])"#);
        let result = ElicitResult {
            action: ReplyAction::Accept,
            content: content.clone(),
        };
        assert!(!format!("{result:?}").contains("hunter2"), "{result:?}");
        assert_eq!(format!("{:?}", Outcome::Accepted(content)), "Accepted(..)");
    }
}
