//! What was called, by whom and with what, as one digest.

use crate::{CallRecord, NewCall};
use holdpoint_ask::{Digest, Origin};
use serde_json::{Value, json};

/// One server, principal, client, workspace, method, tool and set of arguments. The same again is the
/// same call: it is not asked twice, and only it may bring a sealed state back. No version is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallBinding(pub Digest);

impl CallBinding {
    /// That of a call of this method with these arguments, from there.
    pub fn new(origin: &Origin, method: &str, arguments: &Value) -> Self {
        let bound = json!([
            origin.server,
            origin.principal,
            origin.client_name,
            origin.workspace,
            method,
            origin.tool,
            arguments
        ]);
        Self(
            Digest::hash_json(&bound)
                .unwrap_or_else(|_| Digest::hash_bytes(bound.to_string().as_bytes())),
        )
    }
}

impl From<&NewCall> for CallBinding {
    fn from(call: &NewCall) -> Self {
        Self::new(&call.origin, &call.method, &call.arguments)
    }
}

impl From<&CallRecord> for CallBinding {
    fn from(call: &CallRecord) -> Self {
        Self::new(&call.origin, &call.method, &call.arguments)
    }
}
