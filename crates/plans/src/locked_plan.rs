//! A plan that is being changed: one process at a time, and its state file whole at every instant.

use super::{
    locate::{PlanDir, PlanRoot},
    status::{Key, Status, two_digits},
    step_file::StepFile,
    timeline::{self, Entry},
};
use holdpoint::tool::ToolError;
use holdpoint_workspace::{Access, Folder, Links, describe};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
};

/// A plan's state, held against all other processes. A person's editor is not held: what it saved
/// meanwhile is seen, and nothing is written over it.
pub(crate) struct LockedPlan<'a> {
    root: &'a PlanRoot,
    pub place: &'a PlanDir,
    pub status: Status,
    before: String,
    folder: Folder,
    timeline: File,
}

impl<'a> LockedPlan<'a> {
    /// Waits until no other process changes this plan.
    pub fn new(root: &'a PlanRoot, place: &'a PlanDir) -> Result<Self, ToolError> {
        let (folder, timeline) = open_timeline(root, place)?;
        let unlocked = |error: io::Error| {
            ToolError::File(format!(
                "{} cannot be locked: {}",
                place.path.name(),
                describe(&error)
            ))
        };
        timeline.lock().map_err(unlocked)?;
        // While it waited, a checkpoint may have put another folder into this place.
        drop(folder);
        let folder = open_folder(root, place)?;
        let status = root.status(place)?;
        Ok(Self {
            root,
            place,
            before: status.text(),
            status,
            folder,
            timeline,
        })
    }

    /// The file of a step; an error where it cannot be read.
    pub fn step_file(&self, number: u32) -> Result<Option<StepFile>, ToolError> {
        step_file(self.place, number)
    }

    /// The steps that must be done before this one; an error where its file cannot be read.
    pub fn needs(&self, step: u32) -> Result<Vec<u32>, ToolError> {
        let needs = |step: u32| -> Result<Vec<u32>, ToolError> {
            let file = self.step_file(step)?;
            let needs = file.and_then(|file| file.needs);
            Ok(needs.unwrap_or_else(|| self.status.before(step)))
        };
        let of = |step: u32| needs(step).unwrap_or_else(|_| self.status.before(step));
        Ok(self.status.beyond_skipped(&needs(step)?, of))
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
        written.map_err(|error| self.unwritten(".history/timeline.jsonl", &describe(&error)))
    }

    fn timeline_is_cut(&mut self) -> bool {
        let mut last = [0];
        let found = self.timeline.seek(SeekFrom::End(-1)).is_ok();
        found && self.timeline.read_exact(&mut last).is_ok() && last != [b'\n']
    }

    /// Writes the state, unless somebody has edited it since it was read.
    pub fn save(&mut self, now: &str) -> Result<(), ToolError> {
        self.status.set_moment(Key::LastUpdated, now);
        let text = self.status.text();
        // What we write we can read: else a slip here would lock everybody out.
        let status = Status::read(&text).map_err(|flaw| ToolError::File(flaw.to_string()))?;
        if self.root.read(self.place, "STATUS.md")? != self.before {
            return Err(ToolError::Refused {
                code: "CONFLICT".into(),
                what: format!(
                    "{}/STATUS.md was edited at the same moment",
                    self.place.path.name()
                ),
                next: "Nothing was changed: call again.".into(),
            });
        }
        self.folder
            .replace("STATUS.md", text.as_bytes(), Access::Shared)
            .map_err(|error| self.unwritten("STATUS.md", &describe(&error)))?;
        (self.status, self.before) = (status, text);
        Ok(())
    }

    /// Puts a further file into the plan; an error where there is one of that name.
    pub fn add_file(&self, file: &str, text: &str) -> Result<(), ToolError> {
        let workspace = &self.root.workspace;
        let held = workspace
            .path(&format!("{}/{file}", self.place.path.name()))
            .and_then(|path| workspace.hold(&path, Links::StayInside, true))
            .map_err(|error| self.unwritten(file, &error.to_string()))?;
        let created = held
            .folder
            .create_file(&held.name, text.as_bytes(), Access::Shared);
        match created {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.unwritten(file, "there is one already")),
            Err(error) => Err(self.unwritten(file, &describe(&error))),
        }
    }

    fn unwritten(&self, file: &str, why: &str) -> ToolError {
        let path = self.place.path.name();
        ToolError::File(format!("{path}/{file} cannot be written: {why}"))
    }
}

/// The file of a step of this plan.
pub(super) fn step_file(place: &PlanDir, number: u32) -> Result<Option<StepFile>, ToolError> {
    StepFile::open(place.path.full(), number).map_err(|what| ToolError::Refused {
        code: "STEP_FILE".into(),
        what: format!("step {}: {}/{what}", two_digits(number), place.path.name()),
        next: "Nothing was changed: fix the file with the person, then call again.".into(),
    })
}

/// The history of a plan, as far as it can be read.
pub(super) fn history(root: &PlanRoot, place: &PlanDir) -> Vec<Entry> {
    let text = root.read(place, ".history/timeline.jsonl");
    text.map(|text| timeline::read(&text)).unwrap_or_default()
}

/// The plan's folder, and its history, which is also what processes lock. Neither the history nor its
/// folder may be a link.
fn open_timeline(root: &PlanRoot, place: &PlanDir) -> Result<(Folder, File), ToolError> {
    let file_error = |what: String| {
        ToolError::File(format!(
            "{}/.history/timeline.jsonl {what}",
            place.path.name()
        ))
    };
    if !root.is_plan(place) {
        return Err(file_error("no longer belongs to a plan".into()));
    }
    let folder = open_folder(root, place)?;
    if folder.is_link(".history") {
        return Err(file_error(LINK.into()));
    }
    let unusable = |error: io::Error| file_error(format!("cannot be opened: {}", describe(&error)));
    let history = folder.folder_or_new(".history").map_err(unusable)?;
    if history.has("timeline.jsonl") && !history.is_file("timeline.jsonl") {
        return Err(file_error(LINK.into()));
    }
    let timeline = history
        .open_file("timeline.jsonl", Access::Shared)
        .map_err(unusable)?;
    Ok((folder, timeline))
}

fn open_folder(root: &PlanRoot, place: &PlanDir) -> Result<Folder, ToolError> {
    let folder = root
        .workspace
        .open_folder(&place.path, Links::StayInside, false);
    folder.map_err(|error| ToolError::File(error.to_string()))
}

const LINK: &str = "is not an ordinary file in a folder of its own: a link may lead anywhere";
