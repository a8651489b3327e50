//! A secret that a person gave.

use serde::Deserialize;
use std::fmt;

/// A secret that a person gave. It is never printed: [`Secret::expose`] gives it.
///
#[doc = include_str!("../../docs/secret.md")]
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The secret itself. Do not log it, and put it into no result.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
