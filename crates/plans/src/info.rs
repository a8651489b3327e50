//! What has to be known of a plan, and asking a person for what is missing of it.

use super::{code, locate::PlanRoot, steps_argument::StepsArgument};
use crate::{Flow, Tool};
use holdpoint::tool::{AskResult, ToolError, ToolHints, ToolInfo, ask_and_log, timeout};
use holdpoint::{Ask, Decision, Field, Form, Kind, Outcome, ToolContext, field::Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The most characters of a description.
pub(super) const DESCRIPTION: u32 = 4_000;
/// How often a person is asked when what they wrote cannot be used.
const ROUNDS: usize = 3;

/// What has to be known of a plan.
pub(super) const ALL: [&str; 4] = ["code", "description", "directory", "steps"];
/// What it cannot do without.
pub(super) const NEEDED: [&str; 2] = ["code", "description"];

/// Whether a text is what a prompt puts in the place of something that is not known.
pub(super) fn is_marker(text: &str) -> bool {
    let name = text
        .trim()
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    name.is_some_and(|name| {
        ALL.iter()
            .any(|known| known.eq_ignore_ascii_case(name.trim()))
    })
}

/// What is known of a plan that is to be, by name; what is empty is not there.
pub(super) type Known = BTreeMap<&'static str, String>;

/// What came of asking.
pub(super) enum Gathered {
    /// Everything that was wanted, and the decision that gave it.
    All(Known, Decision),
    /// The ask was not accepted.
    Not(Decision),
}

/// Asks for what is wanted, until it can be used.
pub(super) async fn gather(
    cx: &ToolContext,
    root: &PlanRoot,
    known: &Known,
    wanted: &[&'static str],
    message: &str,
    seconds: Option<u64>,
) -> Result<Gathered, ToolError> {
    let mut trouble: Option<String> = None;
    for _ in 0..ROUNDS {
        let message = match &trouble {
            Some(what) => format!("**{what}**\n\n{message}"),
            None => message.to_owned(),
        };
        let fields = wanted.iter().map(|name| field(name, &root.plans_dir));
        let mut question = Ask::new(message, fields.collect::<Form>());
        question.timeout = timeout(seconds);
        let decided = ask_and_log(cx, question).await?;
        let Outcome::Accepted(answer) = &decided.outcome else {
            return Ok(Gathered::Not(decided.decision));
        };
        let mut all = known.clone();
        for name in wanted {
            let given = answer.get(*name).and_then(Value::as_str).map(str::trim);
            if let Some(given) = given.filter(|given| !given.is_empty()) {
                all.insert(name, given.to_owned());
            }
        }
        match unusable(root, &all, wanted) {
            None => return Ok(Gathered::All(all, decided.decision)),
            what => trouble = what,
        }
    }
    Err(ToolError::Unaskable(format!(
        "what the person wrote could not be used {ROUNDS} times; the last time: {}",
        trouble.unwrap_or_default()
    )))
}

/// What is wrong with what a person wrote, in words for them.
fn unusable(root: &PlanRoot, all: &Known, wanted: &[&str]) -> Option<String> {
    let asked = |name: &str| all.get(name).filter(|_| wanted.contains(&name));
    if let Some(code) = asked("code")
        && let Some(what) = code::flaw(code)
    {
        return Some(format!("The code cannot be used: {what}."));
    }
    if let Some(directory) = asked("directory")
        && let Err(error) = root.folder(Some(directory))
    {
        return Some(error.to_string());
    }
    if let Some(steps) = asked("steps")
        && let Err(error) = StepsArgument::Lines(steps.clone()).read()
    {
        return Some(error.to_string());
    }
    let code = asked("code")?;
    let folder = root.folder(all.get("directory").map(String::as_str)).ok()?;
    let place = root.place(&folder, code)?;
    let taken = place.path.full().symlink_metadata().is_ok();
    taken.then(|| {
        format!(
            "There is a {} already: choose another code.",
            place.path.name()
        )
    })
}

fn field(name: &str, plans_dir: &str) -> Field {
    let text = |text: Text| Field::new(name, Kind::Text(text));
    match name {
        "code" => text(Text {
            min_length: Some(1),
            max_length: Some(code::MOST as u32),
            pattern: Some(code::PATTERN.into()),
            placeholder: Some("add-login".into()),
            ..Text::default()
        })
        .title("Code")
        .help("A short name in kebab-case, like add-login; the plan's folder is called so"),
        "description" => text(Text {
            min_length: Some(1),
            max_length: Some(DESCRIPTION),
            multiline: true,
            ..Text::default()
        })
        .title("Description")
        .help("What the plan is for, and what must be true at its end"),
        "directory" => text(Text {
            max_length: Some(1_000),
            placeholder: Some(plans_dir.into()),
            ..Text::default()
        })
        .title("Directory")
        .help(format!(
            "A folder in the workspace; {plans_dir} where it is left empty"
        ))
        .optional(),
        _ => text(Text {
            max_length: Some(10_000),
            multiline: true,
            ..Text::default()
        })
        .title("Steps")
        .help("One title per line, or how many; may be left empty")
        .optional(),
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// Short Markdown, above the form
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    code: Option<String>,
    description: Option<String>,
    directory: Option<String>,
    /// For plan_create, as it is
    steps: Option<String>,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "elicit_plan_info",
        title: "Ask what a plan is to be",
        description: "Asks the person for a plan's code, description, directory and steps, for plan_create.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    let root = PlanRoot::from_call(&flow)?;
    let message = arguments.message.as_deref().map(str::trim);
    let message = message.filter(|message| !message.is_empty());
    let message = message.unwrap_or("## A new plan\n\nWhat is it to be?");
    let seconds = arguments.timeout_seconds;
    let gathered = gather(&flow.cx, &root, &Known::new(), &ALL, message, seconds).await?;
    Ok(match gathered {
        Gathered::Not(decision) => AskResult::passed_on(&decision),
        Gathered::All(mut known, decision) => {
            let directory = known.remove("directory");
            let output = Output {
                code: known.remove("code"),
                description: known.remove("description"),
                directory: directory.or_else(|| Some(root.plans_dir.clone())),
                steps: known.remove("steps"),
            };
            let next = "Call plan_create with exactly these values; leave out what is not there.";
            AskResult::new(&decision, true, next, &output)
        }
    })
}
