//! `plan_status`: where a plan is, and what comes next.

use super::{
    Which,
    approval::{Approval, Approvals},
    blocking,
    draft::Gate,
    locate::{PlanDir, PlanRoot},
    status::{Row, State, Status, numbers, two_digits},
    step_file::{StepFile, step_files},
};
use crate::{Flow, Tool};
use holdpoint::tool::{PlainResult, ToolError, ToolHints, ToolInfo};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "plan_status",
        title: "Show a plan's state",
        description: "Reads a plan's STATUS.md: its steps, which one comes next, and what does not fit together.",
        hints: ToolHints::Reads,
    };
    Tool::new(about, run)
}

/// What the schema of a tool that changes a plan says of it; that of `plan_status` says the rest.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct PlanSummary {
    code: String,
    path: String,
    plan_status: State,
    startable: Vec<u32>,
}

/// The result fields of every tool that is about one plan.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlanOutput {
    code: String,
    path: String,
    name: Option<String>,
    plan_status: State,
    current_steps: Vec<u32>,
    last_completed: Option<u32>,
    started_at: Option<String>,
    last_updated: Option<String>,
    startable: Vec<u32>,
    /// With number, name, status, file, needs and more
    #[schemars(with = "Vec<JsonObject>")]
    steps: Vec<StepOutput>,
    /// What does not fit together
    problems: Vec<String>,
}

#[derive(Serialize)]
struct StepOutput {
    number: u32,
    name: String,
    status: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gate: Option<Gate>,
    /// Whether a person's approval is on record; where there is a gate, or it was left out
    #[serde(skip_serializing_if = "Option::is_none")]
    approved: Option<bool>,
}

async fn run(flow: Flow, which: Which) -> Result<PlainResult<PlanOutput>, ToolError> {
    let root = PlanRoot::from_call(&flow)?;
    let view = PlanView::find(&flow, &root, which).await?;
    let next = view.next();
    Ok(PlainResult::new(&next, &view.output()))
}

/// A plan as it is now.
pub(super) struct PlanView {
    pub place: PlanDir,
    pub status: Status,
    pub files: BTreeMap<u32, StepFile>,
    /// The steps with a gate, or left out, whose approval, as they are now, is on record.
    approved: Vec<u32>,
    /// What is wrong with the files that cannot be read, by step.
    unreadable: BTreeMap<u32, String>,
    /// What is wrong with approvals; a plan that has such a gate is not in order.
    pub problems: Vec<String>,
    /// Steps without a gate that were left out, by nobody who is on record. RiotPlan keeps no record.
    pub unconfirmed: Vec<String>,
}

impl PlanView {
    /// Finds a plan and reads it.
    pub async fn find(flow: &Flow, root: &PlanRoot, which: Which) -> Result<Self, ToolError> {
        let own = root.clone();
        let mut view = blocking(move || {
            let place = own.find(&which)?;
            Self::read(&own, place)
        })
        .await?;
        view.read_approvals(flow, root).await?;
        Ok(view)
    }

    /// Reads what the files say.
    pub fn read(root: &PlanRoot, place: PlanDir) -> Result<Self, ToolError> {
        let status = root.status(&place)?;
        let (mut files, mut unreadable) = (BTreeMap::new(), BTreeMap::new());
        let listed = step_files(place.path.full());
        for step in &status.steps {
            let number = two_digits(step.number);
            let none = || format!("step {number} has no file plan/{number}-….md");
            match StepFile::open_among(place.path.full(), &listed, step.number) {
                Ok(Some(file)) => drop(files.insert(step.number, file)),
                Ok(None) => drop(unreadable.insert(step.number, none())),
                Err(what) => drop(unreadable.insert(step.number, what)),
            }
        }
        let mut view = Self::new(place, status, files);
        view.problems = unreadable.values().cloned().collect();
        // Where no step has a file, none ever said that it has a gate.
        view.unreadable = unreadable;
        if listed.is_empty() {
            view.unreadable.clear();
        }
        Ok(view)
    }

    /// A plan of these steps, before anything of it was looked up.
    pub fn new(place: PlanDir, status: Status, files: BTreeMap<u32, StepFile>) -> Self {
        Self {
            place,
            status,
            files,
            approved: Vec::new(),
            unreadable: BTreeMap::new(),
            problems: Vec::new(),
            unconfirmed: Vec::new(),
        }
    }

    /// Looks up the approvals that the record has.
    pub async fn read_approvals(&mut self, flow: &Flow, root: &PlanRoot) -> Result<(), ToolError> {
        let approvals = Approvals::read(flow, root, &self.place).await?;
        for (number, file) in &self.files {
            let done = |step: &&Row| step.state.is_done();
            let Some(row) = self.status.step(*number).filter(done) else {
                continue;
            };
            if !(file.gate || row.state == State::Skipped) {
                continue;
            }
            let number = two_digits(row.number);
            let (state, tool) = match row.state {
                State::Skipped => ("skipped", "plan_step_skip"),
                _ => ("completed", "plan_step_complete"),
            };
            let what = match approvals.of(row, file) {
                Approval::Given => {
                    self.approved.push(row.number);
                    continue;
                }
                Approval::OfWhatItWas => format!(
                    "step {number} was approved as it was before, and has changed since: call {tool} for it"
                ),
                Approval::Missing => format!(
                    "step {number} is {state} without a person's approval on record: call {tool} for it"
                ),
            };
            if file.gate {
                self.problems.push(what);
            } else {
                self.unconfirmed.push(what);
            }
        }
        Ok(())
    }

