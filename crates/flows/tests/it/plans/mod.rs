//! Plans, from a first word to the last step.

mod arrive;
mod gate;
mod orchestra;
mod prompts;
mod resources;
mod steps;

use crate::{client::Era, stand::Stand};
use serde_json::{Value, json};

/// A plan of these steps, in this workspace.
pub async fn create(stand: &Stand, code: &str, steps: Value) {
    let arguments = json!({ "code": code, "description": "A login page.", "steps": steps });
    let ended = stand.run(Era::Legacy, "plan_create", arguments, &[]).await;
    assert!(!ended.error, "{}", ended.text);
}

/// Calls a tool that asks nobody.
pub async fn call(stand: &Stand, tool: &str, arguments: Value) -> crate::stand::Ended {
    stand.run(Era::Modern, tool, arguments, &[]).await
}

/// Changes a file of the plan `login`, as a person does in an editor.
pub fn edit(stand: &Stand, file: &str, change: impl FnOnce(String) -> String) {
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
pub fn history(stand: &Stand) -> Vec<Value> {
    let text = crate::stand::read(&stand.path(), "plans/login/.history/timeline.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
