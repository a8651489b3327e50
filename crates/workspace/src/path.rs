//! A path inside a workspace, and why a path is not one.

use crate::{folder::one_name, hidden::is_hidden, io_message::describe, read::ReadError};
use std::{
    io,
    path::{Path, PathBuf},
};

/// A path inside a workspace. Its last part may be a link, or missing; no folder before it leads
/// outside. What is read or written there goes through [`crate::Workspace::hold`], which follows no link
/// that came meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InsidePath {
    pub(crate) name: String,
    pub(crate) full: PathBuf,
}

/// Why a path is not one of the workspace.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// It is empty.
    #[error("expected a path in the workspace, but it is empty")]
    Empty,
    /// It has a NUL in it.
    #[error("expected a path, but there is a NUL character in it")]
    Nul,
    /// It is not UTF-8.
    #[error("expected a path that is UTF-8 text")]
    NotText,
    /// It is outside.
    #[error("{0:?} is outside the workspace; expected a path inside it")]
    Outside(String),
    /// A link leads outside.
    #[error("{0:?} leads outside the workspace; expected a path inside it")]
    LeadsOutside(String),
    /// It is the workspace itself.
    #[error("{0:?} is the workspace itself; expected a path inside it")]
    Root(String),
    /// It is hidden, or a link leads to what is.
    #[error(
        "{0:?} is hidden, or leads to what is hidden, which decides what runs; expected a folder whose name has no dot before it"
    )]
    Hidden(String),
    /// There is a link on the way.
    #[error("{0:?} leads through a link, and no link is followed here")]
    Link(String),
    /// It is not a file.
    #[error("{0:?} is not a file; expected a file in the workspace")]
    NotAFile(String),
    /// It is not there, or the system refuses.
    #[error("{path:?} cannot be used: {}", describe(.source))]
    Io {
        /// The path as it was given.
        path: String,
        /// What is wrong.
        source: io::Error,
    },
    /// It is there and cannot be read.
    #[error("{path:?} cannot be read: {source}")]
    Read {
        /// The path as it was given.
        path: String,
        /// What is wrong.
        source: ReadError,
    },
}

impl InsidePath {
    /// The path from the workspace, with `/` between its parts; `.` for the workspace itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name, to be kept.
    pub fn into_name(self) -> String {
        self.name
    }

    /// The path with all of its folders.
    pub fn full(&self) -> &Path {
        &self.full
    }

    /// The last part of its name.
    pub fn last(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    /// The parts of its name.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.name.split('/').filter(|part| *part != ".")
    }

    /// This path, if no part of its name is hidden: for what is written where an agent or a file of
    /// the workspace says. Where links lead is looked at when it is opened.
    ///
    /// # Errors
    /// When a part is hidden.
    pub fn not_hidden(self) -> Result<Self, PathError> {
        if self.parts().any(is_hidden) {
            Err(PathError::Hidden(self.name))
        } else {
            Ok(self)
        }
    }

    /// Whether a link has led to something hidden that the name does not say.
    pub(crate) fn leads_to_hidden(&self, below: &Path) -> bool {
        below.iter().any(|part| {
            let part = part.to_string_lossy();
            is_hidden(&part) && !self.parts().any(|said| said == part)
        })
    }

    /// What has this name in it; none where that is not a single name. Whether this path is a folder
    /// that stays inside, and not a link, is not looked at again.
    pub fn join(&self, part: &str) -> Option<Self> {
        one_name(part).ok()?;
        let name = match self.name.as_str() {
            "." => part.to_owned(),
            folder => format!("{folder}/{part}"),
        };
        Some(Self {
            name,
            full: self.full.join(part),
        })
    }

    /// The folder that it is in; none for what is in the workspace itself.
    pub fn parent(&self) -> Option<Self> {
        let (name, _) = self.name.rsplit_once('/')?;
        Some(Self {
            name: name.to_owned(),
            full: self.full.parent()?.to_owned(),
        })
    }
}
