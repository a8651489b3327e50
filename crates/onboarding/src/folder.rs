//! What the tool keeps in the workspace: reports, backups and traces. Nothing of it is believed.

use super::{
    disk::{self, Disk},
    state::{Backup, Record},
};
use crate::Flow;
use crate::workspace::{Workspace, plain};
use holdpoint::Digest;
use holdpoint::tool::ToolError;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// Where all of it is.
pub(super) const FOLDER: &str = ".copilot-state";
const REPORT: &str = "onboarding.json";
const LOCK: &str = "onboarding.lock";
/// The version of the report's shape.
const VERSION: u64 = 1;
/// How long another process is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many names are tried.
const NAMES: u32 = 999;
/// The most bytes of an instruction file.
pub(super) const MOST: u64 = 4 << 20;

/// The folder, for one instruction file.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    pub workspace: Workspace,
    pub file: &'static str,
    disk: Arc<dyn Disk>,
}

/// Held while a state changes; another process waits.
#[derive(Debug)]
pub(crate) struct Lock(#[allow(dead_code)] fs::File);

impl Folder {
    pub fn open(flow: &Flow, file: &'static str) -> Result<Self, ToolError> {
        let workspace = Workspace::of(&flow.cx, &flow.workspace)?;
        let folder = workspace.root.join(FOLDER);
        if !workspace.holds(&folder) || folder.is_symlink() {
            return Err(ToolError::File(format!(
                "{FOLDER} leads outside the workspace"
            )));
        }
        Ok(Self {
            workspace,
            file,
            disk: flow.disk.clone(),
        })
    }

    /// The same folder, for another instruction file.
    pub fn for_file(&self, file: &'static str) -> Self {
        Self {
            file,
            ..self.clone()
        }
    }

    /// The instruction file's text.
    pub fn text(&self) -> Result<String, String> {
        let file = self.workspace.file(self.file)?;
        let unread = |error: &io::Error| format!("{} cannot be read: {}", self.file, plain(error));
        let size = fs::metadata(&file.full)
            .map_err(|error| unread(&error))?
            .len();
        if size > MOST {
            return Err(format!(
                "{} has {size} bytes; at most {MOST} are read",
                self.file
            ));
        }
        fs::read_to_string(&file.full).map_err(|error| unread(&error))
    }

    /// The digest of the instruction file; none where there is none.
    pub fn digest(&self) -> Option<Digest> {
        self.bytes().map(|bytes| Digest::hash_bytes(&bytes))
    }

    /// The instruction file, whatever is in it; none where there is none.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let file = self.workspace.file(self.file).ok()?;
        fs::read(&file.full).ok()
    }

    /// Replaces the instruction file.
    pub fn write(&self, bytes: &[u8]) -> Result<(), String> {
        // A link stays a link: what it leads to is replaced.
        let full = match self.workspace.file(self.file) {
            Ok(file) => file.full,
            Err(_) => self.workspace.inside(self.file)?.full,
        };
        let written = disk::replace(&*self.disk, &full, bytes);
        written.map_err(|error| format!("{} cannot be written: {}", self.file, plain(&error)))
    }

    /// Keeps this text, under a name that says when.
    pub fn back_up(&self, bytes: &[u8], at: Timestamp) -> Result<Backup, String> {
        let stem = self.file.rsplit('/').next().unwrap_or(self.file);
        let stem = stem.trim_end_matches(".md");
        let names = names(format!("{stem}-{}", moment(at)), "md");
        let folder = self.at("backup");
        let name = disk::place(&*self.disk, &folder, names, bytes)
            .map_err(|error| format!("a backup cannot be written: {}", plain(&error)))?;
        Ok(Backup {
            path: format!("{FOLDER}/backup/{name}"),
            digest: Digest::hash_bytes(bytes),
        })
    }

    /// What was kept, if it is still that.
    pub fn backup(&self, backup: &Backup) -> Result<Vec<u8>, String> {
        let file = self.workspace.file(&backup.path)?;
        let bytes = fs::read(&file.full)
            .map_err(|error| format!("{} cannot be read: {}", backup.path, plain(&error)))?;
        if Digest::hash_bytes(&bytes) == backup.digest {
            Ok(bytes)
        } else {
            Err(format!(
                "{} is not what was backed up: it was changed",
                backup.path
            ))
        }
    }

    /// Writes down what was asked and what came of it.
    pub fn trace(&self, action: &str, at: Timestamp, trace: &Value) -> Result<String, String> {
        let mut text = serde_json::to_string_pretty(trace).map_err(|error| error.to_string())?;
        text.push('\n');
        let names = names(format!("{}-{action}", moment(at)), "json");
        let folder = self.at("elicitation-traces");
        let name = disk::place(&*self.disk, &folder, names, text.as_bytes())
            .map_err(|error| format!("the trace cannot be written: {}", plain(&error)))?;
        Ok(format!("{FOLDER}/elicitation-traces/{name}"))
    }

    /// Keeps other processes from changing the state.
    pub async fn lock(&self) -> Result<Lock, ToolError> {
        let path = self.at(LOCK);
        let failed = |error: &io::Error| {
            ToolError::File(format!(
                "{FOLDER}/{LOCK} cannot be locked: {}",
                plain(error)
            ))
        };
        self.disk
            .make_folder(&self.at(""))
            .map_err(|error| failed(&error))?;
        if path.is_symlink() {
            return Err(ToolError::File(format!(
                "{FOLDER}/{LOCK} is a link: remove it"
            )));
        }
        let file = fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path);
        let file = file.map_err(|error| failed(&error))?;
        let until = tokio::time::Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock(file)),
                Err(fs::TryLockError::WouldBlock) if tokio::time::Instant::now() < until => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                Err(fs::TryLockError::WouldBlock) => {
                    return Err(ToolError::File(
                        "another process is changing the state of the onboarding: try again".into(),
                    ));
                }
                Err(fs::TryLockError::Error(error)) => return Err(failed(&error)),
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
        let mut text = serde_json::to_string_pretty(&self.shape(record, others))
            .map_err(|error| error.to_string())?;
        text.push('\n');
        let written = disk::replace(&*self.disk, &self.at(REPORT), text.as_bytes());
        written
            .map_err(|error| format!("{FOLDER}/{REPORT} cannot be written: {}", plain(&error)))?;
        Ok(aside)
    }

    /// What the report says now, and whether that is what the record says.
    pub fn reported(&self) -> Reported {
        let text = match fs::read(self.at(REPORT)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Reported::Missing,
            Err(error) => return Reported::Damaged(plain(&error)),
        };
        let value: Value = match serde_json::from_slice(&text) {
            Ok(value) => value,
            Err(error) => return Reported::Damaged(format!("it is no JSON: {error}")),
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
                    into.insert("backup".into(), migration.backup.path.clone().into());
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
        let failed =
            |error: io::Error| format!("{FOLDER}/{REPORT} cannot be kept aside: {}", plain(&error));
        let bytes = fs::read(self.at(REPORT)).map_err(failed)?;
        let names = names(format!("onboarding-damaged-{}", moment(at)), "json");
        let name = disk::place(&*self.disk, &self.at(""), names, &bytes).map_err(failed)?;
        Ok(format!("{FOLDER}/{name}"))
    }

    fn at(&self, name: &str) -> PathBuf {
        let folder = self.workspace.root.join(FOLDER);
        match name {
            "" => folder,
            name => folder.join(Path::new(name)),
        }
    }
}

/// What the report on disk says.
pub(crate) enum Reported {
    Missing,
    /// Nobody can read it, for this reason.
    Damaged(String),
    Says(Value),
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
