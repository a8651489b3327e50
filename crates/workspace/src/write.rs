//! Writing files: each is there whole, or not at all.

use crate::{Access, Draft, Folder};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

impl Folder {
    /// Begins a file that will be in this folder under its name once it is whole.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn draft(&self, access: Access) -> io::Result<Draft> {
        Draft::new(self, access)
    }

    /// Replaces a file whole, or makes it, durably.
    ///
    /// # Errors
    /// When it cannot be written. The old file is there then.
    pub fn replace(&self, name: &str, bytes: &[u8], access: Access) -> io::Result<()> {
        let mut draft = self.draft(access)?;
        draft.write(bytes)?;
        draft.replace(name)
    }

    /// Makes a file whole and durably; false where something of this name is there already.
    ///
    /// # Errors
    /// When it cannot be written. There is nothing then.
    pub fn create_file(&self, name: &str, bytes: &[u8], access: Access) -> io::Result<bool> {
        let mut draft = self.draft(access)?;
        draft.write(bytes)?;
        draft.create(name)
    }

    /// Makes a file under the first of these names that is free, and gives the name. A file that is
    /// there already and holds exactly this is taken for it: the same was written before.
    ///
    /// # Errors
    /// When it cannot be written, or every name is taken.
    pub fn create_under_free_name(
        &self,
        names: impl Iterator<Item = String>,
        bytes: &[u8],
    ) -> io::Result<String> {
        for name in names {
            let same = |there: Vec<u8>| there == bytes;
            if self.read(&name, bytes.len() as u64).is_ok_and(same) {
                return Ok(name);
            }
            if !self.has(&name) && self.create_file(&name, bytes, Access::Shared)? {
                return Ok(name);
            }
        }
        Err(io::Error::other("every name is taken"))
    }
}

/// Replaces a file whole, or makes it with the folders above it. What a link leads to is replaced, and
/// the link stays; permissions stay as well.
///
/// # Errors
/// When it is read-only, or cannot be written. The old file is there then.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = follow_links(path)?;
    if fs::metadata(&target).is_ok_and(|about| about.permissions().readonly()) {
        return Err(io::Error::other("it is read-only"));
    }
    let name = target.file_name().and_then(|name| name.to_str());
    let (Some(folder), Some(name)) = (target.parent(), name) else {
        return Err(io::Error::other("this is not the path of a file"));
    };
    let folder = if folder == Path::new("") {
        Folder::open(Path::new("."))?
    } else {
        Folder::create(folder, Access::Shared)?
    };
    folder.replace(name, bytes, Access::Shared)
}

/// What a link leads to in the end, wherever that is; it need not be there yet. Whoever replaces that
/// leaves the link as it is.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        match path.read_link() {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_link_stays_when_its_file_is_replaced() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        symlink("real/file", at("link")).unwrap();
        replace_file(&at("link"), b"one").unwrap();
        replace_file(&at("link"), b"two").unwrap();
        assert!(at("link").is_symlink());
        assert_eq!(fs::read_to_string(at("real/file")).unwrap(), "two");
        fs::set_permissions(at("real/file"), fs::Permissions::from_mode(0o400)).unwrap();
        let refused = replace_file(&at("link"), b"three").unwrap_err();
        assert_eq!(refused.to_string(), "it is read-only");
        assert_eq!(fs::read_to_string(at("real/file")).unwrap(), "two");
    }

    #[test]
    fn the_first_free_name() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path()).unwrap();
        let names = || (1..4).map(|number| format!("{number}.md"));
        let create = |text: &str| folder.create_under_free_name(names(), text.as_bytes());
        assert_eq!(create("a").unwrap(), "1.md");
        assert_eq!(create("a").unwrap(), "1.md");
        assert_eq!(create("b").unwrap(), "2.md");
        assert_eq!(create("").unwrap(), "3.md");
        assert!(create("c").is_err());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn links_to_what_is_not_there_yet() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        std::os::unix::fs::symlink("two", at("one")).unwrap();
        std::os::unix::fs::symlink("three", at("two")).unwrap();
        std::os::unix::fs::symlink("circle", at("circle")).unwrap();
        assert_eq!(follow_links(&at("one")).unwrap(), at("three"));
        assert_eq!(follow_links(&at("plain")).unwrap(), at("plain"));
        assert!(follow_links(&at("circle")).is_err());
    }
}
