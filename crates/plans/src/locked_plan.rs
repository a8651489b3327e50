//! A plan that is being changed: one process at a time, and its state file whole at every instant.

use super::{
    held_history::HeldHistory,
    locate::{PlanDir, PlanRoot},
    status::{Key, Status, two_digits},
    step_file::StepFile,
    timeline::Entry,
};
use holdpoint::tool::ToolError;
use holdpoint_workspace::{Access, Links, describe};

/// A plan's state, held against all other processes. A person's editor is not held: what it saved
/// meanwhile is seen, and nothing is written over it.
pub(crate) struct LockedPlan<'a> {
    root: &'a PlanRoot,
    pub place: &'a PlanDir,
    pub status: Status,
    before: String,
    held: HeldHistory,
}

impl<'a> LockedPlan<'a> {
    /// Waits until no other process changes this plan.
    pub fn new(root: &'a PlanRoot, place: &'a PlanDir) -> Result<Self, ToolError> {
        let held = HeldHistory::new(root, place)?;
        let status = root.status(place)?;
        Ok(Self {
            root,
            place,
            before: status.text(),
            status,
            held,
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
        self.held.lines()
    }

    /// Writes a line into the history.
    pub fn record(&mut self, entry: &Entry) -> Result<(), ToolError> {
        self.held.record(entry)
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
        self.held
            .folder
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
