//! Sealing what is private, for engines whose tables others may read: an administrator of the database, a copy.
//!
//! The secret is a file that only the person or service running Holdpoint reads (`HOLDPOINT_SECRET_FILE`). Each value
//! is sealed with a key made of the secret and of the value's name, so that none can stand in for another. It does
//! not keep out who may *write* to the tables: a value that was never sealed stays readable, and is sealed when it
//! is next written.

use crate::JournalError;
use crypto_secretbox::{
    Key, KeyInit as _, Nonce, XSalsa20Poly1305,
    aead::{Aead as _, generic_array::GenericArray},
};
use hmac::{Hmac, Mac as _};
use holdpoint_workspace::private;
use sha2::Sha256;
use std::{env, fmt, path::Path};

/// The variable that names the file.
const VARIABLE: &str = "HOLDPOINT_SECRET_FILE";
/// How stored bytes begin that are sealed, and those that are not and could be taken for it.
const SEALED: &[u8] = b"\0holdpoint sealed 1\0";
const PLAIN: &[u8] = b"\0holdpoint plain 1\0";
const NONCE: usize = 24;

/// What private values are sealed with; also where they are not.
#[derive(Clone, Default)]
pub struct Secret {
    key: Option<[u8; 32]>,
}

impl Secret {
    /// Reads the file that `HOLDPOINT_SECRET_FILE` names. Where the variable is not set nothing is sealed.
    ///
    /// # Errors
    /// When the file cannot be read, others may read it, or it does not hold a key.
    pub fn from_environment() -> Result<Self, JournalError> {
        match env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
            Some(path) => Self::from_file(Path::new(&path)),
            None => Ok(Self::default()),
        }
    }

    /// Reads this file: 32 bytes, or 64 hexadecimal digits.
    ///
    /// # Errors
    /// As [`Self::from_environment`].
    pub fn from_file(path: &Path) -> Result<Self, JournalError> {
        let refuse =
            |what: &str| JournalError::read(format!("the secret at {} {what}", path.display()));
        let bytes =
            private::read(path).map_err(|error| refuse("cannot be used").with_source(error))?;
        let key = read_key(&bytes).ok_or_else(|| {
            refuse("is none: it must hold 64 hexadecimal digits (`openssl rand -hex 32` makes some) or 32 bytes")
        })?;
        Ok(Self { key: Some(key) })
    }

    /// Whether values are sealed.
    pub fn is_given(&self) -> bool {
        self.key.is_some()
    }

    /// What is stored for a value of this name.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn seal(&self, name: &str, value: &[u8]) -> Result<Vec<u8>, JournalError> {
        let Some(key) = &self.key else {
            let is_plain = !value.starts_with(SEALED) && !value.starts_with(PLAIN);
            let mark = if is_plain { &[] } else { PLAIN };
            return Ok([mark, value].concat());
        };
        let failed = || JournalError::write(format!("`{name}` cannot be sealed"));
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(|error| failed().with_source(error))?;
        let sealed = cipher(key, name).encrypt(&Nonce::from(nonce), value);
        let sealed = sealed.map_err(|_| failed())?;
        Ok([SEALED, &nonce, &sealed].concat())
    }

    /// The value of this name that was stored so.
    ///
    /// # Errors
    /// When it is sealed, and no secret is given, another one, or it was changed or is another's.
    pub fn open(&self, name: &str, stored: &[u8]) -> Result<Vec<u8>, JournalError> {
        let Some(sealed) = stored.strip_prefix(SEALED) else {
            return Ok(stored.strip_prefix(PLAIN).unwrap_or(stored).to_vec());
        };
        let Some(key) = &self.key else {
            return Err(JournalError::read(format!(
                "`{name}` is sealed: name the file with the secret in {VARIABLE}"
            )));
        };
        let opened = sealed.split_at_checked(NONCE).and_then(|(nonce, sealed)| {
            let nonce = GenericArray::from_slice(nonce);
            cipher(key, name).decrypt(nonce, sealed).ok()
        });
        opened.ok_or_else(|| {
            JournalError::read(format!(
                "`{name}` was sealed with another secret than the one that {VARIABLE} names, or was changed"
            ))
        })
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.is_given() { "…" } else { "none" };
        write!(f, "Secret({text})")
    }
}

