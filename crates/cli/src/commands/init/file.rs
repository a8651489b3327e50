//! Reading and replacing a file: links, byte-order marks, permissions.

use super::server::Removed;
use anyhow::Context;
use holdpoint_workspace::replace_file;
use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

const MARK: &str = "\u{feff}";

/// A file as it is now.
pub struct FileText {
    path: PathBuf,
    text: Option<String>,
}

/// A file as it is, and as it is to be.
#[derive(Debug)]
pub struct Change {
    /// The file as it was named, perhaps a link.
    pub path: PathBuf,
    /// What is in it; none if there is no file.
    pub before: Option<String>,
    /// What is to be in it; none if it is left alone.
    pub after: Option<String>,
    /// Nothing is left in it: the file goes.
    pub is_gone: bool,
}

/// Reads a file. A missing file is fine; one that is not text is an error.
pub fn read(path: &Path) -> anyhow::Result<FileText> {
    let text = match fs::read(path) {
        Ok(bytes) => Some(String::from_utf8(bytes).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
            anyhow::anyhow!(
                "{} was left as it is: line {line}: it is not UTF-8 text",
                path.display()
            )
        })?),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    Ok(FileText {
        path: path.to_owned(),
        text,
    })
}

/// A path as a person in this folder would write it.
pub fn short(path: &Path, folder: &Path) -> String {
    let path = path.strip_prefix(folder).unwrap_or(path);
    path.display().to_string()
}

impl FileText {
    /// Whether it leads to another file.
    pub fn is_link(&self) -> bool {
        self.path.is_symlink()
    }

    /// The text, without its byte-order mark; empty if there is no file.
    pub fn text(&self) -> &str {
        let text = self.text.as_deref().unwrap_or_default();
        text.strip_prefix(MARK).unwrap_or(text)
    }

    /// The change to this text; the byte-order mark stays if there was one.
    pub fn into(self, after: String) -> Change {
        let marked = self
            .text
            .as_ref()
            .is_some_and(|text| text.starts_with(MARK));
        let mark = if marked { MARK } else { "" };
        Change {
            path: self.path,
            before: self.text,
            after: Some(format!("{mark}{after}")),
            is_gone: false,
        }
    }

    /// No change.
    pub fn left(self) -> Change {
        Change {
            path: self.path,
            before: self.text,
            after: None,
            is_gone: false,
        }
    }

    /// The change to what is left of this text.
    pub fn removed(self, removed: Removed) -> Change {
        match removed {
            Removed::Nothing => self.left(),
            Removed::Rest(text) => self.into(text),
            // A link stays, and leads to a file that says nothing.
            Removed::Everything if self.path.is_symlink() => {
                let nothing = nothing(&self.path).to_owned();
                self.into(nothing)
            }
            Removed::Everything => Change {
                is_gone: self.text.is_some(),
                ..self.left()
            },
        }
    }
}

/// What a file of this name says when it says nothing, so that its client can still read it.
fn nothing(path: &Path) -> &'static str {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension {
        Some("json" | "jsonc") => "{}\n",
        _ => "",
    }
}

impl Change {
    /// Does more to the text, on top of what is to be done to it.
    pub fn edit(
        &mut self,
        edit: impl FnOnce(&str) -> anyhow::Result<Removed>,
    ) -> anyhow::Result<()> {
        if self.is_gone {
            return Ok(());
        }
        let now = self.after.as_ref().or(self.before.as_ref());
        let now = now.map(String::as_str).unwrap_or_default();
        let text = now.strip_prefix(MARK).unwrap_or(now);
        let mark = &now[..now.len() - text.len()];
        match edit(text)? {
            Removed::Nothing => {}
            Removed::Rest(text) => self.after = Some(format!("{mark}{text}")),
            Removed::Everything if self.path.is_symlink() => {
                self.after = Some(nothing(&self.path).into());
            }
            Removed::Everything => {
                self.after = None;
                self.is_gone = self.before.is_some();
            }
        }
        Ok(())
    }

    /// Whether there is anything to write.
    pub fn is_needed(&self) -> bool {
        self.is_gone || self.after.is_some() && self.after != self.before
    }

    /// Makes the change, if there is one: the file is the old one or the new one at every instant.
    pub fn write(&self) -> anyhow::Result<()> {
        match &self.after {
            _ if self.is_gone => fs::remove_file(&self.path)
                .with_context(|| format!("cannot remove {}", self.path.display())),
            Some(after) if self.is_needed() => replace_file(&self.path, after.as_bytes())
                .with_context(|| format!("cannot write {}", self.path.display())),
            _ => Ok(()),
        }
    }
}
