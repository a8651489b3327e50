//! Ids, ordered by the time they were made.

use crate::Digest;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

macro_rules! id {
    ($name:ident, $what:literal) => {
        #[doc = concat!("Names one ", $what, ".")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// A new id, later than every one made before it in this process.
            #[allow(clippy::new_without_default)]
            pub fn new() -> Self {
                Self(Uuid::now_v7())
            }

            /// The id as sixteen bytes, as a database keeps it.
            pub fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }

            /// The id that these sixteen bytes name.
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(Uuid::from_bytes(bytes))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Uuid::parse_str(text)
                    .map(Self)
                    .map_err(|_| InvalidId { what: $what })
            }
        }
    };
}

id!(AskId, "ask");
id!(CallId, "call");
id!(GrantId, "grant");

impl CallId {
    /// The call that a principal makes under this name: the same name is the same call, in every process. It does
    /// not sort by its time.
    pub fn named(principal: &str, name: &str) -> Self {
        let named = [
            b"call",
            &(principal.len() as u64).to_be_bytes()[..],
            principal.as_bytes(),
            name.as_bytes(),
        ];
        let digest = Digest::hash_bytes(&named.concat());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest.as_bytes()[..16]);
        // Version 8: an id of its maker's own.
        bytes[6] = bytes[6] & 0x0f | 0x80;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        Self::from_bytes(bytes)
    }
}

impl GrantId {
    /// The grant that a yes to this ask gives: one yes gives one. It sorts with its ask.
    pub fn from_ask(ask: AskId) -> Self {
        let mut bytes = *ask.as_bytes();
        let digest = Digest::hash_bytes(&[b"grant", bytes.as_slice()].concat());
        bytes[8..].copy_from_slice(&digest.as_bytes()[..8]);
        Self::from_bytes(bytes)
    }
}

/// The text is not an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is not the id of any {what}")]
pub struct InvalidId {
    what: &'static str,
}