fn read_key(bytes: &[u8]) -> Option<[u8; 32]> {
    if let Ok(key) = bytes.try_into() {
        return Some(key);
    }
    let digits = std::str::from_utf8(bytes).ok()?.trim();
    if digits.len() != 64 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut key = [0; 32];
    for (at, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(key)
}

/// The cipher for the value of this name, and for no other.
fn cipher(secret: &[u8; 32], name: &str) -> XSalsa20Poly1305 {
    let mut mac =
        <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(secret).expect("a MAC takes any key");
    mac.update(b"holdpoint vault 1\0");
    mac.update(name.as_bytes());
    let key: [u8; 32] = mac.finalize().into_bytes().into();
    XSalsa20Poly1305::new(&Key::from(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn secret(byte: u8) -> Secret {
        Secret {
            key: Some([byte; 32]),
        }
    }

    #[test]
    fn only_the_same_secret_opens_the_same_name() {
        let ours = secret(1);
        let sealed = ours.seal("pins/ann", b"hash").unwrap();
        assert!(!sealed.windows(4).any(|part| part == b"hash"));
        assert_ne!(sealed, ours.seal("pins/ann", b"hash").unwrap());
        assert_eq!(ours.open("pins/ann", &sealed).unwrap(), b"hash");
        let refused = |secret: &Secret, name: &str, stored: &[u8], word: &str| {
            let error = secret.open(name, stored).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains(VARIABLE), "{error}");
        };
        refused(&secret(2), "pins/ann", &sealed, "another secret");
        refused(&Secret::default(), "pins/ann", &sealed, "is sealed");
        refused(&ours, "pins/bob", &sealed, "another secret");
        for at in SEALED.len()..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            refused(&ours, "pins/ann", &changed, "was changed");
            refused(&ours, "pins/ann", &sealed[..at], "was changed");
        }
    }

    #[test]
    fn what_was_not_sealed_stays_readable() {
        let (none, ours) = (Secret::default(), secret(1));
        let crafted = secret(9).seal("a", b"x").unwrap();
        let marked = [PLAIN, b"x"].concat();
        for value in [b"".as_slice(), b"plain", SEALED, PLAIN, &crafted, &marked] {
            let stored = none.seal("a", value).unwrap();
            assert_eq!(none.open("a", &stored).unwrap(), value);
            assert_eq!(ours.open("a", &stored).unwrap(), value);
            let sealed = ours.seal("a", value).unwrap();
            assert_eq!(ours.open("a", &sealed).unwrap(), value);
        }
        assert_eq!(none.seal("a", b"plain").unwrap(), b"plain");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_read_or_that_holds_no_key_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let write = |bytes: &[u8], mode: u32| {
            fs::write(&path, bytes).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            Secret::from_file(&path)
        };
        let digits = "0f".repeat(32);
        assert!(Secret::from_file(&path).is_err(), "there is none");
        let hex = write(format!("{digits}\n").as_bytes(), 0o600).unwrap();
        assert_eq!(hex.key, Some([15; 32]));
        assert_eq!(write(&[15; 32], 0o400).unwrap().key, hex.key);
        assert!(!format!("{hex:?}").contains("15"));
        for wrong in ["", "0f", &digits[1..], &"zz".repeat(32), &"0".repeat(65)] {
            let error = write(wrong.as_bytes(), 0o600).unwrap_err().to_string();
            assert!(error.contains("openssl rand -hex 32"), "{error}");
        }
        for mode in [0o644, 0o640, 0o604] {
            assert!(write(digits.as_bytes(), mode).is_err(), "{mode:o}");
        }
    }
}
