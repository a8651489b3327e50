//! Which tools a server has, and over which folder.

use holdpoint_ask::nearest::nearest;
use std::{
    fmt,
    path::{Component, Path, PathBuf},
    str::FromStr,
};

/// How a server of flows is set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowConfig {
    /// The tool sets to offer. One that this version has no tools of adds nothing.
    pub tools: Vec<ToolSet>,
    /// The folder that the agent works in.
    pub workspace: PathBuf,
    /// Where plan files are kept, inside the workspace.
    pub plans_dir: String,
    /// What becomes of a commit that a person has approved.
    pub commit: Commit,
}

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

/// What becomes of a commit that a person has approved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Commit {
    /// The person commits; git is asked whether it happened.
    #[default]
    Verify,
    /// Holdpoint commits what was shown.
    Perform,
}

/// A set-up that cannot work.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The workspace cannot be used.
    #[error("the workspace {} is not a folder that can be read", .folder.display())]
    Workspace {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder of the plans is not inside the workspace.
    #[error("plans_dir is {0:?}: name a folder inside the workspace, like \"plans\"")]
    PlansDir(String),
}

/// A name that is no tool set's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no tool set {name:?}; did you mean {nearest:?}? Known: elicit, orchestra, plans, onboarding"
)]
pub struct UnknownToolSet {
    name: String,
    nearest: &'static str,
}

impl ToolSet {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Elicit, Self::Orchestra, Self::Plans, Self::Onboarding];

    /// Those that this version has tools of.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|set| set.is_available())
    }

    /// Whether this version has tools of it.
    pub fn is_available(self) -> bool {
        true
    }

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

impl FlowConfig {
    /// The same set-up with the workspace as the file system names it.
    pub(crate) fn checked(mut self) -> Result<Self, ConfigError> {
        let canonical = self.workspace.canonicalize().and_then(|folder| {
            // A file would do for `canonicalize`.
            folder.read_dir().map(|_| folder)
        });
        self.workspace = canonical.map_err(|source| ConfigError::Workspace {
            folder: self.workspace.clone(),
            source,
        })?;
        let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        let path = Path::new(&self.plans_dir);
        if self.plans_dir.trim().is_empty() || !path.components().all(inside) {
            return Err(ConfigError::PlansDir(self.plans_dir));
        }
        Ok(self)
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
        let available: Vec<_> = ToolSet::available().collect();
        assert_eq!(available, ToolSet::ALL);
    }

    #[test]
    fn plans_stay_in_the_workspace() {
        let folder = tempfile::tempdir().unwrap();
        let config = |plans: &str| FlowConfig {
            tools: Vec::new(),
            workspace: folder.path().to_owned(),
            plans_dir: plans.into(),
            commit: Commit::Verify,
        };
        for good in ["plans", "docs/plans", "./plans", "."] {
            assert!(config(good).checked().is_ok(), "{good}");
        }
        for bad in ["", " ", "..", "../plans", "/tmp", "plans/../.."] {
            assert!(
                matches!(config(bad).checked(), Err(ConfigError::PlansDir(_))),
                "{bad}"
            );
        }
        let mut nowhere = config("plans");
        nowhere.workspace = folder.path().join("missing");
        assert!(matches!(
            nowhere.checked(),
            Err(ConfigError::Workspace { .. })
        ));
    }
}
