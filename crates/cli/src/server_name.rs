//! What the server is called.

/// Its name, to clients and on the record.
pub const SERVER_NAME: &str = "holdpoint";
