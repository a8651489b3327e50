//! The folder that an agent or a script works in: nothing in it leads outside.

use crate::{Folder, InsidePath, PathError, ReadError};
use std::{
    io,
    path::{Component, Path, PathBuf},
};

/// The folder that an agent or a script works in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// With no link in it.
    root: PathBuf,
}

/// Whether links may be on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// None: what one leads to could change between a look and a use.
    Refuse,
    /// Those that lead somewhere in the workspace; what they lead to is looked up once, and then no
    /// link is followed.
    StayInside,
}

/// A file in a folder that is held open: nothing on the way to it can be swapped any more.
#[derive(Debug)]
pub struct Held {
    /// The folder.
    pub folder: Folder,
    /// The file's name in it.
    pub name: String,
}

impl Workspace {
    /// The folder of this path, with all links in the path followed.
    ///
    /// # Errors
    /// When it is not a folder that is there.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let root = folder.canonicalize()?;
        // A file can be canonicalized too.
        if !root.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { root })
    }

    /// The same where the folder may be missing, or may come later: nothing in it can be used then.
    pub fn at(folder: PathBuf) -> Self {
        let root = folder.canonicalize().unwrap_or(folder);
        Self { root }
    }

    /// The folder that was recorded when a call was opened; the usual one where none was.
    ///
    /// # Errors
    /// When it is not a folder that is there.
    pub fn open_recorded(recorded: Option<&str>, usual: &Path) -> Result<Self, PathError> {
        let folder = recorded.map_or(usual, Path::new);
        Self::open(folder).map_err(|source| PathError::Io {
            path: folder.display().to_string(),
            source,
        })
    }

    /// The folder itself, with no link in its path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path that was given from the workspace, or with all of its folders.
    ///
    /// # Errors
    /// When it is outside, or a folder on the way leads there.
    pub fn path(&self, given: &str) -> Result<InsidePath, PathError> {
        let path = self.path_by_name(given)?;
        let is_inside = match path.full.parent() {
            Some(folder) if path.full != self.root => self.contains(folder),
            _ => true,
        };
        if is_inside {
            Ok(path)
        } else {
            Err(PathError::Outside(given.to_owned()))
        }
    }

    /// The same by its name alone, without a look at the disk: a folder on the way may still be a
    /// link that leads outside.
    ///
    /// # Errors
    /// When the name is not one of a place inside.
    pub fn path_by_name(&self, given: &str) -> Result<InsidePath, PathError> {
        if given.trim().is_empty() {
            return Err(PathError::Empty);
        }
        if given.contains('\0') {
            return Err(PathError::Nul);
        }
        let outside = || PathError::Outside(given.to_owned());
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
                Component::Normal(part) => parts.push(part.to_str().ok_or(PathError::NotText)?),
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
        Ok(InsidePath { name, full })
    }

    /// A file that is there, with every link on the way followed and still inside. It keeps the name
    /// that it was given.
    ///
    /// # Errors
    /// When it is not there, is not a file, or a link leads outside.
    pub fn file(&self, given: &str) -> Result<InsidePath, PathError> {
        let path = self.path(given)?;
        let given = given.to_owned();
        match path.full.canonicalize() {
            Ok(real) if !real.starts_with(&self.root) => Err(PathError::LeadsOutside(given)),
            Ok(real) if !real.is_file() => Err(PathError::NotAFile(given)),
            Ok(full) => Ok(InsidePath { full, ..path }),
            Err(source) => Err(PathError::Read {
                path: given,
                source: source.into(),
            }),
        }
    }

    /// Whether a folder, as far as it is there, is in the workspace with all links followed.
    pub fn contains(&self, folder: &Path) -> bool {
        self.resolve(folder).is_some()
    }

    /// Opens the folder of a path, one part after the other; with `create` it is made where it is
    /// missing. Nothing on the way to it can be swapped from then on.
    ///
    /// # Errors
    /// When a link is on the way that may not be, or a folder cannot be opened or made.
    pub fn hold(&self, path: &InsidePath, links: Links, create: bool) -> Result<Held, PathError> {
        let root = || PathError::Root(path.name.clone());
        let name = path.full.file_name().filter(|_| path.full != self.root);
        let name = name.ok_or_else(root)?;
        let parent = InsidePath {
            name: path.name.clone(),
            full: path.full.parent().ok_or_else(root)?.to_owned(),
        };
        let folder = self.open_folder(&parent, links, create)?;
        if path.leads_to_hidden(Path::new(name)) {
            return Err(PathError::Hidden(path.name.clone()));
        }
        let name = name.to_str().ok_or(PathError::NotText)?.to_owned();
        if links == Links::Refuse && folder.is_link(&name) {
            return Err(PathError::Link(path.name.clone()));
        }
        Ok(Held { folder, name })
    }

    /// Opens a folder of the workspace, as [`Workspace::hold`] does.
    ///
    /// # Errors
    /// As there.
    pub fn open_folder(
        &self,
        path: &InsidePath,
        links: Links,
        create: bool,
    ) -> Result<Folder, PathError> {
        let given = || path.name.clone();
        let failed = |source| PathError::Io {
            path: given(),
            source,
        };
        let full = match links {
            Links::Refuse => path.full.clone(),
            Links::StayInside => self
                .resolve(&path.full)
                .ok_or_else(|| PathError::LeadsOutside(given()))?,
        };
        let below = full
            .strip_prefix(&self.root)
            .map_err(|_| PathError::Outside(given()))?;
        if path.leads_to_hidden(below) {
            return Err(PathError::Hidden(given()));
        }
        let mut folder = Folder::open(&self.root).map_err(failed)?;
        for part in below {
            let part = part.to_str().ok_or(PathError::NotText)?;
            let next = if create {
                folder.folder_or_new(part)
            } else {
                folder.folder(part)
            };
            folder = next.map_err(|error| {
                if folder.is_link(part) {
                    PathError::Link(given())
                } else {
                    failed(error)
                }
            })?;
        }
        Ok(folder)
    }

    /// Reads a file of at most so many bytes. Links are followed as far as they stay inside.
    ///
    /// # Errors
    /// When it is not a file inside, or cannot be read.
    pub fn read(&self, given: &str, most: u64) -> Result<Vec<u8>, PathError> {
        // Its links are followed: any that is found from now on was put there meanwhile.
        let held = self.hold(&self.file(given)?, Links::Refuse, false)?;
        let read = held.folder.read(&held.name, most);
        read.map_err(|source| PathError::Read {
            path: given.to_owned(),
            source,
        })
    }

    /// Reads a text file, as [`Workspace::read`] does.
    ///
    /// # Errors
    /// As there, and when it is not UTF-8.
    pub fn read_text(&self, given: &str, most: u64) -> Result<String, PathError> {
        String::from_utf8(self.read(given, most)?).map_err(|_| PathError::Read {
            path: given.to_owned(),
            source: ReadError::NotText,
        })
    }

    /// A path with all links followed as far as it is there; none where that is outside.
    fn resolve(&self, full: &Path) -> Option<PathBuf> {
        let (there, real) = full
            .ancestors()
            .find_map(|there| Some((there, there.canonicalize().ok()?)))?;
        let missing = full.strip_prefix(there).ok()?;
        real.starts_with(&self.root).then(|| real.join(missing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;
    use std::fs;

    struct Stage {
        _folder: tempfile::TempDir,
        outer: PathBuf,
        workspace: Workspace,
    }

    fn stage() -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let outer = folder.path().canonicalize().unwrap();
        let root = outer.join("work");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src/a b.rs"), "text").unwrap();
        fs::write(outer.join("secret"), "secret").unwrap();
        #[cfg(unix)]
        for (to, link) in [
            (outer.clone(), "out"),
            (outer.join("secret"), "link"),
            ("src".into(), "near"),
            (root.join("src/a b.rs"), "absolute"),
        ] {
            std::os::unix::fs::symlink(to, root.join(link)).unwrap();
        }
        Stage {
            _folder: folder,
            workspace: Workspace::open(&root).unwrap(),
            outer,
        }
    }

    #[test]
    fn paths_stay_inside() {
        let Stage { workspace, .. } = &stage();
        let name = |given: &str| workspace.path(given).map(|path| path.name);
        assert_eq!(name("src/a b.rs").unwrap(), "src/a b.rs");
        assert_eq!(name("./src/../src/new/ä.rs").unwrap(), "src/new/ä.rs");
        assert_eq!(name("-rf").unwrap(), "-rf");
        assert_eq!(name(".").unwrap(), ".");
        let full = workspace.root().join("src/x.rs");
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
            assert_eq!(workspace.file("absolute").unwrap().name(), "absolute");
        }
    }

    #[test]
    fn names_are_joined_one_by_one() {
        let Stage { workspace, .. } = &stage();
        let root = workspace.path(".").unwrap();
        let src = root.join("src").unwrap();
        assert_eq!((src.name(), src.last()), ("src", "src"));
        let file = src.join("x.rs").unwrap();
        assert_eq!((file.name(), file.last()), ("src/x.rs", "x.rs"));
        assert_eq!(file.parent(), Some(src.clone()));
        assert_eq!((root.parent(), src.parent()), (None, None));
        assert_eq!(file.parts().collect::<Vec<_>>(), ["src", "x.rs"]);
        assert_eq!(root.parts().count(), 0);
        for path in ["..", ".", "", "a/b", "/"] {
            assert!(src.join(path).is_none(), "{path:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_refused_or_stay_inside() {
        let Stage {
            workspace, outer, ..
        } = &stage();
        let read = |given: &str, links| {
            let path = workspace.path_by_name(given).unwrap();
            let held = workspace.hold(&path, links, false);
            held.and_then(|held| {
                let read = held.folder.read_text(&held.name, 99);
                read.map_err(|_| PathError::NotAFile(given.to_owned()))
            })
            .map_err(|error| error.to_string())
        };
        let text = Ok("text".to_owned());
        assert_eq!(read("src/a b.rs", Links::Refuse), text);
        assert_eq!(read("near/a b.rs", Links::StayInside), text);
        let link = "\"near/a b.rs\" leads through a link, and no link is followed here";
        assert_eq!(read("near/a b.rs", Links::Refuse).unwrap_err(), link);
        let outside = "\"out/secret\" leads outside the workspace; expected a path inside it";
        assert_eq!(read("out/secret", Links::StayInside).unwrap_err(), outside);
        assert!(read("link", Links::StayInside).is_err() && read("link", Links::Refuse).is_err());
        assert!(read(".", Links::Refuse).is_err());
        // Folders are made where the way leads, and nowhere else.
        let make = |given: &str, links| {
            let path = workspace.path_by_name(given).unwrap();
            let held = workspace.hold(&path, links, true)?;
            let made = held.folder.create_file(&held.name, b"new", Access::Shared);
            Ok::<_, PathError>(made.unwrap())
        };
        assert!(make("near/new/file", Links::StayInside).unwrap());
        assert!(workspace.root().join("src/new/file").exists());
        assert!(make("near/new/file", Links::Refuse).is_err());
        assert!(make("out/new/file", Links::StayInside).is_err());
        assert!(!outer.join("new").exists());
        let text = |given: &str| {
            workspace
                .read_text(given, 9)
                .map_err(|error| error.to_string())
        };
        for given in ["absolute", "near/a b.rs", "src/a b.rs"] {
            assert_eq!(text(given).unwrap(), "text");
        }
        let refused = "\"src/none\" cannot be read: there is no such file";
        assert_eq!(text("src/none").unwrap_err(), refused);
        assert!(text("out/secret").is_err() && text("link").is_err() && text("src").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_to_what_is_hidden() {
        let Stage { workspace, .. } = &stage();
        let root = workspace.root();
        fs::create_dir_all(root.join(".git/hooks")).unwrap();
        fs::create_dir(root.join(".github")).unwrap();
        fs::write(root.join(".mcp.json"), "{}").unwrap();
        for (target, name) in [
            (".git", "plans"),
            ("../.git/hooks", "src/hooks"),
            (".mcp.json", "AGENTS.md"),
        ] {
            std::os::unix::fs::symlink(target, root.join(name)).unwrap();
        }
        std::os::unix::fs::symlink("../.git/hooks", root.join(".github/prompts")).unwrap();
        let open = |given: &str| {
            let path = workspace.path(given)?;
            workspace.open_folder(&path, Links::StayInside, true)
        };
        for given in [
            "plans",
            "plans/new",
            "src/hooks",
            "src/hooks/x",
            ".github/prompts",
        ] {
            assert!(matches!(open(given), Err(PathError::Hidden(_))), "{given}");
        }
        assert!(!root.join(".git/new").exists());
        for given in [".github", ".github/new", "src/new"] {
            assert!(open(given).is_ok(), "{given}");
        }
        let file = workspace.file("AGENTS.md").unwrap();
        let held = workspace.hold(&file, Links::StayInside, true);
        assert!(matches!(held, Err(PathError::Hidden(_))));
        for given in [".git", "src/.x/y", "GIT~1/x", "./.vscode"] {
            let hidden = workspace.path(given).and_then(InsidePath::not_hidden);
            assert!(matches!(hidden, Err(PathError::Hidden(_))), "{given}");
        }
        for given in [".", "src", "src/a b.rs"] {
            assert!(
                workspace.path(given).unwrap().not_hidden().is_ok(),
                "{given}"
            );
        }
    }
}
