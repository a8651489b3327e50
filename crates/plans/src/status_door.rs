//! A door for the fuzz target of `STATUS.md`, which only it compiles.

use crate::status::{Key, Status};

/// When every change is made.
const NOW: &str = "2026-02-03T04:05:06Z";

/// A state file, read.
#[derive(Debug)]
pub struct StatusFile(Status);

/// What a tool does to it.
#[derive(Debug)]
pub enum StatusChange {
    /// Starts a step.
    Start(u32),
    /// Completes a step, with a note.
    Complete(u32, String),
    /// Leaves a step out, with a note.
    Skip(u32, String),
    /// Adds a step of this name.
    Add(String),
}

impl StatusFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Where it cannot be taken for a state, with the line.
    pub fn read(text: &str) -> Result<Self, String> {
        let status = Status::read(text);
        status.map(Self).map_err(|flaw| flaw.to_string())
    }

    /// The file as it is now.
    pub fn text(&self) -> String {
        self.0.text()
    }

    /// The state of the plan.
    pub fn state(&self) -> &'static str {
        self.0.state.as_str()
    }

    /// The steps with their states.
    pub fn steps(&self) -> Vec<(u32, &'static str)> {
        let steps = self.0.steps.iter();
        steps.map(|row| (row.number, row.state.as_str())).collect()
    }

    /// The file after a change; none where that is refused.
    pub fn with(&self, change: &StatusChange) -> Option<Self> {
        let mut status = self.0.clone();
        match change {
            StatusChange::Start(step) => status.start(*step, &[], NOW).ok()?,
            StatusChange::Complete(step, note) => {
                status.complete(*step, NOW, Some(note)).ok()?;
            }
            StatusChange::Skip(step, note) => status.skip(*step, Some(note)).ok()?,
            StatusChange::Add(name) => {
                let number = status.further_step().ok()?;
                status.add_step(number, name);
            }
        }
        status.set_moment(Key::LastUpdated, NOW);
        Some(Self(status))
    }
}
