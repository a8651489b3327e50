//! `plan_status`: where a plan is, and what comes next.

use super::{
    Which, approval, blocking,
    locate::{PlanDir, PlanRoot},
    status::{State, Status, numbers, two_digits},
    step_file::StepFile,
};
use crate::{Ended, Flow, Tool};
use holdpoint::tool::{OutputSchema, ToolError, ToolHints, ToolInfo, object, plain_result};
use rmcp::model::JsonObject;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "plan_status",
        title: "Show a plan's state",
        description: "Reads a plan's STATUS.md, as it and the people who edit it say: the steps with their state, which one comes next, and what does not fit together.",
        hints: ToolHints::Reads,
    };
    Tool::new(about, OutputSchema::Only(fields()), run)
}

/// The result fields of every tool that tells of one plan.
pub(super) fn fields() -> Value {
    let state = json!({ "type": "string", "enum": State::ALL.map(State::as_str) });
    json!({
        "code": { "type": "string", "description": "The plan's code" },
        "path": { "type": "string", "description": "Its folder, from the workspace" },
        "name": { "type": "string" },
        "planStatus": state,
        "currentSteps": { "type": "array", "items": { "type": "integer" }, "description": "Under way" },
        "lastCompleted": { "type": "integer" },
        "startedAt": { "type": "string" },
        "lastUpdated": { "type": "string" },
        "startable": {
            "type": "array", "items": { "type": "integer" },
            "description": "The steps that can be started now",
        },
        "steps": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": { "type": "integer" },
                    "name": { "type": "string" },
                    "status": state,
                    "started": { "type": "string" },
                    "completed": { "type": "string" },
                    "notes": { "type": "string" },
                    "file": { "type": "string" },
                    "needs": { "type": "array", "items": { "type": "integer" } },
                    "gate": { "type": "string", "enum": ["approval"] },
                    "approved": {
                        "type": "boolean",
                        "description": "Whether a person's approval is on record; where there is a gate",
                    },
                },
                "required": ["number", "name", "status"],
            },
        },
        "problems": {
            "type": "array", "items": { "type": "string" },
            "description": "What does not fit together and should be mended",
        },
        "proceed": { "type": "boolean", "description": "Always false: nobody was asked" },
    })
}

async fn run(flow: Flow, which: Which) -> Ended {
    let root = PlanRoot::of(&flow)?;
    let seen = PlanView::of(&flow, &root, which).await?;
    let next = seen.next();
    Ok(plain_result(None, &next, seen.told()))
}

/// A plan as it is now.
pub(super) struct PlanView {
    pub place: PlanDir,
    pub status: Status,
    pub files: BTreeMap<u32, StepFile>,
    /// The steps with a gate whose approval is on record.
    pub approved: Vec<u32>,
    pub problems: Vec<String>,
}

impl PlanView {
    pub async fn of(flow: &Flow, root: &PlanRoot, which: Which) -> Result<Self, ToolError> {
        let own = root.clone();
        let mut seen = blocking(move || {
            let place = own.find(which.code.as_deref(), which.path.as_deref())?;
            Self::read(&own, place)
        })
        .await?;
        seen.believe(flow, root).await?;
        Ok(seen)
    }

    /// Reads what the files say.
    pub fn read(root: &PlanRoot, place: PlanDir) -> Result<Self, ToolError> {
        let status = root.status(&place)?;
        let (mut files, mut problems) = (BTreeMap::new(), Vec::new());
        for step in &status.steps {
            let number = two_digits(step.number);
            match StepFile::of(&place.path.full, step.number) {
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
    pub async fn believe(&mut self, flow: &Flow, root: &PlanRoot) -> Result<(), ToolError> {
        for (number, file) in &self.files {
            let completed = self
                .status
                .step(*number)
                .is_some_and(|step| step.state == State::Completed);
            if !file.gate || !completed {
                continue;
            }
            if approval::on_record(flow, root, &self.place, *number).await? {
                self.approved.push(*number)
            } else {
                self.problems.push(format!(
                "step {} is completed without a person's approval on record: call plan_step_complete for it",
                two_digits(*number)
            ))
            }
        }
        Ok(())
    }

    /// The steps that must be completed, and where they have a gate approved, before this one.
    pub fn needs(&self, step: u32) -> Option<Vec<u32>> {
        let needs = self.files.get(&step)?.needs.clone();
        Some(needs.unwrap_or_else(|| self.status.before(step)))
    }

    /// A step that is completed by the file, but whose gate nobody opened.
    pub fn unapproved(&self, step: u32) -> bool {
        let completed = self
            .status
            .step(step)
            .is_some_and(|row| row.state == State::Completed);
        completed
            && self.files.get(&step).is_some_and(|file| file.gate)
            && !self.approved.contains(&step)
    }

    pub fn startable(&self) -> Vec<u32> {
        let startable = self.status.startable(|step| self.needs(step));
        let approved = |step: &u32| {
            let needs = self.needs(*step).unwrap_or_default();
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
            (state @ (State::Blocked | State::Failed), ..) => format!(
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

    pub fn told(&self) -> JsonObject {
        let status = &self.status;
        let steps: Vec<_> = status
            .steps
            .iter()
            .map(|step| self.step_told(step.number))
            .collect();
        object(json!({
            "code": self.place.code,
            "path": self.place.path.name,
            "name": status.name,
            "planStatus": status.state,
            "currentSteps": status.current,
            "lastCompleted": status.last_completed,
            "startedAt": status.started_at,
            "lastUpdated": status.last_updated,
            "startable": self.startable(),
            "steps": steps,
            "problems": self.problems,
        }))
    }

    fn step_told(&self, number: u32) -> Value {
        let Some(row) = self.status.step(number) else {
            return Value::Null;
        };
        let mut step = object(json!({
            "number": number, "name": row.name, "status": row.state,
            "started": row.started, "completed": row.completed, "notes": row.notes,
        }));
        if let Some(file) = self.files.get(&number) {
            step.insert("file".into(), file.file.clone().into());
            step.insert(
                "needs".into(),
                self.needs(number).unwrap_or_default().into(),
            );
            if file.gate {
                step.insert("gate".into(), "approval".into());
                step.insert("approved".into(), self.approved.contains(&number).into());
            }
        }
        step.retain(|_, value| !value.is_null());
        step.into()
    }
}
