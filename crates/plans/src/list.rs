//! `plan_list`: the plans of a folder.

use super::{blocking, locate::PlanRoot, status::State};
use crate::{Ended, Flow, Tool};
use holdpoint::tool::{OutputSchema, ToolHints, ToolInfo, object, plain_result};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// How many plans the text names; the structured part has them all.
const NAMED: usize = 50;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// The folder to look into, a path in the workspace; the user's own setting where it is left out
    #[serde(default)]
    directory: Option<String>,
    /// Only plans in this state
    #[serde(default)]
    status: Option<State>,
}

pub(super) fn tool() -> Tool {
    let own = json!({
        "plans": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "code": { "type": "string" },
                    "path": { "type": "string" },
                    "name": { "type": "string" },
                    "planStatus": { "type": "string", "enum": State::ALL.map(State::as_str) },
                    "completed": { "type": "integer", "description": "How many steps are completed" },
                    "total": { "type": "integer", "description": "How many steps there are" },
                    "currentSteps": { "type": "array", "items": { "type": "integer" } },
                    "lastUpdated": { "type": "string" },
                    "problem": { "type": "string", "description": "Why its state cannot be read" },
                },
                "required": ["code", "path"],
            },
        },
        "directory": { "type": "string" },
        "proceed": { "type": "boolean", "description": "Always false: nobody was asked" },
    });
    let about = ToolInfo {
        name: "plan_list",
        title: "List plans",
        description: "Lists the plans of a folder with their state and how far each one is.",
        hints: ToolHints::Reads,
    };
    Tool::new(about, OutputSchema::Only(own), run)
}

async fn run(flow: Flow, arguments: Arguments) -> Ended {
    let root = PlanRoot::of(&flow)?;
    let folder = root.folder(arguments.directory.as_deref())?;
    let name = folder.name.clone();
    let plans = blocking(move || {
        let places = root.list(&folder);
        let told = places.iter().filter_map(|place| {
            let path = &place.path.name;
            Some(match root.status(place) {
                Ok(status)
                    if arguments
                        .status
                        .is_some_and(|wanted| wanted != status.state) =>
                {
                    return None;
                }
                Ok(status) => {
                    let completed = status
                        .steps
                        .iter()
                        .filter(|step| step.state == State::Completed);
                    json!({
                        "code": place.code, "path": path, "name": status.name,
                        "planStatus": status.state, "completed": completed.count(),
                        "total": status.steps.len(), "currentSteps": status.current,
                        "lastUpdated": status.last_updated,
                    })
                }
                Err(_) if arguments.status.is_some() => return None,
                Err(fault) => {
                    json!({ "code": place.code, "path": path, "problem": fault.to_string() })
                }
            })
        });
        told.map(filled).collect::<Vec<_>>()
    })
    .await;
    let next = if plans.is_empty() {
        format!("There are no such plans in {name}; plan_create makes one.")
    } else {
        "Look at one with plan_status.".to_owned()
    };
    let mut text = format!("{} plans in {name}. {next}", plans.len());
    for plan in plans.iter().take(NAMED) {
        text.push_str(&format!("\n{}", line(plan)));
    }
    if plans.len() > NAMED {
        text.push_str(&format!("\nand {} more", plans.len() - NAMED));
    }
    let own = object(json!({ "plans": plans, "directory": name }));
    Ok(plain_result(Some(text), &next, own))
}

fn line(plan: &Value) -> String {
    let word = |name: &str| plan[name].as_str().unwrap_or_default();
    match plan.get("problem") {
        Some(problem) => format!("{}: {problem}", word("path")),
        None => format!(
            "{}: {}, {} of {} steps",
            word("path"),
            word("planStatus"),
            plan["completed"],
            plan["total"]
        ),
    }
}

fn filled(mut plan: Value) -> Value {
    if let Some(plan) = plan.as_object_mut() {
        plan.retain(|_, value| !value.is_null());
    }
    plan
}
