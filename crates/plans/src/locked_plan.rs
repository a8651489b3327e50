//! A plan that is being changed: one process at a time, and its state file whole at every instant.

use super::{
    atomic_dir::sync,
    locate::{PlanDir, PlanRoot, is_own_folder},
    status::{Key, Status, two_digits},
    step_file::StepFile,
    timeline::{self, Entry},
};
use crate::workspace::plain;
use holdpoint::tool::ToolError;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

/// A plan's state, held against all other processes. A person's editor is not held: what it saved
/// meanwhile is seen, and nothing is written over it.
pub(crate) struct LockedPlan<'a> {
    root: &'a PlanRoot,
    pub place: &'a PlanDir,
    pub status: Status,
    before: String,
    timeline: File,
}

impl<'a> LockedPlan<'a> {
    /// Waits until no other process changes this plan.
    pub fn new(root: &'a PlanRoot, place: &'a PlanDir) -> Result<Self, ToolError> {
        let timeline = open_timeline(root, place)?;
        let unlocked = |error: io::Error| {
            ToolError::File(format!(
                "{} cannot be locked: {}",
                place.path.name,
                plain(&error)
            ))
        };
        timeline.lock().map_err(unlocked)?;
        let status = root.status(place)?;
        Ok(Self {
            root,
            place,
            before: status.text(),
            status,
            timeline,
        })
    }

    /// The file of a step; a error where it cannot be read.
    pub fn step_file(&self, number: u32) -> Result<Option<StepFile>, ToolError> {
        step_file(self.place, number)
    }

    /// What happened so far.
    pub fn timeline(&mut self) -> Vec<Entry> {
        let mut text = String::new();
        let read = self.timeline.seek(SeekFrom::Start(0));
        match read.and_then(|_| self.timeline.read_to_string(&mut text)) {
            Ok(_) => timeline::read(&text),
            Err(_) => Vec::new(),
        }
    }

    /// Writes a line into the history.
    pub fn record(&mut self, entry: &Entry) -> Result<(), ToolError> {
        // A line that a crash cut short ends before this one.
        let cut = self.timeline_is_cut();
        let line = format!("{}{}", if cut { "\n" } else { "" }, entry.line());
        let written = self
            .timeline
            .write_all(line.as_bytes())
            .and_then(|()| self.timeline.sync_all());
        written.map_err(|error| self.unwritten(".history/timeline.jsonl", &error))
    }

    fn timeline_is_cut(&mut self) -> bool {
        let mut last = [0];
        let found = self.timeline.seek(SeekFrom::End(-1)).is_ok();
        found && self.timeline.read_exact(&mut last).is_ok() && last != [b'\n']
    }

    /// Writes the state, unless somebody has edited it since it was read.
    pub fn save(&mut self, now: &str) -> Result<(), ToolError> {
        self.status.set(Key::LastUpdated, now);
        let text = self.status.text();
        // What we write we can read: else a slip here would lock everybody out.
        let status = Status::read(&text).map_err(|flaw| ToolError::File(flaw.to_string()))?;
        if self.root.read(self.place, "STATUS.md")? != self.before {
            return Err(ToolError::Refused {
                code: "CONFLICT".into(),
                what: format!(
                    "{}/STATUS.md was edited at the same moment",
                    self.place.path.name
                ),
                next: "Nothing was changed: call again.".into(),
            });
        }
        let full = self.place.path.full.join("STATUS.md");
        put(&full, &text, true)
            .and_then(|_| sync(&self.place.path.full))
            .map_err(|error| self.unwritten("STATUS.md", &error))?;
        (self.status, self.before) = (status, text);
        Ok(())
    }

    /// Puts a further file into the plan; a error where there is one of that name.
    pub fn add_file(&self, file: &str, text: &str) -> Result<(), ToolError> {
        let full = self.place.path.full.join(file);
        let folder = full.parent().unwrap_or(&self.place.path.full);
        let put = fs::create_dir_all(folder)
            .and_then(|()| {
                if self.root.workspace.holds(folder) {
                    put(&full, text, false)
                } else {
                    Err(io::Error::other("it leads outside the workspace"))
                }
            })
            .and_then(|put| sync(folder).map(|()| put));
        match put {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.unwritten(file, &io::Error::other("there is one already"))),
            Err(error) => Err(self.unwritten(file, &error)),
        }
    }

    fn unwritten(&self, file: &str, error: &io::Error) -> ToolError {
        let path = &self.place.path.name;
        ToolError::File(format!("{path}/{file} cannot be written: {}", plain(error)))
    }
}

/// The file of a step of this plan.
pub(super) fn step_file(place: &PlanDir, number: u32) -> Result<Option<StepFile>, ToolError> {
    StepFile::open(&place.path.full, number).map_err(|what| ToolError::Refused {
        code: "STEP_FILE".into(),
        what: format!("step {}: {}/{what}", two_digits(number), place.path.name),
        next: "Nothing was changed: mend the file with the person, then call again.".into(),
    })
}

/// The history of a plan, as far as it can be read.
pub(super) fn history(root: &PlanRoot, place: &PlanDir) -> Vec<Entry> {
    let text = root.read(place, ".history/timeline.jsonl");
    text.map(|text| timeline::read(&text)).unwrap_or_default()
}

/// The history, which is also what processes lock. Neither it nor its folder may be a link.
fn open_timeline(root: &PlanRoot, place: &PlanDir) -> Result<File, ToolError> {
    let folder = place.path.full.join(".history");
    let path = folder.join("timeline.jsonl");
    let file_error = |what: String| {
        ToolError::File(format!(
            "{}/.history/timeline.jsonl {what}",
            place.path.name
        ))
    };
    if !root.is_plan(place) {
        return Err(file_error("is no plan's any more".into()));
    }
    match fs::create_dir(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(file_error(format!("cannot be made: {}", plain(&error))));
        }
        _ => {}
    }
    let is_file = fs::symlink_metadata(&path).map_or(true, |about| about.is_file());
    if !is_own_folder(&folder) || !is_file {
        return Err(file_error(
            "is no file of its own: a link may lead anywhere".into(),
        ));
    }
    let opened = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(&path);
    opened.map_err(|error| file_error(format!("cannot be opened: {}", plain(&error))))
}

/// Puts a whole file in its place; false where one came there first.
fn put(full: &Path, text: &str, replace: bool) -> io::Result<bool> {
    let folder = full.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.permissions(fs::Permissions::from_mode(0o644));
    }
    let mut file = file.prefix(".holdpoint-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    if replace {
        file.persist(full)?;
        return Ok(true);
    }
    match file.persist_noclobber(full) {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
    }
}
