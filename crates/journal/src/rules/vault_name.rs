//! Names in the vault.

use crate::JournalError;

/// How many parts a name has at most: `files`, an ask, a file.
const MOST_PARTS: usize = 3;
/// The most bytes of a part: what a file may be called.
const LONGEST_PART: usize = 255;

/// Refuses the name of a key that has other characters than small letters and hyphens.
///
/// # Errors
/// When it has others, or none.
pub fn check_key_name(name: &str) -> Result<(), JournalError> {
    if is_plain(name) {
        return Ok(());
    }
    Err(JournalError::read(format!(
        "`{name}` cannot be the name of a key: use only small letters and hyphens"
    )))
}

/// Refuses the name of a private value that is not safe wherever it is kept, in a table or as a file: `pin`,
/// or with up to two further parts `tokens/phone`. The first part has only small letters and hyphens.
///
/// # Errors
/// When a part is missing or has characters that it may not have, or there are too many parts.
pub fn check_name(name: &str) -> Result<(), JournalError> {
    let mut parts = name.split('/');
    let is_safe = parts.next().is_some_and(is_plain)
        && parts.clone().count() < MOST_PARTS
        && parts.all(is_file_name);
    if is_safe {
        return Ok(());
    }
    Err(JournalError::read(format!(
        "{name:?} cannot be a name here: use small letters and hyphens, and behind a `/` what a file may be called"
    )))
}

fn is_plain(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
    !name.is_empty() && name.bytes().all(fits)
}

/// Whether it is neither hidden nor a path, and the same on every surface.
fn is_file_name(part: &str) -> bool {
    let fits = |char: char| char.is_alphanumeric() || "._-@ ()".contains(char);
    !part.is_empty()
        && part.len() <= LONGEST_PART
        && part.chars().all(fits)
        && part.trim_matches(['.', ' ']) == part
}
