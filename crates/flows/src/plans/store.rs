//! A plan that is being changed: one process at a time, and its state file whole at every instant.

use super::{
    place::{Ground, Place, is_own_folder},
    status::{Key, Status, two_digits},
    step_file::StepFile,
    timeline::{self, Entry},
    tree::sync,
};
use crate::{fault::Fault, files, workspace::plain};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
};

/// A plan's state, held against all other processes. A person's editor is not held: what it saved
/// meanwhile is seen, and nothing is written over it.
pub(crate) struct Held<'a> {
    ground: &'a Ground,
    pub place: &'a Place,
    pub status: Status,
    before: String,
    timeline: File,
}

impl<'a> Held<'a> {
    /// Waits until no other process changes this plan.
    pub fn new(ground: &'a Ground, place: &'a Place) -> Result<Self, Fault> {
        let timeline = open_timeline(ground, place)?;
        let fault = |error: io::Error| {
            Fault::File(format!(
                "{} cannot be locked: {}",
                place.path.name,
                plain(&error)
            ))
        };
        timeline.lock().map_err(fault)?;
        let status = ground.status(place)?;
        Ok(Self {
            ground,
            place,
            before: status.text(),
            status,
            timeline,
        })
    }

    /// The file of a step; a fault where it cannot be read.
    pub fn step_file(&self, number: u32) -> Result<Option<StepFile>, Fault> {
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
    pub fn tell(&mut self, entry: &Entry) -> Result<(), Fault> {
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
    pub fn save(&mut self, now: &str) -> Result<(), Fault> {
        self.status.set(Key::LastUpdated, now);
        let text = self.status.text();
        // What we write we can read: else a slip here would lock everybody out.
        let status = Status::read(&text).map_err(|flaw| Fault::File(flaw.to_string()))?;
        if self.ground.read(self.place, "STATUS.md")? != self.before {
            return Err(Fault::Plan {
                error: "CONFLICT".into(),
                what: format!(
                    "{}/STATUS.md was edited at the same moment",
                    self.place.path.name
                ),
                next: "Nothing was changed: call again.".into(),
            });
        }
        let full = self.place.path.full.join("STATUS.md");
        files::put(&full, &text, true)
            .and_then(|_| sync(&self.place.path.full))
            .map_err(|error| self.unwritten("STATUS.md", &error))?;
        (self.status, self.before) = (status, text);
        Ok(())
    }

    /// Puts a further file into the plan; a fault where there is one of that name.
    pub fn add_file(&self, file: &str, text: &str) -> Result<(), Fault> {
        let full = self.place.path.full.join(file);
        let folder = full.parent().unwrap_or(&self.place.path.full);
        let put = fs::create_dir_all(folder)
            .and_then(|()| {
                if self.ground.workspace.holds(folder) {
                    files::put(&full, text, false)
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

    fn unwritten(&self, file: &str, error: &io::Error) -> Fault {
        let path = &self.place.path.name;
        Fault::File(format!("{path}/{file} cannot be written: {}", plain(error)))
    }
}

/// The file of a step of this plan.
pub(super) fn step_file(place: &Place, number: u32) -> Result<Option<StepFile>, Fault> {
    StepFile::of(&place.path.full, number).map_err(|what| Fault::Plan {
        error: "STEP_FILE".into(),
        what: format!("step {}: {}/{what}", two_digits(number), place.path.name),
        next: "Nothing was changed: mend the file with the person, then call again.".into(),
    })
}

/// The history of a plan, as far as it can be read.
pub(super) fn history(ground: &Ground, place: &Place) -> Vec<Entry> {
    let text = ground.read(place, ".history/timeline.jsonl");
    text.map(|text| timeline::read(&text)).unwrap_or_default()
}

/// The history, which is also what processes lock. Neither it nor its folder may be a link.
fn open_timeline(ground: &Ground, place: &Place) -> Result<File, Fault> {
    let folder = place.path.full.join(".history");
    let path = folder.join("timeline.jsonl");
    let fault = |what: String| {
        Fault::File(format!(
            "{}/.history/timeline.jsonl {what}",
            place.path.name
        ))
    };
    if !ground.is_plan(place) {
        return Err(fault("is no plan's any more".into()));
    }
    match fs::create_dir(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(fault(format!("cannot be made: {}", plain(&error))));
        }
        _ => {}
    }
    let is_file = fs::symlink_metadata(&path).map_or(true, |about| about.is_file());
    if !is_own_folder(&folder) || !is_file {
        return Err(fault(
            "is no file of its own: a link may lead anywhere".into(),
        ));
    }
    let opened = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(&path);
    opened.map_err(|error| fault(format!("cannot be opened: {}", plain(&error))))
}
