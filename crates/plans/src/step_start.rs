//! `plan_step_start`: taking a step on.

use super::{
    Which, blocking, by,
    locate::PlanRoot,
    locked_plan::LockedPlan,
    now,
    plan_status::{PlanOutput, PlanSummary, PlanView},
    status::{numbers, two_digits},
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
    step: u32,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    #[serde(flatten)]
    #[schemars(with = "PlanSummary")]
    plan: PlanOutput,
    step: u32,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "plan_step_start",
        title: "Start a step of a plan",
        description: "Takes a step on, before any work on it. Refused if another agent has it, or a step that it needs is not completed.",
        hints: ToolHints::Updates,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> Result<PlainResult<Output>, ToolError> {
    let root = PlanRoot::from_call(&flow)?;
    let (step, client) = (arguments.step, by(&flow));
    let before = PlanView::find(&flow, &root, arguments.which).await?;
    may_go_on_from_what_it_needs(&before, step)?;
    let (own, place) = (root.clone(), before.place);
    let mut view = blocking(move || {
        let mut held = LockedPlan::new(&own, &place)?;
        let needs = held.needs(step)?;
        let now = now();
        if let Err(error) = held.status.start(step, &needs, &now) {
            return Err(say_who_has_it(error, &mut held, step));
        }
        held.save(&now)?;
        held.record(&Line::new(&now, "step_started").step(step).by(client))?;
        drop(held);
        PlanView::read(&own, place)
    })
    .await?;
    view.read_approvals(&flow, &root).await?;
    let file = view
        .files
        .get(&step)
        .map(|file| format!("{}/{}", view.place.path.name(), file.file));
    let next = match file {
        Some(file) => format!(
            "Step {} is yours: do what {file} says, then call plan_step_complete.",
            two_digits(step)
        ),
        None => format!(
            "Step {} is yours. It has no file: write plan/{0}-….md with what is to be done before you complete it.",
            two_digits(step)
        ),
    };
    let output = Output {
        plan: view.output(),
        step,
    };
    Ok(PlainResult::new(&next, &output))
}

/// Whether the steps that this one needs were approved, where they are done and a person had to.
fn may_go_on_from_what_it_needs(plan: &PlanView, step: u32) -> Result<(), ToolError> {
    let needs = plan.all_needs(step).into_iter();
    let unapproved: Vec<_> = needs.filter(|needed| plan.unapproved(*needed)).collect();
    let unreadable = unapproved
        .iter()
        .find_map(|needed| plan.unreadable(*needed));
    let (why, next) = match unreadable {
        _ if unapproved.is_empty() => return Ok(()),
        Some(what) => (
            format!("done, and what cannot be read cannot say that it has no gate: {what}"),
            "put that file right with the person, then call again.",
        ),
        None => (
            "done without a person's approval on record of what it is now".into(),
            "call plan_step_complete for that one, or plan_step_skip where it was left out, also before the plan came here; they ask the person.",
        ),
    };
    Err(ToolError::Refused {
        code: "NOT_APPROVED".into(),
        what: format!(
            "Step {} needs step {}, which is marked as {why}",
            two_digits(step),
            numbers(&unapproved)
        ),
        next: format!("Nothing was changed: {next}"),
    })
}

/// Says who has a step that somebody has started.
fn say_who_has_it(error: ToolError, held: &mut LockedPlan<'_>, step: u32) -> ToolError {
    let ToolError::Refused { code, what, next } = error else {
        return error;
    };
    let started = held
        .timeline()
        .into_iter()
        .rev()
        .find(|line| line.event == "step_started" && line.step == Some(step));
    let what = match started.filter(|_| code == "ALREADY_STARTED") {
        Some(line) => {
            let by = line
                .by
                .map(|by| format!(" by {}", super::draft::line(&by)))
                .unwrap_or_default();
            format!("{what}{by} at {}", super::draft::line(&line.at))
        }
        None => what,
    };
    ToolError::Refused { code, what, next }
}
