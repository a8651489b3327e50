//! What was called, by whom and with what, as one digest.

use holdpoint_ask::Digest;
use holdpoint_journal::CallRecord;
use serde_json::{Value, json};

/// One caller, one method, one tool, one set of arguments. The same again is the same call: it is
/// not asked twice, and only it may bring a sealed state back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CallBinding(pub Digest);

impl CallBinding {
    pub fn new(principal: &str, method: &str, name: &str, arguments: &Value) -> Self {
        let bound = json!([principal, method, name, arguments]);
        Self(
            Digest::hash_json(&bound)
                .unwrap_or_else(|_| Digest::hash_bytes(bound.to_string().as_bytes())),
        )
    }

    /// That of a recorded call.
    pub fn from_record(call: &CallRecord) -> Self {
        let name = call.origin.tool.as_deref().unwrap_or_default();
        Self::new(&call.origin.principal, &call.method, name, &call.arguments)
    }
}
