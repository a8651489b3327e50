//! `plan_create`: a plan's folder, whole.

use super::{
    code,
    draft::{Draft, line},
    drafted_steps::{self, Approved},
    held_history::history,
    info::{DESCRIPTION, Gathered, Known, NEEDED, gather, is_marker},
    locate::{PlanDir, PlanRoot},
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
    drafted: Option<Vec<u32>>,
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
        description: "Writes a plan's folder. Asks the person for a code or description that you leave out. It approves nothing.",
        hints: ToolHints::Commits,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    let root = PlanRoot::from_call(&flow)?;
    // A marker of a prompt is no value: it says that nobody has named one.
    let given = |text: &Option<String>| {
        let text = text.as_deref().map(str::trim);
        let text = text.filter(|text| !text.is_empty() && !is_marker(text));
        text.map(str::to_owned)
    };
    let marked = |text: &Option<String>| text.as_deref().is_some_and(is_marker);
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
    known.extend(given(&arguments.directory).map(|directory| ("directory", directory)));
    root.folder(known.get("directory").map(String::as_str))?;
    let marks_steps = arguments
        .steps
        .as_ref()
        .is_some_and(StepsArgument::is_marker);
    let steps = arguments.steps.filter(|_| !marks_steps);
    let steps = steps.map(StepsArgument::read).transpose()?;
    let needed = NEEDED.into_iter().filter(|name| !known.contains_key(name));
    let needed: Vec<_> = needed.collect();
    let mut wanted = needed.clone();
    wanted.extend(marked(&arguments.directory).then_some("directory"));
    wanted.extend(marks_steps.then_some("steps"));
    let (mut decision, seconds) = (None, arguments.timeout_seconds);
    if !wanted.is_empty() {
        let message = message(&known);
        match gather(&flow.cx, &root, &known, &wanted, &message, seconds).await? {
            Gathered::All(all, by) => (known, decision) = (all, Some(by)),
            // What it can do without is left out where nobody can be asked.
            Gathered::Not(by)
                if needed.is_empty() && matches!(by.outcome, Outcome::Unreachable { .. }) => {}
            Gathered::Not(decision) => return Ok(missed(&decision, wanted)),
        }
    }
    let folder = root.folder(known.get("directory").map(String::as_str))?;
    let steps = match (steps, known.remove("steps")) {
        (None, Some(lines)) => Some(StepsArgument::Lines(lines).read()?),
        (steps, _) => steps,
    };
    let mut known = |name: &str| known.remove(name).unwrap_or_default();
    let (code, description) = (known("code"), known("description"));
    let place = root.place(&folder, &code);
    let place =
        place.ok_or_else(|| ToolError::argument("code", "expected the name of a folder"))?;
    let (steps, drafting) = match steps {
        Some(steps) => (steps, None),
        None => match drafted(&flow, &place, &description, seconds).await? {
            Approved::Steps(steps, drafting) => {
                decision = Some(drafting.decision.clone());
                (steps, Some(drafting))
            }
            Approved::None(by) => {
                decision = Some(by);
                (Vec::new(), None)
            }
            Approved::Not(decision) => return Ok(missed(&decision, vec!["steps"])),
            Approved::Nobody => (Vec::new(), None),
        },
    };
    let draft = Draft {
        name: given(&arguments.name).map_or_else(|| code::name(&code), |name| line(&name)),
        description,
        steps,
        code,
        drafted: drafting.map(|drafting| drafting.note()),
    };
    make(&flow, &root, &folder, &place, &draft).await?;
    Ok(made(&place, &draft, decision.as_ref()))
}

/// Steps that the client's model drafts and a person approves; nobody's where it drafts none, or
/// nobody can be asked.
async fn drafted(
    flow: &Flow,
    place: &PlanDir,
    description: &str,
    seconds: Option<u64>,
) -> Result<Approved, ToolError> {
    if !flow.cx.sampler().is_supported() {
        return Ok(Approved::Nobody);
    }
    // Nobody is asked about the steps of a plan that cannot be written. In a step of the call: where
    // this flow runs again, the folder may be there by its own doing.
    let full = place.path.full().to_owned();
    let taken = super::blocking(move || full.symlink_metadata().is_ok());
    if flow.cx.step("taken", taken).await? {
        return Err(exists(place));
    }
    let code = &place.code;
    let Some(draft) = drafted_steps::draft(flow, code, description).await? else {
        return Ok(Approved::Nobody);
    };
    Ok(match draft.ask(flow, code, description, seconds).await? {
        Approved::Not(by) if matches!(by.outcome, Outcome::Unreachable { .. }) => Approved::Nobody,
        approved => approved,
    })
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
        let created = match &draft.drafted {
            Some(drafted) => created
                .with("drafted", drafted.steps.clone())
                .with("model", drafted.model.clone())
                .with("approvedBy", drafted.by.clone())
                .ask(drafted.ask),
            None => created,
        };
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
        Err(exists(place))
    }
}

fn exists(place: &PlanDir) -> ToolError {
    ToolError::Refused {
        code: "EXISTS".into(),
        what: format!("There is a {} already", place.path.name()),
        next: "Nothing was written: choose another code, or go on with that plan; plan_status shows it.".into(),
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
            "{} is written without steps: propose their titles to the person, add those that they approve with plan_step_add, fill in the files, then ask for approval.",
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
        drafted: draft.drafted.as_ref().map(|drafted| drafted.steps.clone()),
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
        outcome if missing == ["steps"] => format!(
            "Nothing was written: nobody approved the steps. {} Stop here and tell the person. Call plan_create with `steps` only once they have named or agreed to those steps since.",
            outcome.next_step()
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
