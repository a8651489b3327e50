//! Paths that stay inside the workspace, and inside what a file declares.

use super::{Effect, Failure, Refused};
use crate::yield_error::short;
use holdpoint_workspace::{Held, InsidePath, Links, PathError, Workspace, is_hidden};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

/// Where a script's effects may happen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sandbox {
    /// The workspace, with no link in its path once it is opened.
    pub root: PathBuf,
    workspace: Option<Workspace>,
    /// What no script may touch, even inside the workspace, nor what lies beside it under its name:
    /// the journal with its keys.
    pub private: Vec<PathBuf>,
    /// Files that a person gave in this call, with their digests: they may be read as they are.
    pub given: HashMap<String, String>,
}

impl Sandbox {
    pub fn new(workspace: PathBuf, private: Vec<PathBuf>) -> Self {
        Self {
            root: workspace,
            private,
            ..Self::default()
        }
    }

    /// Finds out where it really is, before the first effect: most scripts have none.
    pub fn open(&mut self) {
        if self.workspace.is_some() {
            return;
        }
        for path in self.private.iter_mut().chain([&mut self.root]) {
            if let Ok(real) = path.canonicalize() {
                *path = real;
            }
        }
        self.workspace = Workspace::open(&self.root).ok();
    }

    /// Whether this only reads a file that a person gave in this call.
    pub fn is_given(&self, effect: &Effect) -> bool {
        matches!(effect, Effect::Read(read) if self.given.contains_key(&read.path))
    }

    /// Checks that a path lies under what the file declares for this.
    pub fn check_declared(
        &self,
        path: &str,
        key: &'static str,
        declared: &[String],
    ) -> Result<(), Refused> {
        if key == "read" && self.given.contains_key(path) {
            return Ok(());
        }
        let inside = self.path(path).map_err(Refused::Path)?;
        // What is hidden decides what runs: to write it, a file declares it by its name.
        let covers = |folder: &String| {
            let Ok(folder) = self.path(folder) else {
                return false;
            };
            let below = inside.full().strip_prefix(folder.full());
            below.is_ok_and(|below| {
                let mut parts = below.iter().map(|part| part.to_string_lossy());
                key == "read" || !parts.any(|part| is_hidden(&part) && !is_guarded(&part))
            })
        };
        if declared.iter().any(covers) {
            return Ok(());
        }
        let name = short(path);
        Err(Refused::Undeclared {
            verb: key,
            entry: name.clone(),
            name,
            key,
        })
    }

    /// A path from the workspace, by its name alone.
    pub fn path(&self, path: &str) -> Result<InsidePath, Failure> {
        let given = if path.is_empty() { "." } else { path };
        let inside = self.workspace()?.path_by_name(given);
        inside.map_err(|error| refused(path, error))
    }

    fn workspace(&self) -> Result<&Workspace, Failure> {
        let missing = || Failure::io("the workspace", &std::io::ErrorKind::NotFound.into());
        self.workspace.as_ref().ok_or_else(missing)
    }

    /// Whether a path is one that no script may touch.
    fn is_private(&self, path: &Path) -> bool {
        let name = |path: &Path| Some(path.file_name()?.to_string_lossy().to_lowercase());
        let is_beside = |path: &Path, private: &PathBuf| {
            let begins = name(private)
                .is_some_and(|private| name(path).unwrap_or_default().starts_with(&private));
            path.parent() == private.parent() && begins
        };
        let is_private = |path: &Path| self.private.iter().any(|private| is_beside(path, private));
        path.ancestors().any(is_private)
    }

    /// Opens the folder of a path. A link on the way is refused, wherever it leads.
    pub(super) fn hold(&self, path: &str, create: bool) -> Result<Held, Failure> {
        let (inside, shown) = (self.path(path)?, short(path));
        if self.is_private(inside.full()) {
            return Err(Failure::new(format!("{shown} is Holdpoint's own")));
        }
        if create && inside.parts().any(is_guarded) {
            return Err(Failure::new(format!(
                "{shown} is not a script's to write: what lies in .git and .holdpoint decides what runs"
            )));
        }
        let held = self.workspace()?.hold(&inside, Links::Refuse, create);
        held.map_err(|error| refused(path, error))
    }
}

/// Why a path cannot be used, for a script.
fn refused(path: &str, error: PathError) -> Failure {
    let shown = short(path);
    Failure::new(match error {
        PathError::Io { source, .. } => return Failure::io(shown, &source),
        PathError::Outside(_) => format!("{shown} is outside the workspace"),
        PathError::Root(_) => format!("{shown} is the workspace itself"),
        PathError::Link(_) => format!("{shown} leads through a link, and scripts follow none"),
        other => other.to_string(),
    })
}

/// Whether what lies under this name decides what runs, on file systems of every kind.
fn is_guarded(part: &str) -> bool {
    let plain = part.trim_end_matches(['.', ' ']).to_lowercase();
    matches!(plain.as_str(), ".git" | ".holdpoint" | "git~1")
}
