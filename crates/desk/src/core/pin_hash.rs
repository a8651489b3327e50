//! Hashing a PIN, and checking it. It is slow on purpose, so it has a thread of its own.

#[cfg(feature = "pin")]
pub(super) use argon::{hash, verify};
#[cfg(not(feature = "pin"))]
pub(super) use without::{hash, verify};

#[cfg(feature = "pin")]
mod argon {
    use crate::PinError;
    use argon2::{
        Argon2, PasswordHash, PasswordHasher, PasswordVerifier,
        password_hash::{SaltString, rand_core::OsRng},
    };
    use holdpoint_journal::JournalError;

    pub async fn hash(pin: String) -> Result<String, PinError> {
        let hashed = tokio::task::spawn_blocking(move || {
            let salt = SaltString::generate(&mut OsRng);
            let hash = Argon2::default().hash_password(pin.as_bytes(), &salt);
            hash.map(|hash| hash.to_string())
        });
        match hashed.await {
            Ok(Ok(hash)) => Ok(hash),
            _ => Err(JournalError::write("the PIN could not be hashed").into()),
        }
    }

    pub async fn verify(pin: String, hash: String) -> Result<bool, PinError> {
        let verified = tokio::task::spawn_blocking(move || {
            let hash = PasswordHash::new(&hash).ok()?;
            let argon = Argon2::default();
            argon.verify_password(pin.as_bytes(), &hash).ok()
        });
        Ok(matches!(verified.await, Ok(Some(()))))
    }
}

/// Without the feature no PIN can be set or checked: one that is set elsewhere lets nothing through here.
#[cfg(not(feature = "pin"))]
mod without {
    use crate::PinError;

    pub async fn hash(_pin: String) -> Result<String, PinError> {
        Err(PinError::NotBuilt)
    }

    pub async fn verify(_pin: String, _hash: String) -> Result<bool, PinError> {
        Err(PinError::NotBuilt)
    }
}
