//! The real binary under test.

use holdpoint_testkit::form_capabilities;
use serde_json::{Value, json};

#[cfg(unix)]
pub use holdpoint_testkit::person;
pub use holdpoint_testkit::{Home, PATIENCE, Pipe, Process, eventually_blocking, stderr, stdout};

/// A home for the binary of this package.
pub fn new_home() -> Home {
    Home::new(env!("CARGO_BIN_EXE_holdpoint"))
}

/// The parameters of a handshake, of a client that shows forms.
pub fn initialize() -> Value {
    holdpoint_testkit::initialize("2025-11-25", &form_capabilities())
}

/// What a modern client that shows forms says with every request.
pub fn modern_meta() -> Value {
    holdpoint_testkit::modern_meta(&json!({ "elicitation": { "form": {} } }))
}

/// A call of `elicit_confirm`.
pub fn confirm() -> Value {
    json!({ "name": "elicit_confirm", "arguments": { "message": "Go on?" } })
}

/// A reply that says yes to it.
pub fn yes() -> Value {
    json!({ "action": "accept", "content": { "confirmed": true } })
}
