//! What can be wrong with a configuration, and where.

use super::keys::KEYS;
use holdpoint_ask::visible;
use holdpoint_workspace::ReadError;
use std::{fmt, path::PathBuf};

/// What is wrong with the configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file is there and cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: ReadError,
    },
    /// A file is not valid TOML.
    #[error("{place}: this is not valid TOML: {what}")]
    Toml {
        /// Where.
        place: Place,
        /// Why not, from the parser.
        what: String,
    },
    /// No such key.
    #[error("{place}: unknown key `{}`; did you mean `{nearest}`?", visible(key))]
    Unknown {
        /// Where it is.
        place: Place,
        /// What it says.
        key: String,
        /// The known key that is most like it.
        nearest: String,
    },
    /// A key that a workspace's file may not have.
    #[error(
        "{place}: a workspace may not set `{key}`, only {}; move it to your own file",
        workspace_keys()
    )]
    NotInWorkspace {
        /// Where it is.
        place: Place,
        /// The key.
        key: String,
    },
    /// A key that only the user's own file may have.
    #[error("{place}: `{key}` can be set in your own file only")]
    OnlyInFile {
        /// Where it is.
        place: Place,
        /// The key.
        key: String,
    },
    /// A value that does not fit.
    #[error("{place}: `{key}` must be {expected}")]
    Value {
        /// Where it is.
        place: Place,
        /// The key.
        key: String,
        /// What fits.
        expected: String,
    },
    /// A value that would trust more than the user's own file does, or the default.
    #[error("{place}: `{key}` can only be tightened here, and this would loosen it: {why}")]
    Loosens {
        /// Where it is.
        place: Place,
        /// The key.
        key: &'static str,
        /// In which way.
        why: String,
    },
}

impl ConfigError {
    /// Where it is; none for a file that cannot be read at all.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Read { .. } => None,
            Self::Toml { place, .. }
            | Self::Unknown { place, .. }
            | Self::NotInWorkspace { place, .. }
            | Self::OnlyInFile { place, .. }
            | Self::Value { place, .. }
            | Self::Loosens { place, .. } => Some(place),
        }
    }

    /// Whether it is the command line that is wrong.
    pub fn is_of_flag(&self) -> bool {
        self.place()
            .is_some_and(|place| matches!(place.source, Source::Flag(_)))
    }
}

/// Who says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The user's own file.
    User(PathBuf),
    /// A file that a variable names in place of the user's own, which is the other one.
    Pointed(PathBuf, PathBuf),
    /// The workspace's file.
    Workspace(PathBuf),
    /// A variable.
    Variable(String),
    /// A flag, by its name without the dashes.
    Flag(&'static str),
}

/// Where something is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// By whom.
    pub source: Source,
    /// The line of a file.
    pub line: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::User(path) | Source::Pointed(path, _) | Source::Workspace(path) => {
                write!(f, "{}", path.display())?;
            }
            Source::Variable(name) => write!(f, "the variable {}", visible(name))?,
            Source::Flag(name) => write!(f, "the flag --{name}")?,
        }
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        match &self.source {
            Source::Pointed(_, own) => write!(
                f,
                " (a variable names this file; yours is {})",
                own.display()
            ),
            _ => Ok(()),
        }
    }
}

fn workspace_keys() -> String {
    let keys = KEYS.iter().filter(|key| key.in_workspace());
    let keys: Vec<_> = keys.map(|key| format!("`{}`", key.name)).collect();
    keys.join(", ")
}
