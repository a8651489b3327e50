//! Reading a file: an ordinary one, of a bounded size.

use crate::{
    Folder,
    folder::{no_follow, one_name},
    io_message::describe,
};
use cap_fs_ext::OpenOptionsSyncExt;
use cap_std::{
    ambient_authority,
    fs::{File, OpenOptions},
};
use std::{
    io::{self, Read},
    path::Path,
};

/// The most bytes of a file of the workspace that are read at once: whoever can write there could
/// otherwise take all memory.
pub const MOST_READ: u64 = 4 << 20;

/// Why a file was not read. It says nothing about which file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refuses.
    #[error("{}", describe(.0))]
    Io(io::Error),
    /// It is a link, a pipe or a device.
    #[error("it is not an ordinary file")]
    NotAFile,
    /// It is larger than anybody wants.
    #[error("it has {size} bytes, and at most {most} are read")]
    TooLarge {
        /// How many bytes it has.
        size: u64,
        /// How many are read.
        most: u64,
    },
    /// It is not text.
    #[error("it is not UTF-8 text")]
    NotText,
}

// Not its source: what it says is said already.
impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl ReadError {
    /// Whether there is no such file.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// Reads a file of at most so many bytes by its path. Links are followed, and a pipe is not waited for.
///
/// # Errors
/// When it cannot be read, is not an ordinary file, or is too large.
pub fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true);
    read_whole(
        File::open_ambient_with(path, &options, ambient_authority())?,
        most,
    )
}

/// Reads a text file by its path, as [`read_file`] does.
///
/// # Errors
/// As [`read_file`], and when it is not UTF-8.
pub fn read_text_file(path: &Path, most: u64) -> Result<String, ReadError> {
    String::from_utf8(read_file(path, most)?).map_err(|_| ReadError::NotText)
}

fn read_whole(file: File, most: u64) -> Result<Vec<u8>, ReadError> {
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    }
    if !about.is_file() {
        return Err(ReadError::NotAFile);
    }
    let size = about.len();
    if size > most {
        return Err(ReadError::TooLarge { size, most });
    }
    let mut bytes = Vec::new();
    // It may grow while it is read.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    let size = bytes.len() as u64;
    if size > most {
        return Err(ReadError::TooLarge { size, most });
    }
    Ok(bytes)
}

impl Folder {
    /// Reads a file of at most so many bytes. No link is followed, and a pipe is not waited for.
    ///
    /// # Errors
    /// When it cannot be read, is not an ordinary file, or is too large.
    pub fn read(&self, name: &str, most: u64) -> Result<Vec<u8>, ReadError> {
        if self.is_link(name) {
            return Err(ReadError::NotAFile);
        }
        let mut options = no_follow();
        options.read(true).nonblock(true);
        read_whole(self.dir.open_with(one_name(name)?, &options)?, most)
    }

    /// Reads a text file of at most so many bytes, as [`Folder::read`] does.
    ///
    /// # Errors
    /// As [`Folder::read`], and when it is not UTF-8.
    pub fn read_text(&self, name: &str, most: u64) -> Result<String, ReadError> {
        String::from_utf8(self.read(name, most)?).map_err(|_| ReadError::NotText)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_read_and_what_is_not() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::write(at("text"), "four").unwrap();
        fs::write(at("bytes"), [0xff]).unwrap();
        fs::create_dir(at("folder")).unwrap();
        let folder = Folder::open(root.path()).unwrap();
        assert_eq!(folder.read_text("text", 4).unwrap(), "four");
        let refused = |name: &str, most| folder.read_text(name, most).unwrap_err().to_string();
        assert_eq!(refused("text", 3), "it has 4 bytes, and at most 3 are read");
        assert_eq!(refused("bytes", 9), "it is not UTF-8 text");
        assert_eq!(refused("folder", 9), "it is a folder");
        assert_eq!(refused("missing", 9), "there is no such file");
        assert!(folder.read("missing", 9).unwrap_err().is_not_found());
        assert!(folder.read("folder/../text", 9).is_err());
        assert!(folder.read("..", 9).is_err());
        // Far larger than any memory: it is not even begun.
        let huge = fs::File::create(at("huge")).unwrap();
        huge.set_len(1 << 42).unwrap();
        let said = "it has 4398046511104 bytes, and at most 4194304 are read";
        assert_eq!(refused("huge", MOST_READ), said);
        assert_eq!(read_text_file(&at("text"), 4).unwrap(), "four");
        assert!(read_file(&at("missing"), 4).unwrap_err().is_not_found());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_link_is_not_opened() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("text"), "").unwrap();
        std::os::unix::fs::symlink("text", root.path().join("link")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(root.path().join("pipe"))
            .status();
        assert!(made.unwrap().success());
        let folder = Folder::open(root.path()).unwrap();
        for name in ["pipe", "link"] {
            assert!(
                matches!(folder.read(name, 9), Err(ReadError::NotAFile)),
                "{name}"
            );
        }
        let by_path = |name: &str| read_text_file(&root.path().join(name), 9);
        assert!(matches!(by_path("pipe"), Err(ReadError::NotAFile)));
        assert_eq!(by_path("link").unwrap(), "");
    }
}
