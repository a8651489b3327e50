//! Files of this process, made of what is kept in a vault: a flow reads files.

use crate::sync::lock;
use std::{
    env,
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Mutex,
};
use uuid::Uuid;

/// The files, in a folder that only this user may read and that is removed with this.
#[derive(Debug, Default)]
pub(crate) struct FetchedFiles(Mutex<Option<PathBuf>>);

impl FetchedFiles {
    /// Makes a file of this name in the folder of this name.
    pub fn write(&self, folder: &str, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let folder = self.root()?.join(folder);
        match make_folder(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        // Whole at once: the same file may be wanted twice.
        let (path, draft) = (folder.join(name), folder.join(Uuid::now_v7().to_string()));
        new_file(&draft)?.write_all(bytes)?;
        fs::rename(draft, &path)?;
        Ok(path)
    }

    fn root(&self) -> io::Result<PathBuf> {
        let mut root = lock(&self.0);
        if let Some(root) = &*root {
            return Ok(root.clone());
        }
        let path = env::temp_dir().join(format!("holdpoint-{}", Uuid::now_v7()));
        make_folder(&path)?;
        Ok(root.insert(path).clone())
    }
}

impl Drop for FetchedFiles {
    fn drop(&mut self) {
        if let Some(root) = lock(&self.0).take() {
            let _ = fs::remove_dir_all(root);
        }
    }
}

/// Makes a folder that was not there.
fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn new_file(path: &Path) -> io::Result<fs::File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_their_owner_reads_them_and_they_go_with_it() {
        let files = FetchedFiles::default();
        let path = files.write("ask", "plan.md", b"one").unwrap();
        assert_eq!(files.write("ask", "plan.md", b"one").unwrap(), path);
        let other = files.write("other", "plan.md", b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read(&other).unwrap(), b"two");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&path), 0o600);
            let folder = path.parent().unwrap();
            assert_eq!(
                (mode(folder), mode(folder.parent().unwrap())),
                (0o700, 0o700)
            );
        }
        drop(files);
        assert!(!path.exists());
    }
}
