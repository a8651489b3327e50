//! What the tool keeps in the workspace: reports, backups and traces. Nothing of it is believed.

use super::state::{Backup, Record};
use crate::Flow;
use holdpoint::Digest;
use holdpoint::tool::ToolError;
use holdpoint_workspace::{
    Access, FileLock, Folder as OpenFolder, Links, MOST_READ, PathError, ReadError, Workspace,
    describe,
};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Where all of it is.
pub(super) const FOLDER: &str = ".copilot-state";
const REPORT: &str = "onboarding.json";
const LOCK: &str = "onboarding.lock";
const TRACES: &str = "elicitation-traces";
/// The version of the report's shape.
const VERSION: u64 = 1;
/// How long another process is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the lock is tried meanwhile.
const RETRY: Duration = Duration::from_millis(20);
/// How many names are tried.
const NAMES: u32 = 999;

/// The folder, for one instruction file.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    pub workspace: Workspace,
    pub file: &'static str,
}

impl Folder {
    pub fn open(flow: &Flow, file: &'static str) -> Result<Self, ToolError> {
        let workspace = Workspace::open_recorded(flow.cx.workspace(), &flow.workspace)
            .map_err(|error| ToolError::File(error.to_string()))?;
        if workspace.root().join(FOLDER).is_symlink() {
            return Err(ToolError::File(format!(
                "{FOLDER} is a link, and no link is followed there: remove it"
            )));
        }
        Ok(Self { workspace, file })
    }

    /// The same folder, for another instruction file.
    pub fn for_file(&self, file: &'static str) -> Self {
        Self {
            file,
            ..self.clone()
        }
    }

    /// Keeps this text, under a name that says when.
    pub fn back_up(&self, bytes: &[u8], at: Timestamp) -> Result<Backup, String> {
        let stem = self.file.rsplit('/').next().unwrap_or(self.file);
        let stem = stem.trim_end_matches(".md");
        let names = names(format!("{stem}-{}", moment(at)), "md");
        let name = self
            .create("backup", names, bytes)
            .map_err(|why| format!("a backup cannot be written: {why}"))?;
        Ok(Backup {
            path: format!("{FOLDER}/backup/{name}"),
            digest: Digest::hash_bytes(bytes),
        })
    }

    /// What was kept, if it is still that.
    pub fn backup(&self, backup: &Backup) -> Result<Vec<u8>, String> {
        let bytes = self.workspace.read(&backup.path, MOST_READ);
        let bytes = bytes.map_err(|error| error.to_string())?;
        if Digest::hash_bytes(&bytes) == backup.digest {
            Ok(bytes)
        } else {
            Err(format!(
                "{} is not what was backed up: it was changed",
                backup.path
            ))
        }
    }

    /// Begins a trace, under a name that says when and what; gives the name. The same one begun again
    /// is the one that is there.
    pub fn begin_trace(
        &self,
        action: &str,
        at: Timestamp,
        trace: &Value,
    ) -> Result<String, String> {
        let names = names(format!("{}-{action}", moment(at)), "json");
        self.create(TRACES, names, json_text(trace)?.as_bytes())
    }

    /// Puts what came of it in the place of a trace that was begun.
    pub fn end_trace(&self, name: &str, trace: &Value) -> Result<(), String> {
        let folder = self.open_folder(TRACES, true);
        let folder = folder.map_err(|error| error.to_string())?;
        let text = json_text(trace)?;
        let ended = folder.replace(name, text.as_bytes(), Access::Shared);
        ended.map_err(|error| describe(&error))
    }

    /// Keeps other processes from changing the state.
    pub async fn lock(&self) -> Result<FileLock, ToolError> {
        let failed =
            |why: String| ToolError::File(format!("{FOLDER}/{LOCK} cannot be locked: {why}"));
        let folder = self.open_folder("", true);
        let folder = folder.map_err(|error| failed(error.to_string()))?;
        if folder.is_link(LOCK) {
            return Err(ToolError::File(format!(
                "{FOLDER}/{LOCK} is a link: remove it"
            )));
        }
        let until = Instant::now() + PATIENCE;
        loop {
            match FileLock::try_take(&folder, LOCK, Access::Shared) {
                Ok(Some(lock)) => return Ok(lock),
                Ok(None) if Instant::now() < until => sleep(RETRY).await,
                Ok(None) => {
                    return Err(ToolError::File(
                        "another process is changing the state of the onboarding: try again".into(),
                    ));
                }
                Err(error) => return Err(failed(describe(&error))),
            }
        }
    }

