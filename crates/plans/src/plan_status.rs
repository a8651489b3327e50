//! `plan_status`: where a plan is, and what comes next.

use super::{
    Which,
    approval::{self, Approval},
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
    /// Whether a person's approval is on record; where there is a gate
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
    /// The steps with a gate whose approval, as they are now, is on record.
    pub approved: Vec<u32>,
    pub problems: Vec<String>,
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
        let (mut files, mut problems) = (BTreeMap::new(), Vec::new());
        let listed = step_files(place.path.full());
        for step in &status.steps {
            let number = two_digits(step.number);
            match StepFile::open_among(place.path.full(), &listed, step.number) {
                Ok(Some(file)) => drop(files.insert(step.number, file)),
                Ok(None) => problems.push(format!("step {number} has no file plan/{number}-….md")),
                Err(what) => problems.push(what),
            }
        }
        Ok(Self {
            place,
            status,
            files,
            approved: Vec::new(),
            problems,
        })
    }

    /// Looks up the approvals that the record has.
    pub async fn read_approvals(&mut self, flow: &Flow, root: &PlanRoot) -> Result<(), ToolError> {
        for (number, file) in &self.files {
            let done = |step: &&Row| step.state.is_done();
            let Some(row) = self.status.step(*number).filter(done) else {
                continue;
            };
            if !file.gate {
                continue;
            }
            let number = two_digits(row.number);
            let (state, tool) = match row.state {
                State::Skipped => ("skipped", "plan_step_skip"),
                _ => ("completed", "plan_step_complete"),
            };
            match approval::on_record(flow, root, &self.place, row, file).await? {
                Approval::Given => self.approved.push(row.number),
                Approval::OfWhatItWas => self.problems.push(format!(
                    "step {number} was approved as it was before, and has changed since: call {tool} for it"
                )),
                Approval::Missing => self.problems.push(format!(
                    "step {number} is {state} without a person's approval on record: call {tool} for it"
                )),
            }
        }
        Ok(())
    }

    /// The steps that must be completed, and where they have a gate approved, before this one.
    pub fn needs(&self, step: u32) -> Option<Vec<u32>> {
        let needs = self.files.get(&step)?.needs.clone();
        Some(needs.unwrap_or_else(|| self.status.before(step)))
    }

    /// Those, and what the ones that were left out need in their turn.
    pub fn all_needs(&self, step: u32) -> Option<Vec<u32>> {
        let of = |step: u32| self.needs(step).unwrap_or_else(|| self.status.before(step));
        Some(self.status.beyond_skipped(&self.needs(step)?, of))
    }

    /// A step that is done by the file, but whose gate nobody opened.
    pub fn unapproved(&self, step: u32) -> bool {
        let done = self
            .status
            .step(step)
            .is_some_and(|row| row.state.is_done());
        done && self.files.get(&step).is_some_and(|file| file.gate)
            && !self.approved.contains(&step)
    }

    pub fn startable(&self) -> Vec<u32> {
        let startable = self.status.startable(|step| self.all_needs(step));
        let approved = |step: &u32| {
            let needs = self.all_needs(*step).unwrap_or_default();
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
            problems: self.problems.clone(),
        }
    }

    fn step_output(&self, row: &Row) -> StepOutput {
        let file = self.files.get(&row.number);
        let gate = file.filter(|file| file.gate);
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
            approved: gate.map(|_| self.approved.contains(&row.number)),
        }
    }
}
