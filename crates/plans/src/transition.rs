//! Which changes of a plan's state there are: a step cannot complete before it started, nor start
//! before the ones it needs.

use super::status::{Column, Key, State, Status, is_after, numbers, two_digits};
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
            State::Skipped => return Err(already_skipped(step)),
            State::Blocked => {
                return Err(refused(
                    "BLOCKED",
                    format!("Step {name} is blocked"),
                    "a person has to set it back to pending in STATUS.md.",
                ));
            }
        }
        self.has_what_it_needs(step, needs)?;
        self.set_step_moment(step, Column::Started, Some(now));
        self.set_step_moment(step, Column::Completed, None);
        if self.started_at.is_none() {
            self.set_moment(Key::StartedAt, now);
        }
        self.settle(step, State::InProgress);
        Ok(())
    }

    /// Whether a step can be completed now.
    pub fn may_complete(&self, step: u32, now: &str) -> Result<(), ToolError> {
        self.goes_on()?;
        let name = two_digits(step);
        let started = self.step(step).and_then(|row| row.started.as_deref());
        match self.state_of(step)? {
            State::InProgress => match started.filter(|started| is_after(started, now)) {
                None => Ok(()),
                Some(started) => Err(refused(
                    "NOT_STARTED",
                    format!("Step {name} started at {started}, which is still to come"),
                    "correct its start in STATUS.md, or the clock of this machine, and call again.",
                )),
            },
            State::Completed => Err(already_completed(step)),
            State::Skipped => Err(already_skipped(step)),
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
        self.may_complete(step, now)?;
        self.set_step_moment(step, Column::Completed, Some(now));
        self.note(step, note);
        self.set_named(Key::LastCompleted, &[step]);
        self.settle(step, State::Completed);
        Ok(())
    }

    /// Whether a step can be left out now.
    pub fn may_skip(&self, step: u32) -> Result<(), ToolError> {
        self.goes_on()?;
        match self.state_of(step)? {
            State::Completed => Err(already_completed(step)),
            State::Skipped => Err(already_skipped(step)),
            _ => Ok(()),
        }
    }

    /// Leaves a step out.
    pub fn skip(&mut self, step: u32, note: Option<&str>) -> Result<(), ToolError> {
        self.may_skip(step)?;
        self.note(step, note);
        self.settle(step, State::Skipped);
        Ok(())
    }

    /// The steps that these lead to: a step that was left out stands in for none of those that it
    /// needs itself.
    pub fn beyond_skipped(&self, needs: &[u32], of: impl Fn(u32) -> Vec<u32>) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        let mut open = needs.to_vec();
        while let Some(step) = open.pop() {
            if found.contains(&step) {
                continue;
            }
            found.push(step);
            if self
                .step(step)
                .is_some_and(|row| row.state == State::Skipped)
            {
                open.extend(of(step));
            }
        }
        found.sort_unstable();
        found
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
        if self.state == State::Completed {
            self.set_state(match last {
                Some(_) => State::InProgress,
                None => State::Pending,
            });
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
            State::Blocked | State::Failed | State::Skipped => Err(refused(
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
        let unmet = |needed: &&u32| self.step(**needed).is_none_or(|row| !row.state.is_done());
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
        self.set_step_state(changed, to);
        let current = self
            .steps
            .iter()
            .filter(|row| row.state == State::InProgress);
        let current: Vec<_> = current.map(|row| row.number).collect();
        self.set_named(Key::CurrentStep, &current);
        let all = self.steps.iter().all(|row| row.state.is_done());
        self.set_state(if all {
            State::Completed
        } else {
            State::InProgress
        });
        self.set_progress();
    }
}

fn already_completed(step: u32) -> ToolError {
    refused(
        "ALREADY_COMPLETED",
        format!("Step {} has been completed already", two_digits(step)),
        "go on with the next step; plan_status says which.",
    )
}

fn already_skipped(step: u32) -> ToolError {
    refused(
        "ALREADY_SKIPPED",
        format!("Step {} was left out", two_digits(step)),
        "where it is wanted after all, a person sets it back to pending in STATUS.md.",
    )
}
