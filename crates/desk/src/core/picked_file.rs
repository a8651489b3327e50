//! A file that a person gave.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A file that a person gave. What is at the path may change: read it in a step, and compare its digest.
///
#[doc = include_str!("../../docs/file.md")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PickedFile {
    /// Its name, as the person has it.
    pub name: String,
    /// How many bytes it has.
    pub size: u64,
    /// The digest of what it holds, in hexadecimal.
    pub sha256: String,
    /// Where it is.
    pub path: PathBuf,
}
