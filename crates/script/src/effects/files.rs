//! Reading and writing files of the workspace.

use super::{Failure, Sandbox, blocking};
use holdpoint::Digest;
use holdpoint_workspace::{Access, Folder, Held, ReadError};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;

/// The largest file that is read or written.
const LARGEST: u64 = 1 << 20;

/// Reads a text file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Read {
    /// Which.
    pub path: String,
}

/// Writes a text file, whole or not at all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Write {
    /// Which.
    pub path: String,
    /// What is in it then.
    pub text: String,
}

impl Read {
    pub(super) async fn perform(self, sandbox: Sandbox) -> Result<Value, Failure> {
        blocking(move || {
            let shown = crate::yield_error::short(&self.path);
            let text = match sandbox.given.get(&self.path) {
                Some(digest) => given(&self.path, digest)?,
                None => {
                    let Held { folder, name } = sandbox.hold(&self.path, false)?;
                    read(&folder, &name, &shown)?
                }
            };
            Ok(text.into())
        })
        .await
    }
}

/// A file that a person gave in this call, if it still is what they gave.
fn given(path: &str, digest: &str) -> Result<String, Failure> {
    let shown = "the file that was given";
    let path = Path::new(path);
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Failure::io(shown, &std::io::ErrorKind::NotFound.into()));
    };
    let folder = Folder::open(folder).map_err(|error| Failure::io(shown, &error))?;
    let text = read(&folder, &name.to_string_lossy(), shown)?;
    if Digest::hash_bytes(text.as_bytes()).to_string() == digest {
        Ok(text)
    } else {
        Err(Failure::new("the file that was given has changed since"))
    }
}

fn read(folder: &Folder, name: &str, shown: &str) -> Result<String, Failure> {
    folder
        .read_text(name, LARGEST)
        .map_err(|error| match error {
            ReadError::Io(error) => Failure::io(shown, &error),
            ReadError::NotAFile => Failure::new(format!("{shown} is not an ordinary file")),
            ReadError::TooLarge { .. } => Failure::new(format!("{shown} is larger than 1 MB")),
            ReadError::NotText => Failure::new(format!("{shown} is not UTF-8 text")),
        })
}

impl Write {
    pub(super) async fn perform(self, sandbox: Sandbox) -> Result<Value, Failure> {
        blocking(move || {
            let shown = crate::yield_error::short(&self.path);
            let Held { folder, name } = sandbox.hold(&self.path, true)?;
            if folder.has(&name) && !folder.is_file(&name) {
                return Err(Failure::new(format!("{shown} is not an ordinary file")));
            }
            let written = folder.replace(&name, self.text.as_bytes(), Access::Shared);
            written.map_err(|error| Failure::io(&shown, &error))?;
            Ok(json!({ "path": self.path, "size": self.text.len() }))
        })
        .await
    }
}
