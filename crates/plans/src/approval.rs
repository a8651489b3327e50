//! Approvals of steps, as the journal has them. What the plan's own files say is only where to look.

use super::{
    gate::{Gate, STEP},
    locate::{PlanDir, PlanRoot},
    locked_plan::history,
};
use crate::Flow;
use holdpoint::tool::ToolError;
use holdpoint::{AskId, Outcome, journal::StepState};
use serde_json::Value;

/// What a plan's history calls it.
pub(super) const EVENT: &str = "step_approved";

/// Whether a person has approved this step of this plan.
pub(super) async fn on_record(
    flow: &Flow,
    root: &PlanRoot,
    place: &PlanDir,
    step: u32,
) -> Result<bool, ToolError> {
    let (own, there) = (root.clone(), place.clone());
    let lines = super::blocking(move || history(&own, &there)).await;
    let asks = lines
        .iter()
        .rev()
        .filter(|line| line.event == EVENT && line.step == Some(step))
        .filter_map(|line| line.ask_id.as_deref()?.parse::<AskId>().ok());
    for ask in asks {
        if approves(flow, ask, place, step).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn approves(flow: &Flow, ask: AskId, place: &PlanDir, step: u32) -> Result<bool, ToolError> {
    let journal = flow.cx.desk().journal();
    let Some(record) = journal.ask(ask).await? else {
        return Ok(false);
    };
    let here = record.origin.workspace.as_deref() == flow.cx.workspace()
        && record.origin.server == flow.cx.origin().server
        && record.origin.tool.as_deref() == Some(super::step_complete::NAME);
    let Some(Outcome::Accepted(answer)) =
        record.decision.as_ref().map(|decision| &decision.outcome)
    else {
        return Ok(false);
    };
    let Some(call) = record.call.filter(|_| here) else {
        return Ok(false);
    };
    let Some(history) = journal.call(call).await? else {
        return Ok(false);
    };
    let looks = history.steps.iter().filter(|done| done.name == STEP);
    let gate = looks.filter_map(|done| match &done.state {
        StepState::Finished(seen) => serde_json::from_value::<Result<Gate, Value>>(seen.clone())
            .ok()?
            .ok(),
        StepState::Started { .. } => None,
    });
    Ok(gate.into_iter().any(|gate| {
        gate.path == place.path.name() && gate.step == step && gate.unticked(answer).is_empty()
    }))
}