    /// The steps that must be completed, and where they have a gate approved, before this one.
    pub fn needs(&self, step: u32) -> Option<Vec<u32>> {
        let needs = self.files.get(&step)?.needs.clone();
        Some(needs.unwrap_or_else(|| self.status.before(step)))
    }

    /// Those, and what the ones that were left out need in their turn. A step without a file needs the
    /// one before it.
    pub fn all_needs(&self, step: u32) -> Vec<u32> {
        let of = |step: u32| self.needs(step).unwrap_or_else(|| self.status.before(step));
        self.status.beyond_skipped(&of(step), of)
    }

    /// A step that is done by the file, but whose gate nobody opened, or that nobody left out. What
    /// cannot be read cannot say that it has no gate.
    pub fn unapproved(&self, step: u32) -> bool {
        let Some(row) = self.status.step(step).filter(|row| row.state.is_done()) else {
            return false;
        };
        let asks = match self.files.get(&step) {
            Some(file) => file.gate || row.state == State::Skipped,
            None => self.unreadable(step).is_some() || row.state == State::Skipped,
        };
        asks && !self.approved.contains(&step)
    }

    /// What is wrong with a step's file, where it cannot be read.
    pub fn unreadable(&self, step: u32) -> Option<&str> {
        self.unreadable.get(&step).map(String::as_str)
    }

    pub fn startable(&self) -> Vec<u32> {
        let needs = |step: u32| self.needs(step).map(|_| self.all_needs(step));
        let startable = self.status.startable(needs);
        let approved = |step: &u32| {
            let needs = self.all_needs(*step);
            !needs.iter().any(|needed| self.unapproved(*needed))
        };
        startable.into_iter().filter(approved).collect()
    }

    /// What the agent does now.
    pub fn next(&self) -> String {
        let startable = self.startable();
        if let Some(problem) = self.problems.first() {
            return format!("Something does not fit together: {problem}. Tell the person.");
        }
        match (
            self.status.state,
            self.status.current.as_slice(),
            startable.as_slice(),
        ) {
            // It holds nothing up before there is nothing else to do.
            (State::Completed, ..) | (_, [], []) if !self.unconfirmed.is_empty() => format!(
                "Nothing goes on before a person has confirmed what was left out: {}.",
                self.unconfirmed.join("; ")
            ),
            (State::Completed, ..) => {
                "The plan is completed: write its SUMMARY.md and tell the person.".into()
            }
            (state @ (State::Blocked | State::Failed | State::Skipped), ..) => format!(
                "The plan is {}: stop, and ask the person; they set its Status in STATUS.md.",
                state.as_str()
            ),
            (_, [], []) if self.status.steps.is_empty() => {
                "The plan has no steps yet: add them with plan_step_add.".into()
            }
            (_, [], []) => "No step can start now: tell the person what each one waits for.".into(),
            (_, [], [first, ..]) => {
                format!("Start step {} with plan_step_start.", two_digits(*first))
            }
            (_, current, _) => format!(
                "Go on with step {}, and call plan_step_complete when its acceptance criteria are met.",
                numbers(current)
            ),
        }
    }

    /// The plan as a tool's result shows it.
    pub fn output(&self) -> PlanOutput {
        let status = &self.status;
        PlanOutput {
            code: self.place.code.clone(),
            path: self.place.path.name().to_owned(),
            name: status.name.clone(),
            plan_status: status.state,
            current_steps: status.current.clone(),
            last_completed: status.last_completed,
            started_at: status.started_at.clone(),
            last_updated: status.last_updated.clone(),
            startable: self.startable(),
            steps: status
                .steps
                .iter()
                .map(|row| self.step_output(row))
                .collect(),
            problems: [&self.problems[..], &self.unconfirmed].concat(),
        }
    }

    fn step_output(&self, row: &Row) -> StepOutput {
        let file = self.files.get(&row.number);
        let gate = file.filter(|file| file.gate);
        let asks = gate.is_some() || row.state == State::Skipped;
        StepOutput {
            number: row.number,
            name: row.name.clone(),
            status: row.state,
            started: row.started.clone(),
            completed: row.completed.clone(),
            notes: row.notes.clone(),
            file: file.map(|file| file.file.clone()),
            needs: file.map(|_| self.needs(row.number).unwrap_or_default()),
            gate: gate.map(|_| Gate::Approval),
            approved: asks.then(|| self.approved.contains(&row.number)),
        }
    }
}
