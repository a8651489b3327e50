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
        // Its JSON is a list. Every call has one: nothing is copied for it.
        let bound = (
            &origin.server,
            &origin.principal,
            &origin.client_name,
            &origin.workspace,
            method,
            &origin.tool,
            arguments,
        );
        let digest = Digest::hash_json(&bound)
            .unwrap_or_else(|_| Digest::hash_bytes(json!(bound).to_string().as_bytes()));
        Self(digest)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is on record is found by it.
    #[test]
    fn a_binding_is_the_digest_of_a_list() {
        let mut origin = Origin::default();
        let arguments = json!({ "b": [1, 9007199254740993_u64], "a": null });
        for tool in [None, Some("ask".to_owned())] {
            origin.tool = tool;
            let list = json!([
                origin.server,
                origin.principal,
                origin.client_name,
                origin.workspace,
                "tools/call",
                origin.tool,
                arguments
            ]);
            let binding = CallBinding::new(&origin, "tools/call", &arguments);
            assert_eq!(binding.0, Digest::hash_json(&list).unwrap());
        }
    }
}
