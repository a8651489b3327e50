//! Names in the vault.

use crate::JournalError;

/// Refuses a name of a key, a private value or a folder that has other characters than small letters
/// and hyphens, so that it is safe as a file name.
///
/// # Errors
/// When it has others, or none.
pub fn check_name(name: &str) -> Result<(), JournalError> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
    if name.is_empty() || !name.bytes().all(fits) {
        return Err(JournalError::read(format!(
            "`{name}` cannot be a name here: use only small letters and hyphens"
        )));
    }
    Ok(())
}
