//! What makes two calls of the hook the same.

use crate::{
    FormWants, Harness, Incoming, Over, Prompt, ToolPrompt,
    tools::{Called, by_known_names},
};
use holdpoint_policy::ToolUse;
use serde_json::{Value, json};

/// What a late answer is bound to: harness, session, folder, the tool, and its arguments as the harness has them. The same call made again has the same, at whichever event; its digest is that of the grant.
///
/// Left out is what harnesses send at one event and not at another, and what changes nothing: what an agent says
/// of a command, space around a patch, and answers to questions.
pub fn binding(incoming: &Incoming) -> Value {
    let about = match &incoming.prompt {
        Prompt::Tool(tool) | Prompt::Over(Over::Tool(tool)) => {
            json!({ "tool": tool.tool_use.tool, "input": essence(tool) })
        }
        Prompt::Questions(asked) => {
            json!({ "tool": "AskUserQuestion", "input": without(&asked.input, &ANSWERS) })
        }
        Prompt::Plan(plan) => {
            json!({ "tool": "ExitPlanMode", "input": { "plan": plan.text, "file": plan.file } })
        }
        Prompt::Form(form) => json!({
            "server": form.server,
            "message": form.message,
            "wants": match &form.wants {
                FormWants::Fields(schema) => json!({ "schema": schema }),
                FormWants::Visit(url) => json!({ "url": url }),
            },
        }),
        Prompt::Over(Over::Turn) => json!({ "over": "turn", "turn": incoming.turn }),
        Prompt::Over(Over::Session) => json!({ "over": "session" }),
        Prompt::Nothing => json!({ "event": incoming.event }),
    };
    json!({
        "harness": incoming.harness.word(),
        "session": incoming.session,
        "folder": incoming.folder,
        "about": about,
    })
}

/// The use of a tool that a binding is about, by the names that the rules know; none where it is about something
/// else.
pub fn bound_tool_use(binding: &Value, workspace: &str) -> Option<ToolUse> {
    let harness: Harness = binding["harness"].as_str()?.parse().ok()?;
    let folder = binding["folder"].as_str()?;
    let about = &binding["about"];
    let called = Called::new(about["tool"].as_str()?, about.get("input")?.clone());
    let known = by_known_names(harness, &called, folder).ok()?;
    Some(ToolUse {
        tool: known.tool,
        input: known.input,
        folder: known.folder.unwrap_or_else(|| folder.to_owned()),
        workspace: workspace.to_owned(),
        home: None,
        definition: None,
    })
}

const ANSWERS: [&str; 2] = ["answers", "annotations"];
const WORDS: [&str; 4] = ["description", "explanation", "goal", "justification"];

fn essence(tool: &ToolPrompt) -> Value {
    match tool.tool_use.tool.as_str() {
        "Bash" | "PowerShell" => without(&tool.input, &WORDS),
        "AskUserQuestion" => without(&tool.input, &ANSWERS),
        "Edit" if tool.tool_use.input.get("patch").is_some() => trimmed(&tool.input),
        _ => tool.input.clone(),
    }
}

fn without(input: &Value, keys: &[&str]) -> Value {
    let mut input = input.clone();
    if let Value::Object(input) = &mut input {
        keys.iter().for_each(|key| drop(input.shift_remove(*key)));
    }
    input
}

fn trimmed(input: &Value) -> Value {
    match input {
        Value::String(text) => json!(text.trim()),
        Value::Object(keys) => keys
            .iter()
            .map(|(key, value)| {
                (
                    key.clone(),
                    value
                        .as_str()
                        .map_or(value.clone(), |text| json!(text.trim())),
                )
            })
            .collect(),
        other => other.clone(),
    }
}
