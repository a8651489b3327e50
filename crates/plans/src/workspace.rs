//! Paths that stay inside the folder that the agent works in.

use holdpoint::ToolContext;
use holdpoint::tool::ToolError;
use std::{
    io,
    path::{Component, Path, PathBuf},
};

/// The folder that the agent works in.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    pub root: PathBuf,
}

/// A path inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inside {
    /// From the workspace, with `/` between its parts.
    pub name: String,
    pub full: PathBuf,
}

impl Workspace {
    /// The one that was recorded when the call was opened; the server's own where there is none.
    pub fn of(cx: &ToolContext, usual: &Path) -> Result<Self, ToolError> {
        let recorded = cx.workspace().map(PathBuf::from);
        let root = recorded.unwrap_or_else(|| usual.to_owned());
        let root = root.canonicalize().map_err(|error| {
            ToolError::File(format!(
                "the workspace {} cannot be read: {error}",
                root.display()
            ))
        })?;
        Ok(Self { root })
    }

    /// A path that was given from the workspace, or with all of its folders. Its last part may be
    /// a link, or missing; no folder before it may lead outside.
    pub fn inside(&self, given: &str) -> Result<Inside, String> {
        if given.trim().is_empty() {
            return Err("expected a path in the workspace, and it is empty".into());
        }
        if given.contains('\0') {
            return Err("expected a path, and there is a NUL in it".into());
        }
        let outside = || format!("{given:?} is outside the workspace; expected a path inside it");
        let path = Path::new(given);
        let path = if path.is_absolute() {
            path.strip_prefix(&self.root).map_err(|_| outside())?
        } else {
            path
        };
        let mut parts: Vec<&str> = Vec::new();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::Normal(part) => {
                    parts.push(part.to_str().ok_or("expected a path that is text")?);
                }
                Component::ParentDir => drop(parts.pop().ok_or_else(outside)?),
                Component::RootDir | Component::Prefix(_) => return Err(outside()),
            }
        }
        let name = if parts.is_empty() {
            ".".to_owned()
        } else {
            parts.join("/")
        };
        let full = self.root.join(parts.iter().collect::<PathBuf>());
        let folder = full.parent().filter(|_| !parts.is_empty()).unwrap_or(&full);
        if self.holds(folder) {
            Ok(Inside { name, full })
        } else {
            Err(outside())
        }
    }

    /// A path to a file that is there, with every link on the way followed and still inside.
    pub fn file(&self, given: &str) -> Result<Inside, String> {
        let inside = self.inside(given)?;
        match inside.full.canonicalize() {
            Ok(real) if !real.starts_with(&self.root) => Err(format!(
                "{given:?} leads outside the workspace; expected a path inside it"
            )),
            Ok(real) if !real.is_file() => Err(format!(
                "{given:?} is not a file; expected a file in the workspace"
            )),
            Ok(full) => Ok(Inside { full, ..inside }),
            Err(error) => Err(format!("{given:?} cannot be read: {}", plain(&error))),
        }
    }

    /// Whether a folder, as far as it is there, is in the workspace with all links followed.
    pub fn holds(&self, folder: &Path) -> bool {
        let there = folder
            .ancestors()
            .find_map(|folder| folder.canonicalize().ok());
        there.is_some_and(|there| there.starts_with(&self.root))
    }
}

/// The words of an error without its number.
pub(crate) fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "there is no permission".into(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn paths_stay_inside() {
        let folder = tempfile::tempdir().unwrap();
        let outer = folder.path().canonicalize().unwrap();
        let root = outer.join("work");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src/a b.rs"), "").unwrap();
        fs::write(outer.join("secret"), "").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outer, root.join("out")).unwrap();
            std::os::unix::fs::symlink(outer.join("secret"), root.join("link")).unwrap();
        }
        let workspace = Workspace { root: root.clone() };
        let name = |given: &str| workspace.inside(given).map(|inside| inside.name);
        assert_eq!(name("src/a b.rs").unwrap(), "src/a b.rs");
        assert_eq!(name("./src/../src/new/ä.rs").unwrap(), "src/new/ä.rs");
        assert_eq!(name("-rf").unwrap(), "-rf");
        assert_eq!(name(".").unwrap(), ".");
        let full = root.join("src/x.rs");
        assert_eq!(name(full.to_str().unwrap()).unwrap(), "src/x.rs");
        for outside in [
            "",
            " ",
            "..",
            "../secret",
            "src/../../x",
            "/etc/passwd",
            "a\0b",
        ] {
            assert!(name(outside).is_err(), "{outside:?}");
        }
        assert!(workspace.file("src/a b.rs").is_ok());
        assert!(workspace.file("src").is_err());
        assert!(workspace.file("src/missing").is_err());
        #[cfg(unix)]
        {
            assert!(name("out/secret").is_err());
            // Git keeps a link as a link; only reading through it would leave.
            assert_eq!(name("link").unwrap(), "link");
            assert!(workspace.file("link").is_err());
        }
    }
}
