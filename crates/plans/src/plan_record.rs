//! What other tools show and record of a plan that has a folder: its steps, the decisions about it,
//! and the step that a commit completes.

use super::{
    PlanTools, answerer, blocking, by, code,
    draft::line,
    locate::{PlanDir, PlanRoot},
    locked_plan::LockedPlan,
    now,
    plan_status::PlanView,
    status::{State, two_digits},
    timeline::Entry as Line,
};
use crate::Flow;
use holdpoint::tool::ToolError;
use holdpoint::{Decision, Outcome, ToolContext};
use serde_json::{Map, Value};

/// The folder of a plan of this name, if there is one.
async fn find(flow: &Flow, name: &str) -> Result<Option<(PlanRoot, PlanDir)>, ToolError> {
    let code = holdpoint_workspace::kebab_case(name);
    if code::flaw(&code).is_some() {
        return Ok(None);
    }
    let root = PlanRoot::from_call(flow)?;
    let own = root.clone();
    let place = blocking(move || {
        own.usual(&code).or_else(|| {
            let mut elsewhere = own.elsewhere(|place| place.code == code);
            // Of several, nobody can say which one is meant.
            elsewhere.pop().filter(|_| elsewhere.is_empty())
        })
    })
    .await;
    Ok(place.map(|place| (root, place)))
}

impl PlanTools {
    /// The steps of a plan as Markdown, for the person who is to approve it; none where it has no
    /// folder. They are read in a step of the call, so that a later run shows the same.
    ///
    /// # Errors
    /// When the record cannot be kept.
    pub async fn show_steps(
        &self,
        cx: ToolContext,
        name: &str,
    ) -> Result<Option<String>, ToolError> {
        let flow = self.flow(cx);
        let effect = async {
            let Ok(Some((root, place))) = find(&flow, name).await else {
                return None;
            };
            blocking(move || Some(steps(&root, place))).await
        };
        Ok(flow.cx.step("plan folder", effect).await?)
    }

    /// Writes a decision into the history of the plan of this name, where it has a folder. The
    /// journal has it already: what stands in the way here is logged and no more.
    pub async fn record_decision(
        &self,
        cx: ToolContext,
        name: &str,
        event: &str,
        decision: &Decision,
    ) {
        let flow = self.flow(cx);
        let recorded = async {
            let Some((root, place)) = find(&flow, name).await? else {
                return Ok(());
            };
            let line = entry(event, decision);
            blocking(move || {
                let mut held = LockedPlan::new(&root, &place)?;
                let known = held.timeline().iter().any(|past| same(past, &line));
                if known { Ok(()) } else { held.record(&line) }
            })
            .await
        };
        let recorded: Result<(), ToolError> = recorded.await;
        if let Err(error) = recorded {
            tracing::warn!(%error, "a decision is in the journal, but not in the plan's history");
        }
    }

    /// Records a commit decision about a step: a commit that is there completes it, an abort stops
    /// the plan. None where the plan has no folder.
    pub async fn record_commit(
        &self,
        cx: ToolContext,
        name: &str,
        step: u32,
        decision: &Decision,
        commit: Option<&str>,
        is_there: bool,
    ) -> Option<PlanStepMark> {
        let flow = self.flow(cx);
        let (root, place) = find(&flow, name).await.ok().flatten()?;
        let path = place.path.name().to_owned();
        let marked = mark(&flow, root, place, step, decision, commit, is_there).await;
        Some(marked.unwrap_or_else(|error| PlanStepMark {
            path,
            step,
            completed: false,
            reason: Some(line(&error.to_string())),
        }))
    }
}

fn steps(root: &PlanRoot, place: PlanDir) -> String {
    let path = place.path.name().to_owned();
    let view = match PlanView::read(root, place) {
        Ok(view) => view,
        Err(error) => {
            return format!(
                "### Steps in `{path}`\n\n**They cannot be read: {}**",
                line(&error.to_string())
            );
        }
    };
    let mut shown = format!("### Steps in `{path}` ({})\n", view.status.state.as_str());
    for step in &view.status.steps {
        let gate = view.files.get(&step.number).is_some_and(|file| file.gate);
        shown.push_str(&format!(
            "\n{}. {} – {}{}",
            step.number,
            line(&step.name),
            step.state.as_str(),
            if gate {
                " – **needs a person's approval**"
            } else {
                ""
            }
        ));
    }
    if view.status.steps.is_empty() {
        shown.push_str("\n*None yet.*");
    }
    shown
}

