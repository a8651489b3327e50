//! Versions of MCP, as far as asking people goes.

use std::{fmt, str::FromStr};

/// A version of MCP, as far as asking people goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(non_camel_case_types)]
#[non_exhaustive]
pub enum Revision {
    /// The first with elicitation: flat forms, `enumNames`, defaults for booleans only.
    V2025_06_18,
    /// Titled options, choices of many, defaults of all types, URL mode.
    V2025_11_25,
    /// The same forms, asked inside `input_required` results.
    V2026_07_28,
}

impl Revision {
    /// All of them, oldest first.
    pub const ALL: [Self; 3] = [Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A protocol version in which nobody can be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the protocol version {version:?} has no elicitation; it came with 2025-06-18")]
#[non_exhaustive]
pub struct NoElicitation {
    /// What the client negotiated.
    pub version: String,
}

impl FromStr for Revision {
    type Err = NoElicitation;

    /// The newest version that is not later than this date.
    fn from_str(version: &str) -> Result<Self, NoElicitation> {
        let none = || NoElicitation {
            version: version.chars().take(32).collect(),
        };
        let date: jiff::civil::Date = version.parse().map_err(|_| none())?;
        let date = date.to_string();
        Self::ALL
            .into_iter()
            .rev()
            .find(|revision| revision.as_str() <= date.as_str())
            .ok_or_else(none)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_by_date() {
        let check = |version: &str, revision: Option<Revision>| {
            assert_eq!(version.parse().ok(), revision, "{version}");
        };
        check("2024-11-05", None);
        check("2025-03-26", None);
        check("2025-06-18", Some(Revision::V2025_06_18));
        check("2025-09-01", Some(Revision::V2025_06_18));
        check("2025-11-25", Some(Revision::V2025_11_25));
        check("2026-07-28", Some(Revision::V2026_07_28));
        check("2027-01-01", Some(Revision::V2026_07_28));
        check("DRAFT-2026-v1", None);
        check("", None);
    }
}
