//! The sets of tools that a server can have.

use holdpoint_ask::nearest::nearest;
use std::{fmt, str::FromStr};

/// Tools that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToolSet {
    /// Single questions.
    Elicit,
    /// Plans and phases of a Conductor agent.
    Orchestra,
    /// Plan directories with a state.
    Plans,
    /// Taking over a repository's instruction file.
    Onboarding,
}

/// A name that no tool set has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown tool set {name:?}; did you mean {nearest:?}? The sets are elicit, orchestra, plans and onboarding"
)]
pub struct UnknownToolSet {
    name: String,
    nearest: &'static str,
}

impl ToolSet {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Elicit, Self::Orchestra, Self::Plans, Self::Onboarding];

    /// Its name, as in `--tools`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Elicit => "elicit",
            Self::Orchestra => "orchestra",
            Self::Plans => "plans",
            Self::Onboarding => "onboarding",
        }
    }

    /// One line for a help text.
    pub fn help(self) -> &'static str {
        match self {
            Self::Elicit => "single questions: choice, input, confirm, number, rating, form",
            Self::Orchestra => "plan approval, phase commits, failed reviews, completion files",
            Self::Plans => "plan directories with a state, prompts, resources",
            Self::Onboarding => {
                "taking over a repository's instruction file, with approval and rollback"
            }
        }
    }
}

impl fmt::Display for ToolSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ToolSet {
    type Err = UnknownToolSet;

    fn from_str(name: &str) -> Result<Self, UnknownToolSet> {
        let name = name.trim();
        let known = Self::ALL.into_iter().find(|set| set.as_str() == name);
        known.ok_or_else(|| UnknownToolSet {
            name: name.to_owned(),
            nearest: nearest(name, Self::ALL.map(Self::as_str)).unwrap_or("elicit"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_sets_by_name() {
        for set in ToolSet::ALL {
            assert_eq!(set.to_string().parse(), Ok(set));
        }
        let error = "orchestar".parse::<ToolSet>().unwrap_err().to_string();
        assert!(error.contains("did you mean \"orchestra\"?"), "{error}");
    }
}