/// What a commit decision did to the step of a plan's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanStepMark {
    /// The plan's folder, from the workspace.
    pub path: String,
    /// The step's number.
    pub step: u32,
    /// Whether the step is completed now.
    pub completed: bool,
    /// Why not.
    pub reason: Option<String>,
}

async fn mark(
    flow: &Flow,
    root: PlanRoot,
    place: PlanDir,
    step: u32,
    decision: &Decision,
    commit: Option<&str>,
    is_there: bool,
) -> Result<PlanStepMark, ToolError> {
    let mut line_entry = entry("phase_commit", decision).step(step);
    line_entry
        .more
        .extend(commit.map(|sha| ("commit".to_owned(), sha.into())));
    let note = commit.map(|sha| format!("commit {:.10}", sha));
    let (own, there) = (root.clone(), place.clone());
    let mut before = blocking(move || PlanView::read(&own, there)).await?;
    before.read_approvals(flow, &root).await?;
    let client = by(flow);
    let chosen = line_entry
        .more
        .get("decision")
        .and_then(Value::as_str)
        .map(str::to_owned);
    blocking(move || {
        let mut held = LockedPlan::new(&root, &place)?;
        let now = now();
        let known = held.timeline().iter().any(|past| same(past, &line_entry));
        if !known {
            held.record(&line_entry)?;
        }
        let mut marked = PlanStepMark {
            path: place.path.name().to_owned(),
            step,
            completed: false,
            reason: None,
        };
        if chosen.as_deref() == Some("abort") && held.status.state != State::Completed {
            held.status.set_state(State::Failed);
            held.save(&now)?;
        }
        if !is_there {
            return Ok(marked);
        }
        match complete(&mut held, &before, step, &now, note.as_deref()) {
            Ok(true) => {
                held.save(&now)?;
                held.record(&Line::new(&now, "step_completed").step(step).by(client))?;
                marked.completed = true;
            }
            Ok(false) => marked.completed = true,
            Err(error) => marked.reason = Some(line(&error.to_string())),
        }
        Ok(marked)
    })
    .await
}

/// Completes a step whose commit is there; false where it was completed before.
fn complete(
    held: &mut LockedPlan<'_>,
    before: &PlanView,
    step: u32,
    now: &str,
    note: Option<&str>,
) -> Result<bool, ToolError> {
    let name = two_digits(step);
    let unclear = |what: String| ToolError::Refused {
        code: "STEP_FILE".into(),
        what,
        next: String::new(),
    };
    let state = held.status.step(step).map(|row| row.state);
    let Some(state) = state else {
        return Err(unclear(format!("the plan has no step {name}")));
    };
    let file = held.step_file(step)?;
    let Some(file) = file else {
        return Err(unclear(format!(
            "step {name} has no file that says whether it has a gate"
        )));
    };
    if file.gate && (!state.is_done() || before.unapproved(step)) {
        return Err(unclear(format!(
            "step {name} needs a person's approval of its criteria: call plan_step_complete for it"
        )));
    }
    match state {
        State::Completed => return Ok(false),
        State::InProgress => {}
        _ => {
            let needs = held.needs(step)?;
            if let Some(needed) = needs.iter().find(|needed| before.unapproved(**needed)) {
                return Err(unclear(format!(
                    "step {} has no approval on record",
                    two_digits(*needed)
                )));
            }
            held.status.start(step, &needs, now)?;
        }
    }
    held.status.complete(step, now, note)?;
    Ok(true)
}

fn entry(event: &str, decision: &Decision) -> Line {
    let mut line = Line::new(&decision.at.to_string(), event)
        .by(answerer(decision))
        .ask(decision.ask)
        .with("outcome", decision.outcome.status());
    let said: Map<String, Value> = match &decision.outcome {
        Outcome::Accepted(answer) => serde_json::to_value(answer)
            .ok()
            .and_then(|answer| answer.as_object().cloned())
            .unwrap_or_default(),
        Outcome::Declined {
            reason: Some(reason),
        } => Map::from_iter([("reason".to_owned(), reason.clone().into())]),
        _ => Map::new(),
    };
    for (name, value) in said {
        line.more.entry(name).or_insert(value);
    }
    line
}

fn same(one: &Line, other: &Line) -> bool {
    one.event == other.event && one.ask_id == other.ask_id
}
