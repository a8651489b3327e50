//! What a client of either era says, as JSON.

use serde_json::{Value, json};

/// How a client is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// In the middle of its call.
    Legacy,
    /// By the result of its call.
    Modern,
}

/// Both eras, for tests that hold in each.
pub const ERAS: [Era; 2] = [Era::Legacy, Era::Modern];

/// The revision that legacy clients of the tests speak.
pub(crate) const LEGACY_REVISION: &str = "2025-11-25";

/// The capabilities of a client that shows forms.
pub fn form_capabilities() -> Value {
    json!({ "elicitation": {} })
}

/// What clients of the tests call themselves: one that is known to select nothing for its person.
pub const CLIENT: &str = "mcpdo-test-client";

/// The parameters of a legacy client's handshake.
pub fn initialize(revision: &str, capabilities: &Value) -> Value {
    json!({
        "protocolVersion": revision,
        "capabilities": capabilities,
        "clientInfo": { "name": CLIENT, "version": "1.0" },
    })
}

/// What a modern client says of itself with every request.
pub fn modern_meta(capabilities: &Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": CLIENT, "version": "1.0" },
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// A reply that accepts with this content.
pub fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// A reply that declines.
pub fn decline() -> Value {
    json!({ "action": "decline" })
}

/// A reply that dismisses the form.
pub fn cancel() -> Value {
    json!({ "action": "cancel" })
}

/// Makes requests of one client: counts their ids, and adds what its era says with each.
pub(crate) struct Requests {
    pub era: Era,
    pub capabilities: Value,
    /// A level for the log, in each request of a modern client.
    pub log_level: Option<&'static str>,
    /// What it calls itself.
    pub name: String,
    /// What else it says with each request.
    pub meta: Value,
    pub last: u64,
}

impl Requests {
    pub fn new(era: Era, capabilities: Value) -> Self {
        Self {
            era,
            capabilities,
            log_level: None,
            name: CLIENT.to_owned(),
            meta: json!({}),
            last: 0,
        }
    }

    pub fn make(&mut self, method: &str, mut params: Value) -> Value {
        self.last += 1;
        if self.era == Era::Modern {
            let Value::Object(meta) = modern_meta(&self.capabilities) else {
                unreachable!("it is made as an object");
            };
            for (name, value) in meta {
                params["_meta"][name] = value;
            }
            params["_meta"]["io.modelcontextprotocol/clientInfo"]["name"] =
                self.name.as_str().into();
            if let Some(level) = self.log_level {
                params["_meta"]["io.modelcontextprotocol/logLevel"] = level.into();
            }
        }
        for (name, value) in self.meta.as_object().into_iter().flatten() {
            params["_meta"][name] = value.clone();
        }
        json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params })
    }
}

pub(crate) fn initialized() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
}

/// The answer to a request of the server's.
pub(crate) fn result(request: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": request["id"], "result": result })
}

/// Says whether a message is the answer to this request.
pub(crate) fn answers(message: &Value, request: u64) -> bool {
    message["id"] == request && message.get("method").is_none()
}
