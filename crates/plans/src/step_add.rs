//! `plan_step_add`: a further step at the end of a plan.

use super::{
    Which, blocking, by,
    draft::{Gate, NewStep, line, step_file},
    locate::PlanRoot,
    locked_plan::LockedPlan,
    now,
    plan_status::{PlanOutput, PlanSummary, PlanView},
    steps_argument::check,
    timeline::Entry as Line,
};
use crate::{Flow, Tool};
use holdpoint::tool::{PlainResult, ToolError, ToolHints, ToolInfo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    #[serde(flatten)]
    which: Which,
    title: String,
    #[serde(default)]
    goal: Option<String>,
    #[serde(default)]
    tasks: Option<Vec<String>>,
    #[serde(default)]
    acceptance_criteria: Option<Vec<String>>,
    /// Steps that come before; default: the one before it
    #[serde(default)]
    needs: Option<Vec<u32>>,
    /// A person must approve it
    #[serde(default)]
    gate: Option<Gate>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    #[serde(flatten)]
    #[schemars(with = "PlanSummary")]
    plan: PlanOutput,
    step: u32,
    file: String,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "plan_step_add",
        title: "Add a step to a plan",
        description: "Adds a step at the end of a plan.",
        hints: ToolHints::Updates,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> Result<PlainResult<Output>, ToolError> {
    let root = PlanRoot::from_call(&flow)?;
    let client = by(&flow);
    let step = NewStep {
        title: line(&arguments.title),
        goal: arguments.goal,
        tasks: arguments.tasks,
        acceptance_criteria: arguments.acceptance_criteria,
        needs: arguments.needs,
        gate: arguments.gate,
    };
    let own = root.clone();
    let (mut view, number, file) = blocking(move || {
        let place = own.find(&arguments.which)?;
        let mut held = LockedPlan::new(&own, &place)?;
        let number = held.status.further_step()?;
        check(&step, "title", number, number)?;
        let (file, text) = step_file(number, &step, None);
        // The file first: a row without one could not be completed.
        held.add_file(&file, &text)?;
        held.status.add_step(number, &step.title);
        let now = now();
        held.save(&now)?;
        let added = Line::new(&now, "step_added").step(number).by(client);
        held.record(&added.with("name", step.title.clone()))?;
        drop(held);
        Ok::<_, ToolError>((PlanView::read(&own, place)?, number, file))
    })
    .await?;
    view.read_approvals(&flow, &root).await?;
    let next = format!("{} is there: fill it in, or add the next step.", file);
    let output = Output {
        plan: view.output(),
        step: number,
        file,
    };
    Ok(PlainResult::new(&next, &output))
}
