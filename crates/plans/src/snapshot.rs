//! The files of a plan that a checkpoint keeps: its Markdown, and that of its steps. What it calls
//! evidence, feedback and history is not among them and never put back.

use super::locate::PlanDir;
use holdpoint::{Digest, tool::ToolError};
use holdpoint_ask::diff::unified_with_names;
use holdpoint_workspace::Folder;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs};

/// The most files, and the most bytes of one and of all.
const FILES: usize = 300;
const ONE: u64 = 1024 * 1024;
const ALL: usize = 4 * 1024 * 1024;

/// Texts by their path in the plan's folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Snapshot {
    pub files: BTreeMap<String, String>,
}

impl Snapshot {
    /// Reads the files as they are now. No link is followed.
    pub fn read(place: &PlanDir, folder: &Folder) -> Result<Self, ToolError> {
        let refused = |what: String| ToolError::Refused {
            code: "CHECKPOINT".into(),
            what: format!("{}/{what}", place.path.name()),
            next: "Nothing was changed: put that right with the person, then call again.".into(),
        };
        let steps = folder.folder("plan").ok();
        if steps.is_none() && folder.has("plan") {
            return Err(refused("plan is not a folder of its own".into()));
        }
        let mut snapshot = Self::default();
        for (within, folder) in [("", Some(folder)), ("plan/", steps.as_ref())] {
            let Some(folder) = folder else { continue };
            let entries = fs::read_dir(place.path.full().join(within)).into_iter();
            let names = entries.flatten().flatten();
            let names = names.filter_map(|entry| entry.file_name().into_string().ok());
            for name in names.filter(|name| name.ends_with(".md")) {
                let text = folder.read_text(&name, ONE);
                let text = text
                    .map_err(|error| refused(format!("{within}{name} cannot be kept: {error}")))?;
                snapshot.files.insert(format!("{within}{name}"), text);
                let size: usize = snapshot.files.values().map(String::len).sum();
                if snapshot.files.len() > FILES || size > ALL {
                    let most = ALL / 1024 / 1024;
                    return Err(refused(format!(
                        " has more than {FILES} files or {most} MiB of Markdown"
                    )));
                }
            }
        }
        Ok(snapshot)
    }

    pub fn digest(&self) -> Digest {
        let mut bytes = Vec::new();
        for (path, text) in &self.files {
            bytes.extend(format!("{} {} {path}", path.len(), text.len()).bytes());
            bytes.extend(text.bytes());
        }
        Digest::hash_bytes(&bytes)
    }

    pub fn names(&self) -> Vec<&str> {
        self.files.keys().map(String::as_str).collect()
    }

    /// What has to change for these files to become those: text by path, none for one that goes.
    pub fn changes_to(&self, wanted: &Self) -> Vec<(String, Option<String>)> {
        let gone = self
            .files
            .keys()
            .filter(|path| !wanted.files.contains_key(*path));
        let gone = gone.map(|path| (path.clone(), None));
        let new = wanted
            .files
            .iter()
            .filter(|(path, text)| self.files.get(*path) != Some(text));
        let new = new.map(|(path, text)| (path.clone(), Some(text.clone())));
        gone.chain(new).collect()
    }

    /// Those changes as a diff.
    pub fn diff_to(&self, wanted: &Self) -> String {
        let text = |files: &Self, path: &str| files.files.get(path).cloned().unwrap_or_default();
        let mut shown = String::new();
        for (path, _) in self.changes_to(wanted) {
            let (now, then) = (text(self, &path), text(wanted, &path));
            let names = (format!("{path} (now)"), format!("{path} (checkpoint)"));
            shown += &unified_with_names((&names.0, &now), (&names.1, &then));
        }
        shown
    }
}
