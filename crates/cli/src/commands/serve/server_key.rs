//! The key with which callers of this machine come in over HTTP.

use holdpoint::{
    Digest,
    journal::{JournalError, Vault},
};

/// The server's key as callers show it.
///
/// # Errors
/// When it cannot be read or made.
pub async fn server_key(journal: &dyn Vault) -> Result<String, JournalError> {
    let key = journal.key("http").await?;
    Ok(Digest::from_bytes(key).to_string())
}
