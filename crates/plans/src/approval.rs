//! Approvals of steps, as the journal has them. What the plan's own files say is only where to look.

use super::{
    gate::{Gate, STEP},
    held_history::history,
    locate::{PlanDir, PlanRoot},
    status::Row,
    step_complete,
    step_file::StepFile,
};
use crate::Flow;
use holdpoint::tool::ToolError;
use holdpoint::{AskId, Outcome, journal::StepState};
use serde_json::Value;

/// What a plan's history calls it.
pub(super) const EVENT: &str = "step_approved";

/// What the record says of a step that needs a person's approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Approval {
    /// A person approved it, as it is now.
    Given,
    /// A person approved it, and what they were shown has changed since.
    OfWhatItWas,
    /// Nobody did, or for another caller.
    Missing,
}

/// Looks up whether a person has approved this step of this plan, as it is in this file and under this name.
pub(super) async fn on_record(
    flow: &Flow,
    root: &PlanRoot,
    place: &PlanDir,
    row: &Row,
    file: &StepFile,
) -> Result<Approval, ToolError> {
    let (own, there) = (root.clone(), place.clone());
    let lines = super::blocking(move || history(&own, &there)).await;
    let asks = lines
        .iter()
        .rev()
        .filter(|line| line.event == EVENT && line.step == Some(row.number))
        .filter_map(|line| line.ask_id.as_deref()?.parse::<AskId>().ok());
    let mut found = Approval::Missing;
    for ask in asks {
        for gate in approved(flow, ask).await? {
            let same = gate.path == place.path.name() && gate.step == row.number;
            if !same || gate.closing.state() != row.state {
                continue;
            }
            if gate.is_about(row, file) {
                return Ok(Approval::Given);
            }
            found = Approval::OfWhatItWas;
        }
    }
    Ok(found)
}

/// What a person approved by this ask, for this caller: one server, principal, client and workspace.
async fn approved(flow: &Flow, ask: AskId) -> Result<Vec<Gate>, ToolError> {
    let journal = flow.cx.desk().journal();
    let Some(record) = journal.ask(ask).await? else {
        return Ok(Vec::new());
    };
    let tool = record.origin.tool.as_deref();
    let ours = record.origin.is_bound_like(flow.cx.origin())
        && tool.is_some_and(|tool| step_complete::TOOLS.contains(&tool));
    let decision = record.decision.map(|decision| decision.outcome);
    let (Some(Outcome::Accepted(answer)), Some(call), true) = (decision, record.call, ours) else {
        return Ok(Vec::new());
    };
    let Some(history) = journal.call(call).await? else {
        return Ok(Vec::new());
    };
    let looks = history.steps.into_iter().filter(|done| done.name == STEP);
    let gates = looks.filter_map(|done| match done.state {
        StepState::Finished(seen) => serde_json::from_value::<Result<Gate, Value>>(seen)
            .ok()?
            .ok(),
        StepState::Started { .. } => None,
    });
    Ok(gates
        .filter(|gate| gate.asks() && gate.unticked(&answer).is_empty())
        .collect())
}
