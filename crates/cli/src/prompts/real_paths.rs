//! Where paths really lead, for the rules.

use holdpoint_policy::{Paths, RealPath};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The paths of this machine.
#[derive(Debug)]
pub struct Disk;

impl Paths for Disk {
    fn real(&self, path: &str) -> RealPath {
        let asked = Path::new(path);
        let Some(real) = resolve(asked) else {
            return RealPath::Unknown;
        };
        if real == asked {
            return RealPath::Same;
        }
        match real.into_os_string().into_string() {
            Ok(real) => RealPath::Elsewhere(real),
            Err(_) => RealPath::Unknown,
        }
    }
}

/// Follows every link. Of a file that is to be made, the folder above is followed.
fn resolve(path: &Path) -> Option<PathBuf> {
    match fs::canonicalize(path) {
        Ok(real) => Some(real),
        // A link that leads nowhere: what would be made there is not known.
        Err(_) if path.symlink_metadata().is_ok() => None,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let above = resolve(path.parent()?)?;
            Some(above.join(path.file_name()?))
        }
        Err(_) => None,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_also_to_what_is_not_there_yet() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let at = |name: &str| root.join(name).to_str().unwrap().to_owned();
        fs::create_dir(root.join("real")).unwrap();
        symlink(root.join("real"), root.join("link")).unwrap();
        symlink(root.join("nowhere"), root.join("broken")).unwrap();
        assert_eq!(Disk.real(&at("real")), RealPath::Same);
        assert_eq!(Disk.real(&at("real/new/file")), RealPath::Same);
        let elsewhere = RealPath::Elsewhere(at("real/new"));
        assert_eq!(Disk.real(&at("link/new")), elsewhere);
        assert_eq!(Disk.real(&at("broken")), RealPath::Unknown);
        assert_eq!(Disk.real(&at("broken/below")), RealPath::Unknown);
    }
}
