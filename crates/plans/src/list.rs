//! `plan_list`: the plans of a folder.

use super::{
    blocking,
    locate::{PlanDir, PlanRoot},
    status::State,
};
use crate::{Flow, Tool};
use holdpoint::tool::{PlainResult, ToolError, ToolHints, ToolInfo};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// Path in the workspace; default: the user's setting
    #[serde(default)]
    directory: Option<String>,
    #[serde(default)]
    status: Option<State>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// With code, path, planStatus, completed, total and more
    #[schemars(with = "Vec<JsonObject>")]
    plans: Vec<PlanLine>,
    directory: String,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct PlanLine {
    code: String,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_status: Option<State>,
    /// How many steps are completed
    #[serde(skip_serializing_if = "Option::is_none")]
    completed: Option<usize>,
    /// How many steps there are
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_steps: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_updated: Option<String>,
    /// Why its state cannot be read
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "plan_list",
        title: "List plans",
        description: "Lists the plans of a folder, with how far each is.",
        hints: ToolHints::Reads,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> Result<PlainResult<Output>, ToolError> {
    let root = PlanRoot::from_call(&flow)?;
    let folder = root.folder(arguments.directory.as_deref())?;
    let name = folder.name().to_owned();
    let plans = blocking(move || {
        let mut plans: Vec<_> = root
            .list(&folder)
            .into_iter()
            .map(|place| PlanLine::new(&root, place))
            .collect();
        if arguments.status.is_some() {
            plans.retain(|plan| plan.plan_status == arguments.status);
        }
        plans
    })
    .await;
    let next = if plans.is_empty() {
        format!("There are no such plans in {name}; plan_create makes one.")
    } else {
        "Look at one with plan_status.".to_owned()
    };
    let output = Output {
        plans,
        directory: name,
    };
    Ok(PlainResult::new(&next, &output))
}

impl PlanLine {
    fn new(root: &PlanRoot, place: PlanDir) -> Self {
        let status = root.status(&place);
        let line = Self {
            code: place.code,
            path: place.path.into_name(),
            ..Self::default()
        };
        let status = match status {
            Ok(status) => status,
            Err(error) => {
                let problem = Some(error.to_string());
                return Self { problem, ..line };
            }
        };
        let steps = status.steps.iter();
        let completed = steps.filter(|step| step.state == State::Completed);
        Self {
            completed: Some(completed.count()),
            total: Some(status.steps.len()),
            name: status.name,
            plan_status: Some(status.state),
            current_steps: Some(status.current),
            last_updated: status.last_updated,
            ..line
        }
    }
}
