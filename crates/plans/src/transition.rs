//! Which changes of a plan's state there are: a step cannot complete before it started, nor start
//! before the ones it needs.

use super::status::{Column, Key, NOTHING, State, Status, numbers, two_digits};
use holdpoint::tool::ToolError;

/// A change of a step that cannot be, and why.
fn refused(error: &'static str, what: String, next: &str) -> ToolError {
    ToolError::Refused {
        code: error.into(),
        what,
        next: format!("Nothing was changed: {next}"),
    }
}

impl Status {
    /// Starts a step; `needs` are the steps that must be completed before.
    pub fn start(&mut self, step: u32, needs: &[u32], now: &str) -> Result<(), ToolError> {
        self.goes_on()?;
        let name = two_digits(step);
        match self.state_of(step)? {
            State::Pending | State::Failed => {}
            State::InProgress => {
                return Err(refused(
                    "ALREADY_STARTED",
                    format!("Step {name} has been started already"),
                    "somebody else works on it. Take another step, or ask the person.",
                ));
            }
            State::Completed => return Err(already_completed(step)),
            State::Blocked => {
                return Err(refused(
                    "BLOCKED",
                    format!("Step {name} is blocked"),
                    "a person has to set it back to pending in STATUS.md.",
                ));
            }
        }
        self.has_what_it_needs(step, needs)?;
        self.set_step(step, Column::Status, State::InProgress.as_str());
        self.set_step(step, Column::Started, now);
        self.set_step(step, Column::Completed, NOTHING);
        if self.started_at.is_none() {
            self.set(Key::StartedAt, now);
        }
        self.settle(step, State::InProgress);
        Ok(())
    }

    /// Whether a step can be completed now.
    pub fn may_complete(&self, step: u32) -> Result<(), ToolError> {
        self.goes_on()?;
        let name = two_digits(step);
        match self.state_of(step)? {
            State::InProgress => Ok(()),
            State::Completed => Err(already_completed(step)),
            State::Pending => Err(refused(
                "NOT_STARTED",
                format!("Step {name} has not been started"),
                "call plan_step_start for it, do the work, then call again.",
            )),
            state => Err(refused(
                "NOT_STARTED",
                format!("Step {name} is {}", state.as_str()),
                "start it again with plan_step_start, or ask the person.",
            )),
        }
    }

    /// Completes a step.
    pub fn complete(&mut self, step: u32, now: &str, note: Option<&str>) -> Result<(), ToolError> {
        self.may_complete(step)?;
        self.set_step(step, Column::Status, State::Completed.as_str());
        self.set_step(step, Column::Completed, now);
        self.note(step, note);
        self.set(Key::LastCompleted, &two_digits(step));
        self.settle(step, State::Completed);
        Ok(())
    }

    /// Adds to what the notes of a step say.
    pub fn note(&mut self, step: u32, note: Option<&str>) {
        let Some(note) = note.map(str::trim).filter(|note| !note.is_empty()) else {
            return;
        };
        let before = self.step(step).and_then(|row| row.notes.clone());
        let notes = match before {
            Some(before) if before.contains(note) => before,
            Some(before) => format!("{before}; {note}"),
            None => note.to_owned(),
        };
        self.set_step(step, Column::Notes, &notes);
    }

    /// The number of a further step; a plan that was completed goes on with it.
    pub fn further_step(&mut self) -> Result<u32, ToolError> {
        const MOST: u32 = 99;
        let last = self.steps.iter().map(|step| step.number).max();
        let next = last.unwrap_or(0) + 1;
        if next > MOST {
            return Err(refused(
                "TOO_MANY_STEPS",
                format!("The plan has {MOST} steps, which is the most"),
                "make a further plan for the rest.",
            ));
        }
        if self.state == State::Completed && last.is_some() {
            self.set(Key::Status, State::InProgress.as_str());
        }
        Ok(next)
    }

    /// Steps that can be started now.
    pub fn startable(&self, needs: impl Fn(u32) -> Option<Vec<u32>>) -> Vec<u32> {
        if self.goes_on().is_err() {
            return Vec::new();
        }
        let ready = |step: &&super::status::Row| {
            matches!(step.state, State::Pending | State::Failed)
                && needs(step.number)
                    .is_some_and(|needs| self.has_what_it_needs(step.number, &needs).is_ok())
        };
        self.steps
            .iter()
            .filter(ready)
            .map(|step| step.number)
            .collect()
    }

    /// The step before this one: what a step needs where its file says nothing.
    pub fn before(&self, step: u32) -> Vec<u32> {
        let numbers = self.steps.iter().map(|row| row.number);
        numbers
            .filter(|number| *number < step)
            .max()
            .into_iter()
            .collect()
    }

    /// Nothing goes on in a plan that a person has stopped.
    fn goes_on(&self) -> Result<(), ToolError> {
        match self.state {
            State::Blocked | State::Failed => Err(refused(
                "PLAN_STOPPED",
                format!("The plan is {}", self.state.as_str()),
                "a person has to set its Status back to in_progress in STATUS.md. Ask them.",
            )),
            _ => Ok(()),
        }
    }

    fn state_of(&self, step: u32) -> Result<State, ToolError> {
        let known = || {
            let known: Vec<_> = self.steps.iter().map(|row| row.number).collect();
            if known.is_empty() {
                "the plan has no steps yet; plan_step_add adds one".to_owned()
            } else {
                format!(
                    "there is no step {}; there are {}",
                    two_digits(step),
                    numbers(&known)
                )
            }
        };
        let row = self.step(step).map(|row| row.state);
        row.ok_or_else(|| ToolError::argument("step", known()))
    }

    fn has_what_it_needs(&self, step: u32, needs: &[u32]) -> Result<(), ToolError> {
        let unmet = |needed: &&u32| {
            self.step(**needed)
                .is_none_or(|row| row.state != State::Completed)
        };
        let unmet: Vec<_> = needs.iter().filter(unmet).copied().collect();
        if unmet.is_empty() {
            return Ok(());
        }
        let states: Vec<_> = unmet
            .iter()
            .map(|needed| match self.step(*needed) {
                Some(row) => format!("{} is {}", two_digits(*needed), row.state.as_str()),
                None => format!("{} is not there", two_digits(*needed)),
            })
            .collect();
        Err(refused(
            "NEEDS_OTHERS",
            format!(
                "Step {} needs others first: {}",
                two_digits(step),
                states.join(", ")
            ),
            "complete those first.",
        ))
    }

    /// Sets what the plan's own table says of its steps, after one of them has changed.
    fn settle(&mut self, changed: u32, to: State) {
        for row in self.steps.iter_mut().filter(|row| row.number == changed) {
            row.state = to;
        }
        let with = |state: State| self.steps.iter().filter(move |row| row.state == state);
        let current: Vec<_> = with(State::InProgress).map(|row| row.number).collect();
        let all = with(State::Completed).count() == self.steps.len();
        let shown = if current.is_empty() {
            NOTHING.to_owned()
        } else {
            numbers(&current)
        };
        self.set(Key::CurrentStep, &shown);
        let state = if all {
            State::Completed
        } else {
            State::InProgress
        };
        self.set(Key::Status, state.as_str());
    }
}

fn already_completed(step: u32) -> ToolError {
    refused(
        "ALREADY_COMPLETED",
        format!("Step {} has been completed already", two_digits(step)),
        "go on with the next step; plan_status says which.",
    )
}