    /// Writes the report, for people and other tools. One that nobody can read is kept aside; its
    /// new name is given.
    pub fn report(
        &self,
        record: &Record,
        others: &[(&str, Record)],
        at: Timestamp,
    ) -> Result<Option<String>, String> {
        let aside = match self.reported() {
            Reported::Damaged(_) => Some(self.put_aside(at)?),
            _ => None,
        };
        let text = json_text(&self.shape(record, others))?;
        let folder = self
            .open_folder("", true)
            .map_err(|error| error.to_string())?;
        folder
            .replace(REPORT, text.as_bytes(), Access::Shared)
            .map_err(|error| {
                format!("{FOLDER}/{REPORT} cannot be written: {}", describe(&error))
            })?;
        Ok(aside)
    }

    /// What the report says now, and whether that is what the record says.
    pub fn reported(&self) -> Reported {
        let text = match self.read_report() {
            Ok(Some(text)) => text,
            Ok(None) => return Reported::Missing,
            Err(why) => return Reported::Damaged(why),
        };
        let value: Value = match serde_json::from_slice(&text) {
            Ok(value) => value,
            Err(error) => return Reported::Damaged(format!("it is not JSON: {error}")),
        };
        if value["version"] != VERSION {
            return Reported::Damaged(format!("its version is not {VERSION}"));
        }
        let mut record = value.clone();
        if let Some(fields) = record.as_object_mut() {
            fields.retain(|key, _| {
                !["version", "file", "others", "backup", "rollback"].contains(&key.as_str())
            });
        }
        match serde_json::from_value::<Record>(record) {
            Ok(_) => Reported::Says(value),
            Err(error) => Reported::Damaged(format!("a field does not fit: {error}")),
        }
    }

    /// The report as it should be.
    pub fn shape(&self, record: &Record, others: &[(&str, Record)]) -> Value {
        let mut report = json!({ "version": VERSION, "file": self.file });
        let extend = |into: &mut Value, record: &Record| {
            let shown = serde_json::to_value(record).unwrap_or_default();
            if let (Some(into), Value::Object(shown)) = (into.as_object_mut(), shown) {
                into.extend(shown);
                if let Some(migration) = &record.migration {
                    let backup = migration.backup.as_ref().map(|backup| backup.path.as_str());
                    into.insert("backup".into(), backup.into());
                    let window = json!({ "days": 7, "until": migration.until });
                    into.insert("rollback".into(), window);
                }
            }
        };
        extend(&mut report, record);
        let mut rest = json!({});
        for (file, record) in others {
            let mut other = json!({});
            extend(&mut other, record);
            rest[*file] = other;
        }
        if rest.as_object().is_some_and(|rest| !rest.is_empty()) {
            report["others"] = rest;
        }
        report
    }

    fn put_aside(&self, at: Timestamp) -> Result<String, String> {
        let failed = |why: String| format!("{FOLDER}/{REPORT} cannot be kept aside: {why}");
        let bytes = self.read_report().map_err(failed)?.unwrap_or_default();
        let names = names(format!("onboarding-damaged-{}", moment(at)), "json");
        let name = self.create("", names, &bytes).map_err(failed)?;
        Ok(format!("{FOLDER}/{name}"))
    }

    /// What is in the report; none where there is none.
    fn read_report(&self) -> Result<Option<Vec<u8>>, String> {
        let read = match self.open_folder("", false) {
            Ok(folder) => folder.read(REPORT, MOST_READ),
            Err(PathError::Io { source, .. }) => Err(ReadError::from(source)),
            Err(error) => return Err(error.to_string()),
        };
        match read {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Makes a file in a folder of this one, under the first name that is free.
    fn create(
        &self,
        folder: &str,
        names: impl Iterator<Item = String>,
        bytes: &[u8],
    ) -> Result<String, String> {
        let folder = self
            .open_folder(folder, true)
            .map_err(|error| error.to_string())?;
        let created = folder.create_under_free_name(names, bytes);
        created.map_err(|error| describe(&error))
    }

    /// Opens this folder, or one in it. Links are not followed.
    fn open_folder(&self, name: &str, create: bool) -> Result<OpenFolder, PathError> {
        let path = self.workspace.path(&format!("{FOLDER}/{name}"))?;
        self.workspace.open_folder(&path, Links::Refuse, create)
    }
}

/// What the report on disk says.
pub(crate) enum Reported {
    Missing,
    /// Nobody can read it, for this reason.
    Damaged(String),
    Says(Value),
}

/// A value as people read it.
fn json_text(value: &Value) -> Result<String, String> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n")
        .map_err(|error| error.to_string())
}

/// A name, and the same with a number behind it.
fn names(stem: String, ending: &'static str) -> impl Iterator<Item = String> {
    (1..=NAMES).map(move |number| match number {
        1 => format!("{stem}.{ending}"),
        number => format!("{stem}-{number}.{ending}"),
    })
}

/// A moment as a name: 2025-01-15T10-30-45-123Z.
fn moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H-%M-%S-%3fZ").to_string()
}
