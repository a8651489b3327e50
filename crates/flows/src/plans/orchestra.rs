//! What the tool set `orchestra` shows and tells of a plan that has a folder: its steps, the
//! decisions about it, and the step that a commit completes.

use super::{
    answerer, blocking, by, code,
    draft::line,
    look::Seen,
    now,
    place::{Ground, Place},
    status::{Key, State, two_digits},
    store::Held,
    timeline::Entry as Line,
};
use crate::{fault::Fault, orchestra::kebab, tool::Flow};
use holdpoint::{Decision, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The folder of a plan of this name, if there is one.
async fn find(flow: &Flow, name: &str) -> Result<Option<(Ground, Place)>, Fault> {
    let code = kebab(name);
    if code::flaw(&code).is_some() {
        return Ok(None);
    }
    let ground = Ground::of(flow)?;
    let own = ground.clone();
    let place = blocking(move || {
        own.usual(&code).or_else(|| {
            let mut elsewhere = own.elsewhere(|place| place.code == code);
            // Of several it is none that can be told.
            elsewhere.pop().filter(|_| elsewhere.is_empty())
        })
    })
    .await;
    Ok(place.map(|place| (ground, place)))
}

/// The steps of a plan as Markdown, for the person who is to approve it; in a step of the call, so
/// that a later run shows the same.
pub(crate) async fn shown(flow: &Flow, name: &str) -> Result<Option<String>, Fault> {
    let effect = async {
        let Ok(Some((ground, place))) = find(flow, name).await else {
            return None;
        };
        blocking(move || Some(steps(&ground, place))).await
    };
    Ok(flow.cx.step("plan folder", effect).await?)
}

fn steps(ground: &Ground, place: Place) -> String {
    let path = place.path.name.clone();
    let seen = match Seen::read(ground, place) {
        Ok(seen) => seen,
        Err(fault) => {
            return format!(
                "### Steps in `{path}`\n\n**They cannot be read: {}**",
                line(&fault.to_string())
            );
        }
    };
    let mut shown = format!("### Steps in `{path}` ({})\n", seen.status.state.as_str());
    for step in &seen.status.steps {
        let gate = seen.files.get(&step.number).is_some_and(|file| file.gate);
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
    if seen.status.steps.is_empty() {
        shown.push_str("\n*None yet.*");
    }
    shown
}

/// Writes a decision into the history of the plan of this name, where it has a folder. The journal
/// has it already: what stands in the way here is logged and no more.
pub(crate) async fn decided(flow: &Flow, name: Option<&str>, event: &str, decision: &Decision) {
    let Some(name) = name else { return };
    let told = async {
        let Some((ground, place)) = find(flow, name).await? else {
            return Ok(());
        };
        let line = entry(event, decision);
        blocking(move || {
            let mut held = Held::new(&ground, &place)?;
            let known = held.timeline().iter().any(|past| same(past, &line));
            if known { Ok(()) } else { held.tell(&line) }
        })
        .await
    };
    let told: Result<(), Fault> = told.await;
    if let Err(fault) = told {
        tracing::warn!(%fault, "a decision is in the journal, but not in the plan's history");
    }
}

/// What a commit decision did to the step of a plan's folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Marked {
    /// The plan's folder.
    pub path: String,
    pub step: u32,
    /// Whether the step is completed now.
    pub completed: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Tells the plan of a commit decision: a commit that is there completes the step, an abort stops
/// the plan. None where the plan has no folder.
pub(crate) async fn committed(
    flow: &Flow,
    name: Option<&str>,
    phase: u32,
    decision: &Decision,
    commit: Option<&str>,
    is_there: bool,
) -> Option<Marked> {
    let (ground, place) = find(flow, name?).await.ok().flatten()?;
    let path = place.path.name.clone();
    let marked = mark(flow, ground, place, phase, decision, commit, is_there).await;
    Some(marked.unwrap_or_else(|fault| Marked {
        path,
        step: phase,
        completed: false,
        reason: Some(line(&fault.to_string())),
    }))
}

async fn mark(
    flow: &Flow,
    ground: Ground,
    place: Place,
    step: u32,
    decision: &Decision,
    commit: Option<&str>,
    is_there: bool,
) -> Result<Marked, Fault> {
    let mut told = entry("phase_commit", decision).step(step);
    told.more
        .extend(commit.map(|sha| ("commit".to_owned(), sha.into())));
    let note = commit.map(|sha| format!("commit {:.10}", sha));
    let (own, there) = (ground.clone(), place.clone());
    let mut before = blocking(move || Seen::read(&own, there)).await?;
    before.believe(flow, &ground).await?;
    let client = by(flow);
    let chosen = told
        .more
        .get("decision")
        .and_then(Value::as_str)
        .map(str::to_owned);
    blocking(move || {
        let mut held = Held::new(&ground, &place)?;
        let now = now();
        let known = held.timeline().iter().any(|past| same(past, &told));
        if !known {
            held.tell(&told)?;
        }
        let mut marked = Marked {
            path: place.path.name.clone(),
            step,
            completed: false,
            reason: None,
        };
        if chosen.as_deref() == Some("abort") && held.status.state != State::Completed {
            held.status.set(Key::Status, State::Failed.as_str());
            held.save(&now)?;
        }
        if !is_there {
            return Ok(marked);
        }
        match complete(&mut held, &before, step, &now, note.as_deref()) {
            Ok(true) => {
                held.save(&now)?;
                held.tell(&Line::new(&now, "step_completed").step(step).by(client))?;
                marked.completed = true;
            }
            Ok(false) => marked.completed = true,
            Err(fault) => marked.reason = Some(line(&fault.to_string())),
        }
        Ok(marked)
    })
    .await
}

/// Completes a step whose commit is there; false where it was completed before.
fn complete(
    held: &mut Held<'_>,
    before: &Seen,
    step: u32,
    now: &str,
    note: Option<&str>,
) -> Result<bool, Fault> {
    let name = two_digits(step);
    let unclear = |what: String| Fault::Plan {
        error: "STEP_FILE".into(),
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
    if file.gate && (state != State::Completed || before.unapproved(step)) {
        return Err(unclear(format!(
            "step {name} needs a person's approval of its criteria: call plan_step_complete for it"
        )));
    }
    match state {
        State::Completed => return Ok(false),
        State::InProgress => {}
        _ => {
            let needs = file.needs.unwrap_or_else(|| held.status.before(step));
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
