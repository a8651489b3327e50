//! Secrets that cross processes: sealed to a key that only the desk that asked has, in memory.

#[cfg(feature = "secrets")]
pub(crate) use sealing::{SecretBox, seal};
#[cfg(not(feature = "secrets"))]
pub(crate) use without::{SecretBox, seal};

/// Whether this build can ask for secrets.
pub(crate) const ARE_ASKED: bool = cfg!(feature = "secrets");

#[cfg(feature = "secrets")]
mod sealing {
    use crate::AskError;
    use crypto_box::{PublicKey, SecretKey, aead::OsRng};
    use holdpoint_ask::Answer;

    /// The key that this desk's flows open sealed answers with. It is gone with the process.
    pub(crate) struct SecretBox(SecretKey);

    impl SecretBox {
        pub fn new() -> Self {
            Self(SecretKey::generate(&mut OsRng))
        }

        /// What others seal answers to.
        pub fn public(&self) -> [u8; 32] {
            self.0.public_key().to_bytes()
        }

        /// The answer in a parcel; none where it was sealed to another key.
        pub fn open(&self, sealed: &[u8]) -> Option<Answer> {
            let bytes = self.0.unseal(sealed).ok()?;
            serde_json::from_slice(&bytes).ok()
        }
    }

    /// An answer, sealed to the desk that asked.
    pub(crate) fn seal(answer: &Answer, to: Option<[u8; 32]>) -> Result<Vec<u8>, AskError> {
        let to = PublicKey::from(to.ok_or(AskError::SecretElsewhere)?);
        let bytes = serde_json::to_vec(answer).map_err(|_| AskError::SecretElsewhere)?;
        to.seal(&mut OsRng, &bytes)
            .map_err(|_| AskError::SecretElsewhere)
    }
}

/// Without the feature no ask has a secret: see [`ARE_ASKED`].
#[cfg(not(feature = "secrets"))]
mod without {
    use crate::AskError;
    use holdpoint_ask::Answer;

    pub(crate) struct SecretBox;

    impl SecretBox {
        pub fn new() -> Self {
            Self
        }

        pub fn public(&self) -> [u8; 32] {
            [0; 32]
        }

        pub fn open(&self, _sealed: &[u8]) -> Option<Answer> {
            None
        }
    }

    pub(crate) fn seal(_answer: &Answer, _to: Option<[u8; 32]>) -> Result<Vec<u8>, AskError> {
        Err(AskError::NoSecrets)
    }
}

#[cfg(all(test, feature = "secrets"))]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_desk_that_asked_can_open_it() {
        let (mine, other) = (SecretBox::new(), SecretBox::new());
        let answer = json!({ "password": "hunter2" });
        let answer = answer.as_object().unwrap();
        let sealed = seal(answer, Some(mine.public())).unwrap();
        assert!(!sealed.windows(7).any(|bytes| bytes == b"hunter2"));
        assert_eq!(mine.open(&sealed).as_ref(), Some(answer));
        assert_eq!(other.open(&sealed), None);
        assert_eq!(mine.open(&sealed[1..]), None);
        seal(answer, None).unwrap_err();
    }
}
