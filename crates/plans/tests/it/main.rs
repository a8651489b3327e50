//! Plans, from a first word to the last step.

mod arrive;
mod checkpoints;
mod completion;
mod drafted_steps;
mod gate;
mod hostile_folders;
mod many_plans;
mod past;
mod prompts;
mod resources;
mod riotplan;
mod skipped;
mod steps;
mod validated;

use holdpoint_plans::{PlanTools, PlansConfig};
use holdpoint_testkit::{Asked, Ended, Era, StandSetup, ToolStand, read_file};
use holdpoint_tools::ElicitTools;
use serde_json::{Value, json};
use std::sync::Arc;

/// The tools of plans.
fn setup() -> StandSetup {
    StandSetup::new(|workspace| {
        let plans_dir = "plans".into();
        let plans = PlanTools::new(PlansConfig {
            workspace,
            plans_dir,
        });
        // With tools of another room, whose asks are seen as resources.
        vec![Arc::new(ElicitTools::new()), Arc::new(plans)]
    })
}

/// A plan of these steps, in this workspace.
async fn create(stand: &ToolStand, code: &str, steps: Value) {
    let arguments = json!({ "code": code, "description": "A login page.", "steps": steps });
    let ended = stand.run(Era::Legacy, "plan_create", arguments, &[]).await;
    assert!(!ended.error, "{}", ended.text);
}

/// Calls a tool that asks nobody.
async fn call(stand: &ToolStand, tool: &str, arguments: Value) -> Ended {
    stand.run(Era::Modern, tool, arguments, &[]).await
}

/// Changes a file of the plan `login`, as a person does in an editor.
fn edit(stand: &ToolStand, file: &str, change: impl FnOnce(String) -> String) {
    let path = stand.path().join("plans/login").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let changed = change(text.clone());
    assert_ne!(text, changed);
    // Most editors write another file and move it there.
    let beside = path.with_extension("swp");
    std::fs::write(&beside, changed).unwrap();
    std::fs::rename(beside, path).unwrap();
}

/// The events of the plan's history.
fn history(stand: &ToolStand) -> Vec<Value> {
    let text = read_file(&stand.path(), "plans/login/.history/timeline.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The names of the fields that a form asks for.
fn field_names(asked: &Asked) -> Vec<String> {
    let fields = asked.properties().as_object().unwrap();
    fields.keys().cloned().collect()
}
