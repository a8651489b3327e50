//! Reading and writing files of the workspace.

use super::{Failure, Sandbox, blocking, sandbox::Held};
use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::OpenOptions;
use holdpoint::Digest;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, Read as _, Write as _};

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
            let shown = crate::yields::short(&self.path);
            let bytes = match sandbox.given.get(&self.path) {
                Some(digest) => given(&self.path, digest)?,
                None => {
                    let Held { folder, name } = sandbox.hold(&self.path, false)?;
                    let mut options = OpenOptions::new();
                    options.read(true).follow(FollowSymlinks::No);
                    let file = folder.open_with(&name, &options);
                    let file = file.map_err(|error| Failure::io(&shown, &error))?;
                    let about = file
                        .metadata()
                        .map_err(|error| Failure::io(&shown, &error))?;
                    if about.is_dir() {
                        return Err(Failure::io(&shown, &io::ErrorKind::IsADirectory.into()));
                    }
                    if !about.is_file() {
                        return Err(Failure::new(format!("{shown} is no plain file")));
                    }
                    whole(file, &shown)?
                }
            };
            let text = String::from_utf8(bytes);
            text.map(Value::from)
                .map_err(|_| Failure::new(format!("{shown} is no text")))
        })
        .await
    }
}

/// A file that a person gave in this call, if it still is what they gave.
fn given(path: &str, digest: &str) -> Result<Vec<u8>, Failure> {
    let file = std::fs::File::open(path);
    let file = file.map_err(|error| Failure::io("the file that was given", &error))?;
    let bytes = whole(file, "the file that was given")?;
    if Digest::hash_bytes(&bytes).to_string() == digest {
        Ok(bytes)
    } else {
        Err(Failure::new("the file that was given has changed since"))
    }
}

fn whole(file: impl io::Read, shown: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::io(shown, &error))?;
    if bytes.len() as u64 > LARGEST {
        Err(Failure::new(format!("{shown} has more than 1 MB")))
    } else {
        Ok(bytes)
    }
}

impl Write {
    pub(super) async fn perform(self, sandbox: Sandbox) -> Result<Value, Failure> {
        blocking(move || {
            let shown = crate::yields::short(&self.path);
            let Held { folder, name } = sandbox.hold(&self.path, true)?;
            if folder.metadata(&name).is_ok_and(|about| !about.is_file()) {
                return Err(Failure::new(format!("{shown} is no plain file")));
            }
            let draft = format!(".holdpoint-{}", holdpoint::CallId::new());
            let mut options = OpenOptions::new();
            options
                .write(true)
                .create_new(true)
                .follow(FollowSymlinks::No);
            let written = folder.open_with(&draft, &options).and_then(|mut file| {
                if let Ok(about) = folder.metadata(&name) {
                    file.set_permissions(about.permissions())?;
                }
                file.write_all(self.text.as_bytes())?;
                file.sync_all()?;
                folder.rename(&draft, &folder, &name)
            });
            if written.is_err() {
                let _ = folder.remove_file(&draft);
            }
            written.map_err(|error| Failure::io(&shown, &error))?;
            Ok(json!({ "path": self.path, "size": self.text.len() }))
        })
        .await
    }
}
