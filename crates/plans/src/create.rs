//! `plan_create`: a plan's folder, whole.

use super::{
    code,
    draft::{Draft, line},
    info::{DESCRIPTION, Gathered, Known, NEEDED, gather},
    locate::{PlanDir, PlanRoot},
    locked_plan::history,
    now,
    steps_argument::StepsArgument,
    timeline::Entry as Line,
};
use crate::{Flow, Tool};
use holdpoint::tool::{AskResult, ToolError, ToolHints, ToolInfo};
use holdpoint::{Decision, Outcome, StepError};
use holdpoint_workspace::{InsidePath, Links, describe};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// Kebab-case, at most 64 characters; names the folder
    #[serde(default)]
    code: Option<String>,
    /// What the plan is for
    #[serde(default)]
    description: Option<String>,
    /// Default: from the code
    #[serde(default)]
    name: Option<String>,
    /// Path in the workspace; default: the user's setting
    #[serde(default)]
    directory: Option<String>,
    /// Titles, whole steps, or how many
    #[serde(default)]
    steps: Option<StepsArgument>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Default, Serialize, JsonSchema)]
struct Output {
    code: Option<String>,
    path: Option<String>,
    files: Option<Vec<String>>,
    #[schemars(with = "Vec<JsonObject>")]
    steps: Option<Vec<StepOutput>>,
    /// What nobody has said
    missing: Option<Vec<&'static str>>,
}

#[derive(Serialize)]
struct StepOutput {
    number: u32,
    name: String,
    file: String,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "plan_create",
        title: "Create a plan",
        description: "Writes a plan's folder: summary, execution plan, STATUS.md, a file for each step. Asks the person for a code or description that you leave out. It approves nothing.",
        hints: ToolHints::Commits,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    let root = PlanRoot::from_call(&flow)?;
    let given = |text: &Option<String>| {
        let text = text.as_deref().map(str::trim);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    // Everything that is given is checked before anybody is asked.
    let mut known = Known::new();
    if let Some(given) = given(&arguments.code) {
        known.insert("code", code::checked(&given)?);
    }
    if let Some(given) = given(&arguments.description) {
        if given.chars().count() > DESCRIPTION as usize {
            let what = format!("expected at most {DESCRIPTION} characters");
            return Err(ToolError::argument("description", what));
        }
        known.insert("description", given);
    }
    let directory = given(&arguments.directory);
    let folder = root.folder(directory.as_deref())?;
    known.extend(directory.map(|directory| ("directory", directory)));
    let steps = arguments.steps.map(StepsArgument::read).transpose()?;
    let missing: Vec<_> = NEEDED
        .into_iter()
        .filter(|name| !known.contains_key(name))
        .collect();
    let mut decision = None;
    if !missing.is_empty() {
        let message = message(&known);
        let seconds = arguments.timeout_seconds;
        match gather(&flow.cx, &root, &known, &missing, &message, seconds).await? {
            Gathered::All(all, by) => (known, decision) = (all, Some(by)),
            Gathered::Not(decision) => return Ok(missed(&decision, missing)),
        }
    }
    let mut known = |name: &str| known.remove(name).unwrap_or_default();
    let code = known("code");
    let draft = Draft {
        name: given(&arguments.name).map_or_else(|| code::name(&code), |name| line(&name)),
        description: known("description"),
        steps: steps.unwrap_or_default(),
        code,
    };
    let place = root.place(&folder, &draft.code);
    let place =
        place.ok_or_else(|| ToolError::argument("code", "expected the name of a folder"))?;
    make(&flow, &root, &folder, &place, &draft).await?;
    Ok(made(&place, &draft, decision.as_ref()))
}

/// Writes the folder, once.
async fn make(
    flow: &Flow,
    root: &PlanRoot,
    folder: &InsidePath,
    place: &PlanDir,
    draft: &Draft,
) -> Result<(), ToolError> {
    let write = || {
        let now = now();
        let created = Line::new(&now, "created")
            .by(super::by(flow))
            .with("call", flow.cx.call_id().to_string())
            .with("steps", draft.steps.len());
        let (folder, root) = (folder.clone(), root.clone());
        let (files, name) = (draft.files(&now, &created), draft.code.clone());
        let path = place.path.name().to_owned();
        super::blocking(move || {
            let folder = root.workspace.open_folder(&folder, Links::StayInside, true);
            let folder = folder.map_err(|error| error.to_string())?;
            let created = folder.create_folder(&name, &files);
            created.map_err(|error| format!("{path} cannot be written: {}", describe(&error)))
        })
    };
    let written = match flow.cx.step("create", write()).await {
        // A crash left the whole folder or none of it; if it is there, its history says by whom.
        Err(StepError::Interrupted { .. }) => {
            let call = flow.cx.call_id().to_string();
            let history = history(root, place);
            let ours = history
                .first()
                .is_some_and(|first| first.more.get("call") == Some(&call.clone().into()));
            if ours { Ok(true) } else { write().await }
        }
        written => written?,
    };
    if written.map_err(ToolError::File)? {
        Ok(())
    } else {
        Err(ToolError::Refused {
        code: "EXISTS".into(),
        what: format!("There is a {} already", place.path.name()),
        next: "Nothing was written: choose another code, or go on with that plan; plan_status shows it.".into(),
    })
    }
}

fn made(place: &PlanDir, draft: &Draft, decision: Option<&Decision>) -> AskResult<Output> {
    let steps: Vec<_> = draft
        .steps
        .iter()
        .zip(1..)
        .map(|(step, number)| StepOutput {
            number,
            name: line(&step.title),
            file: code::step_file(number, &step.title),
        })
        .collect();
    let files = draft.files("", &Line::new("", ""));
    let files: Vec<_> = files.into_iter().map(|(path, _)| path).collect();
    let next = if steps.is_empty() {
        format!(
            "{} is written: add its steps with plan_step_add, fill in the files, then ask for approval.",
            place.path.name()
        )
    } else {
        format!(
            "{} is written: fill in the step files, ask for approval, then start step 01 with plan_step_start.",
            place.path.name()
        )
    };
    let output = Output {
        code: Some(place.code.clone()),
        path: Some(place.path.name().to_owned()),
        files: Some(files),
        steps: Some(steps),
        missing: None,
    };
    match decision {
        // What a person filled in does not approve the plan.
        Some(decision) => AskResult::new(decision, false, &next, &output),
        None => AskResult::without_ask(&next, &output),
    }
}

fn missed(decision: &Decision, missing: Vec<&'static str>) -> AskResult<Output> {
    let names = missing.join(" and ");
    let next = match &decision.outcome {
        Outcome::Unreachable { .. } => format!(
            "Nothing was written, since nobody can be asked: {names} missing. Ask in the chat for exactly that, then call plan_create with it."
        ),
        outcome => format!(
            "Nothing was written: {names} missing. {}",
            outcome.next_step()
        ),
    };
    let output = Output {
        missing: Some(missing),
        ..Output::default()
    };
    AskResult::new(decision, false, &next, &output)
}

fn message(known: &Known) -> String {
    let mut message =
        "## A new plan\n\nAn agent wants to write a plan. What is missing?".to_owned();
    for (name, value) in known {
        message.push_str(&format!(
            "\n\n**{}**\n\n{}",
            code::name(name),
            holdpoint_ask::markdown::quoted(value)
        ));
    }
    message
}
