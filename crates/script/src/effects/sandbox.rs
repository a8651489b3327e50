//! Paths that stay inside the workspace, and inside what a file declares.

use super::{Effect, Failure};
use cap_fs_ext::DirExt;
use cap_std::{ambient_authority, fs::Dir};
use std::{
    collections::HashMap,
    path::{Component, Path, PathBuf},
};

/// Where a script's effects may happen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sandbox {
    /// The workspace, with no link in its path once it is surveyed.
    pub root: PathBuf,
    /// What no script may touch, even inside the workspace, nor what lies beside it under its name:
    /// the journal with its keys.
    pub private: Vec<PathBuf>,
    /// Files that a person gave in this call, with their digests: they may be read as they are.
    pub given: HashMap<String, String>,
    surveyed: bool,
}

/// A file in a folder that is held open: nothing on the way to it can be swapped any more.
pub(super) struct Held {
    pub folder: Dir,
    pub name: String,
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
    pub fn survey(&mut self) {
        if !std::mem::replace(&mut self.surveyed, true) {
            for path in self.private.iter_mut().chain([&mut self.root]) {
                if let Ok(plain) = path.canonicalize() {
                    *path = plain;
                }
            }
        }
    }

    /// Whether this only reads a file that a person gave in this call.
    pub fn is_given(&self, effect: &Effect) -> bool {
        matches!(effect, Effect::Read(read) if self.given.contains_key(&read.path))
    }

    /// Whether a path lies under what the file declares for this.
    pub fn declared(&self, path: &str, what: &str, declared: &[String]) -> Result<(), String> {
        if what == "read" && self.given.contains_key(path) {
            return Ok(());
        }
        let parts = self.parts(path)?;
        let covers = |folder: &String| {
            self.parts(folder)
                .is_ok_and(|folder| parts.starts_with(&folder))
        };
        if declared.iter().any(covers) {
            return Ok(());
        }
        let path = crate::yields::short(path);
        Err(format!(
            "this file does not declare that it may {what} {path}: \
             `export const permissions = {{ {what}: ['{path}'] }}` would"
        ))
    }

    /// The parts of a path from the workspace.
    pub fn parts(&self, path: &str) -> Result<Vec<String>, String> {
        let shown = || crate::yields::short(path);
        let outside = || format!("{} lies outside the workspace", shown());
        if path.contains('\0') {
            return Err("a path has no NUL in it".into());
        }
        let given = Path::new(path);
        let given = if given.is_absolute() {
            given.strip_prefix(&self.root).map_err(|_| outside())?
        } else {
            given
        };
        let mut parts = Vec::new();
        for part in given.components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    parts.pop().ok_or_else(outside)?;
                }
                Component::Normal(part) => {
                    let part = part
                        .to_str()
                        .ok_or_else(|| format!("{} is no text", shown()))?;
                    parts.push(part.to_owned());
                }
                Component::RootDir | Component::Prefix(_) => return Err(outside()),
            }
        }
        Ok(parts)
    }

    /// Whether a path is one that no script may touch.
    fn is_private(&self, parts: &[String]) -> bool {
        let full = self.root.join(parts.iter().collect::<PathBuf>());
        let name = |path: &Path| Some(path.file_name()?.to_string_lossy().to_lowercase());
        let beside = |path: &Path, kept: &PathBuf| {
            let begins =
                name(kept).is_some_and(|kept| name(path).unwrap_or_default().starts_with(&kept));
            path.parent() == kept.parent() && begins
        };
        let kept = |path: &Path| self.private.iter().any(|kept| beside(path, kept));
        full.ancestors().any(kept)
    }

    /// Opens the folder of a path, one part after the other. A link on the way is refused, wherever
    /// it leads: what it leads to could change between a look and a use.
    pub(super) fn hold(&self, path: &str, create: bool) -> Result<Held, Failure> {
        let mut parts = self.parts(path).map_err(Failure::new)?;
        let shown = crate::yields::short(path);
        if self.is_private(&parts) {
            return Err(Failure::new(format!("{shown} is Holdpoint's own")));
        }
        if create && parts.iter().any(|part| is_guarded(part)) {
            return Err(Failure::new(format!(
                "{shown} is not a script's to write: what lies in .git and .holdpoint decides what runs"
            )));
        }
        let name = parts
            .pop()
            .ok_or_else(|| Failure::new(format!("{shown} is the workspace itself")))?;
        let mut folder = Dir::open_ambient_dir(&self.root, ambient_authority())
            .map_err(|error| Failure::io("the workspace", &error))?;
        for part in &parts {
            let next = folder.open_dir_nofollow(part);
            folder = match next {
                Err(error) if create && error.kind() == std::io::ErrorKind::NotFound => {
                    match folder.create_dir(part) {
                        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                            return Err(Failure::io(&shown, &error));
                        }
                        _ => folder.open_dir_nofollow(part),
                    }
                }
                next => next,
            }
            .map_err(|error| {
                if folder.is_link(part) {
                    linked(&shown)
                } else {
                    Failure::io(&shown, &error)
                }
            })?;
        }
        if folder.is_link(&name) {
            return Err(linked(&shown));
        }
        Ok(Held { folder, name })
    }
}

trait Links {
    fn is_link(&self, name: &str) -> bool;
}

impl Links for Dir {
    fn is_link(&self, name: &str) -> bool {
        self.symlink_metadata(name)
            .is_ok_and(|about| about.is_symlink())
    }
}

fn linked(shown: &str) -> Failure {
    Failure::new(format!(
        "{shown} leads over a link, and scripts follow none"
    ))
}

/// Whether what lies under this name decides what runs, on file systems of every kind.
fn is_guarded(part: &str) -> bool {
    let plain = part.trim_end_matches(['.', ' ']).to_lowercase();
    matches!(plain.as_str(), ".git" | ".holdpoint" | "git~1")
}
