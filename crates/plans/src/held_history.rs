//! The history of a plan, which is also what processes lock.

use super::{
    locate::{PlanDir, PlanRoot},
    timeline::{self, Entry},
};
use holdpoint::tool::ToolError;
use holdpoint_workspace::{Access, Folder, Links, describe};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
};

/// The most bytes of a history that are read.
const MOST: u64 = 1024 * 1024;

/// A plan's history, held against all other processes, and its folder as it is now.
pub(crate) struct HeldHistory {
    pub folder: Folder,
    timeline: File,
    path: String,
}

impl HeldHistory {
    /// Waits until no other process changes this plan.
    pub fn new(root: &PlanRoot, place: &PlanDir) -> Result<Self, ToolError> {
        let timeline = open_timeline(root, place)?;
        let unlocked = |error: io::Error| {
            ToolError::File(format!(
                "{} cannot be locked: {}",
                place.path.name(),
                describe(&error)
            ))
        };
        timeline.lock().map_err(unlocked)?;
        Ok(Self {
            // Opened once the lock is held: a restored checkpoint puts another folder into its place.
            folder: open_folder(root, place)?,
            timeline,
            path: place.path.name().to_owned(),
        })
    }

    /// What happened so far.
    pub fn lines(&mut self) -> Vec<Entry> {
        let mut text = String::new();
        let read = self.timeline.seek(SeekFrom::Start(0));
        match read.and_then(|_| (&self.timeline).take(MOST).read_to_string(&mut text)) {
            Ok(_) => timeline::read(&text),
            Err(_) => Vec::new(),
        }
    }

    /// Writes a line.
    pub fn record(&mut self, entry: &Entry) -> Result<(), ToolError> {
        // A line that a crash cut short ends before this one.
        let cut = self.is_cut();
        let line = format!("{}{}", if cut { "\n" } else { "" }, entry.line());
        let written = self
            .timeline
            .write_all(line.as_bytes())
            .and_then(|()| self.timeline.sync_all());
        let unwritten = |error: io::Error| {
            let (path, why) = (&self.path, describe(&error));
            ToolError::File(format!(
                "{path}/.history/timeline.jsonl cannot be written: {why}"
            ))
        };
        written.map_err(unwritten)
    }

    fn is_cut(&mut self) -> bool {
        let mut last = [0];
        let found = self.timeline.seek(SeekFrom::End(-1)).is_ok();
        found && self.timeline.read_exact(&mut last).is_ok() && last != [b'\n']
    }
}

/// The history of a plan, as far as it can be read.
pub(super) fn history(root: &PlanRoot, place: &PlanDir) -> Vec<Entry> {
    let text = root.read(place, ".history/timeline.jsonl");
    text.map(|text| timeline::read(&text)).unwrap_or_default()
}

/// Neither the history nor its folder may be a link.
fn open_timeline(root: &PlanRoot, place: &PlanDir) -> Result<File, ToolError> {
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
    history
        .open_file("timeline.jsonl", Access::Shared)
        .map_err(unusable)
}

fn open_folder(root: &PlanRoot, place: &PlanDir) -> Result<Folder, ToolError> {
    let folder = root
        .workspace
        .open_folder(&place.path, Links::StayInside, false);
    folder.map_err(|error| ToolError::File(error.to_string()))
}

const LINK: &str = "is not an ordinary file in a folder of its own: a link may lead anywhere";
