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
use holdpoint::{
    AskId, Outcome,
    journal::{AskQuery, AskRecord, StepState},
};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::BTreeMap;

/// What a plan's history calls it.
pub(super) const EVENT: &str = "step_approved";
/// How many asks are read at once.
const PAGE: usize = 256;

/// What the record says of a step that needs a person's approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Approval {
    /// A person approved it, as it is now.
    Given,
    /// A person approved it, and what they were shown has changed since.
    OfWhatItWas,
    /// Nobody did, or for another caller, or somebody was asked again since and it was no yes.
    Missing,
}

/// What was asked about the steps of a plan and what came of it, in the order of asking.
pub(super) struct Approvals(BTreeMap<AskId, Asked>);

/// One ask about a step.
struct Asked {
    gate: Gate,
    yes: bool,
    /// When a person answered; none where something else ended it, or nothing did.
    answered_at: Option<Timestamp>,
}

impl Approvals {
    /// Reads what was asked since the first approval that the plan's history tells of. Its lines only
    /// say how far to look back: whoever takes one out of it hides a yes, and never a no.
    pub async fn read(flow: &Flow, root: &PlanRoot, place: &PlanDir) -> Result<Self, ToolError> {
        let (own, there) = (root.clone(), place.clone());
        let lines = super::blocking(move || history(&own, &there)).await;
        let journal = flow.cx.desk().journal();
        let (mut found, mut first) = (Self(BTreeMap::new()), None);
        for line in lines.iter().filter(|line| line.step.is_some()) {
            let ask = line.ask_id.as_deref().and_then(|ask| ask.parse().ok());
            let Some(ask) = ask else { continue };
            if let Some(record) = journal.ask(ask).await? {
                found.add(flow, place, record).await?;
            }
            if found.0.get(&ask).is_some_and(|asked| asked.yes) {
                first = Some(first.map_or(ask, |first: AskId| first.min(ask)));
            }
        }
        // Without a yes there is nothing that a later no could take back.
        let Some(first) = first else {
            return Ok(found);
        };
        let mut query = AskQuery {
            principal: Some(flow.cx.session().principal.clone()),
            limit: Some(PAGE),
            ..AskQuery::default()
        };
        loop {
            let page = journal.asks(query.clone()).await?;
            query.before = page.last().map(|ask| ask.id);
            let more = page.len() == PAGE && query.before > Some(first);
            for record in page {
                found.add(flow, place, record).await?;
            }
            if !more {
                return Ok(found);
            }
        }
    }

    /// Whether a person has approved this step, as it is in this file and under this name. What was
    /// decided last counts.
    pub fn of(&self, row: &Row, file: &StepFile) -> Approval {
        let about = || {
            let all = self.0.values();
            all.filter(|asked| asked.gate.step == row.number)
        };
        let last = about().next_back();
        let Some(last) = last.filter(|last| last.yes && last.gate.closing.state() == row.state)
        else {
            return Approval::Missing;
        };
        // Of two that were open at once, the one asked first may be the one answered last.
        if about().any(|asked| !asked.yes && asked.answered_at > last.answered_at) {
            return Approval::Missing;
        }
        if last.gate.is_about(row, file) {
            Approval::Given
        } else {
            Approval::OfWhatItWas
        }
    }

    /// Takes up an ask about a step of this plan. A yes is good for its own caller: one server,
    /// principal, client and workspace. Anything else counts against it through whatever client.
    async fn add(&mut self, flow: &Flow, place: &PlanDir, ask: AskRecord) -> Result<(), ToolError> {
        let (caller, tool) = (flow.cx.origin(), ask.origin.tool.as_deref());
        let ours = ask.origin.is_seen_by(caller)
            && tool.is_some_and(|tool| step_complete::TOOLS.contains(&tool));
        let Some(call) = ask.call.filter(|_| ours && !self.0.contains_key(&ask.id)) else {
            return Ok(());
        };
        let Some(history) = flow.cx.desk().journal().call(call).await? else {
            return Ok(());
        };
        let mut looks = history.steps.into_iter().filter(|done| done.name == STEP);
        let gate = looks.find_map(|done| match done.state {
            StepState::Finished(seen) => serde_json::from_value::<Result<Gate, Value>>(seen)
                .ok()?
                .ok(),
            StepState::Started { .. } => None,
        });
        let Some(gate) = gate.filter(|gate| gate.path == place.path.name()) else {
            return Ok(());
        };
        let yes = match ask.decision.as_ref().map(|decision| &decision.outcome) {
            Some(Outcome::Accepted(answer)) => gate.asks() && gate.unticked(answer).is_empty(),
            _ => false,
        };
        if !yes || ask.origin.is_bound_like(caller) {
            let answered = ask.decision.filter(|decision| {
                let outcome = &decision.outcome;
                matches!(outcome, Outcome::Accepted(_) | Outcome::Declined { .. })
            });
            let asked = Asked {
                gate,
                yes,
                answered_at: answered.map(|decision| decision.at),
            };
            self.0.insert(ask.id, asked);
        }
        Ok(())
    }
}
