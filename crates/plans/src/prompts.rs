//! Prompts that start a plan, or go on with one. What is missing is asked by form where the client's
//! protocol lets a prompt ask; elsewhere it is marked in the text, and the model is told to ask.

use super::{
    info::{self, Gathered, Known, gather},
    locate::{PlanDir, PlanRoot},
    templates::{literal, render},
};
use crate::Flow;
use holdpoint::tool::{ToolError, ask_and_log};
use holdpoint::{
    Ask, Field, Form, Kind, Outcome,
    field::{Choice, Integer, Pick, Text},
};
use holdpoint_ask::nearest::nearest;
use minijinja::context;
use rmcp::{
    ErrorData,
    model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role},
};
use serde_json::Value;

/// How many plans a form lists; where there are more, their path is typed.
const LISTED: usize = 50;
/// The most characters of an argument.
const LONGEST: usize = 10_000;

/// The prompts.
pub(crate) struct Prompts;

struct About {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [&'static str],
}

const ALL: [About; 7] = [
    About {
        name: "create_plan",
        title: "Create a plan",
        description: "Create a plan: its code, what it is for, where it lies, its steps. What you leave out is asked for.",
        arguments: &info::ALL,
    },
    About {
        name: "execute_plan",
        title: "Work through a plan",
        description: "Work through a plan step by step, stopping where a person must approve.",
        arguments: &["path"],
    },
    About {
        name: "resume_plan",
        title: "Take a plan up again",
        description: "Go on with a plan where it was left.",
        arguments: &["path"],
    },
    About {
        name: "explore_idea",
        title: "Explore an idea",
        description: "Find out with the person what an idea is worth and what it takes, before there is a plan.",
        arguments: &["code", "description"],
    },
    About {
        name: "develop_plan",
        title: "Develop a plan",
        description: "Fill in and improve a plan with the person until they approve it.",
        arguments: &["path"],
    },
    About {
        name: "execute_step",
        title: "Do one step of a plan",
        description: "Do one step of a plan, and stop.",
        arguments: &["path", "step"],
    },
    About {
        name: "track_progress",
        title: "See how far a plan is",
        description: "Say how far a plan is, what was decided and what is wrong. Changes nothing.",
        arguments: &["path"],
    },
];

/// Whether a prompt leads to a plan that is not there yet.
pub(crate) fn names_new_plan(prompt: &str) -> bool {
    let about = ALL.iter().find(|about| about.name == prompt);
    about.is_some_and(About::is_new)
}

/// What an argument is, for people and for models.
fn help(argument: &str) -> &'static str {
    match argument {
        "code" => "a short name in kebab-case, like add-login, at most 64 characters",
        "description" => "what the plan is for, and what must be true at its end",
        "directory" => "the folder in the workspace to put it into",
        "steps" => "the steps' titles, one per line, or how many there are",
        "step" => "the step's number; plan_status says which one comes next",
        _ => "the plan's folder, a path in the workspace",
    }
}

impl Prompts {
    pub fn list() -> Vec<Prompt> {
        let prompt = |about: &About| {
            let arguments = about.arguments.iter().map(|name| {
                let argument = PromptArgument::new(*name).with_description(help(name));
                argument.with_required(false)
            });
            Prompt::new(
                about.name,
                Some(about.description),
                Some(arguments.collect()),
            )
            .with_title(about.title)
        };
        ALL.iter().map(prompt).collect()
    }

    /// The text of a prompt.
    pub async fn get(
        flow: &Flow,
        name: &str,
        arguments: Option<JsonObject>,
    ) -> Result<GetPromptResult, ErrorData> {
        let Some(about) = ALL.iter().find(|about| about.name == name) else {
            let known = ALL.iter().map(|about| about.name);
            let meant = nearest(name, known).map(|near| format!("; did you mean {near}?"));
            let what = format!(
                "There is no such prompt{}",
                meant.unwrap_or_else(|| ".".into())
            );
            return Err(ErrorData::invalid_params(what, None));
        };
        let text = about.text(flow, arguments.unwrap_or_default()).await;
        let text = text.map_err(|error| match error {
            ToolError::Broken(error) => error,
            other => ErrorData::invalid_params(other.to_string(), None),
        })?;
        let messages = vec![PromptMessage::new_text(Role::User, text)];
        Ok(GetPromptResult::new(messages).with_description(about.description))
    }
}

impl About {
    async fn text(&self, flow: &Flow, arguments: JsonObject) -> Result<String, ToolError> {
        let known = self.given(arguments)?;
        let missing: Vec<_> = self
            .arguments
            .iter()
            .copied()
            .filter(|name| !known.contains_key(name))
            .collect();
        let session = flow.cx.session();
        // A client that was asked by form in a legacy prompt would not know what to make of it.
        let asks = !missing.is_empty() && session.modern && session.form;
        let gathered = match (asks, self.is_new()) {
            (false, _) => None,
            (true, true) => {
                let root = PlanRoot::from_call(flow)?;
                let message = "## A new plan\n\nWhat is it to be?";
                match gather(&flow.cx, &root, &known, &missing, message, None).await? {
                    Gathered::All(all, _) => Some(all),
                    Gathered::Not(_) => None,
                }
            }
            (true, false) => which_plan(flow, self.title, &known, &missing).await?,
        };
        Ok(match gathered {
            // What a plan can do without may be left out; which step is meant may not.
            Some(known) => {
                let open = missing.into_iter().filter(|name| *name == "step");
                let open: Vec<_> = open.filter(|name| !known.contains_key(name)).collect();
                self.rendered(&known, &open)
            }
            None => self.rendered(&known, &missing),
        })
    }

    /// Whether it leads to a plan that is not there yet.
    fn is_new(&self) -> bool {
        self.arguments.contains(&"code")
    }

    /// What was given, as it was given.
    fn given(&self, arguments: JsonObject) -> Result<Known, ToolError> {
        let mut known = Known::new();
        for (name, value) in arguments {
            let Some(own) = self.arguments.iter().find(|own| **own == name) else {
                return Err(holdpoint::tool::unknown_argument(
                    &name,
                    self.arguments.iter().copied(),
                ));
            };
            let text = match value {
                Value::String(text) => text,
                Value::Null => continue,
                other => other.to_string(),
            };
            if text.chars().count() > LONGEST {
                return Err(ToolError::argument(
                    name,
                    format!("expected at most {LONGEST} characters"),
                ));
            }
            if text.trim().is_empty() || is_marker(&text, own) {
                continue;
            }
            if *own == "step" && text.trim().parse::<u32>().is_err() {
                return Err(ToolError::argument("step", "expected a step's number"));
            }
            known.insert(own, text);
        }
        Ok(known)
    }

    fn rendered(&self, known: &Known, missing: &[&'static str]) -> String {
        let value = |name: &str| match known.get(name) {
            Some(text) => Some(literal(text)),
            None if missing.contains(&name) => Some(literal(&format!("[{name}]"))),
            None => None,
        };
        let template = format!("prompts/{}.md", self.name);
        let wanted: Vec<_> = missing
            .iter()
            .map(|name| context! { name => *name, help => help(name) })
            .collect();
        let text = if self.is_new() {
            let arguments: Vec<_> = self
                .arguments
                .iter()
                .filter_map(|name| Some(context! { name => literal(name), value => value(name)? }))
                .collect();
            let markers: Vec<_> = missing.iter().map(|name| format!("`[{name}]`")).collect();
            render(
                &template,
                &context! {
                    arguments,
                    missing => wanted,
                    markers => markers.join(", "),
                    all => missing.len() == self.arguments.len(),
                },
            )
        } else {
            let number = known.get("step").map(|step| step.trim().to_owned());
            render(
                &template,
                &context! {
                    path => value("path"),
                    missing => missing.contains(&"path"),
                    step => number.or_else(|| value("step")),
                    missing_step => missing.contains(&"step"),
                },
            )
        };
        text.trim_end().to_owned()
    }
}

/// A marker that stands in the place of this argument.
fn is_marker(text: &str, argument: &str) -> bool {
    text.trim() == format!("[{argument}]")
}

/// Asks which plan is meant, and which step of it where that is wanted; none where nobody says.
async fn which_plan(
    flow: &Flow,
    title: &str,
    known: &Known,
    missing: &[&'static str],
) -> Result<Option<Known>, ToolError> {
    let mut form = Form::new();
    if missing.contains(&"path") {
        form = form.field(path_field(flow).await?);
    }
    if missing.contains(&"step") {
        let number = Integer {
            min: Some(1),
            ..Integer::default()
        };
        let field = Field::new("step", Kind::Integer(number))
            .title("Step (optional)")
            .help("Its number; left empty, the one that comes next")
            .optional();
        form = form.field(field);
    }
    let question = Ask::new(format!("## {title}\n\nWhich plan?"), form);
    let decided = ask_and_log(&flow.cx, question).await?;
    let Outcome::Accepted(answer) = &decided.outcome else {
        return Ok(None);
    };
    let mut all = known.clone();
    for name in missing {
        match answer.get(*name) {
            Some(Value::String(text)) => drop(all.insert(name, text.clone())),
            Some(number @ Value::Number(_)) => drop(all.insert(name, number.to_string())),
            _ => {}
        }
    }
    Ok(Some(all))
}

/// Lists the plans, or has the path typed where there are many.
async fn path_field(flow: &Flow) -> Result<Field, ToolError> {
    let root = PlanRoot::from_call(flow)?;
    // What the form lists is what a later run of this flow must list too.
    let effect = super::blocking(move || plans(&root));
    let plans: Vec<(String, String)> = flow.cx.step("plans", effect).await?;
    let kind = match plans.len() {
        1..=LISTED => Kind::Choice(Choice {
            options: plans
                .iter()
                .map(|(path, about)| Pick::new(path).label(about))
                .collect(),
            ..Choice::default()
        }),
        _ => Kind::Text(Text {
            min_length: Some(1),
            max_length: Some(1_000),
            ..Text::default()
        }),
    };
    Ok(Field::new("path", kind)
        .title("Plan")
        .help("The plan's folder in the workspace"))
}

/// The plans that are not completed, then the others: paths, and what a person reads of each.
fn plans(root: &PlanRoot) -> Vec<(String, String)> {
    let Ok(folder) = root.folder(None) else {
        return Vec::new();
    };
    let line = |place: &PlanDir| match root.status(place) {
        Ok(status) => {
            let done = status
                .steps
                .iter()
                .filter(|step| step.state.is_done())
                .count();
            let state = status.state.as_str();
            (
                state,
                format!(
                    "{}: {state}, {done} of {} steps",
                    place.path.name(),
                    status.steps.len()
                ),
            )
        }
        Err(_) => ("", format!("{}: cannot be read", place.path.name())),
    };
    let mut plans: Vec<_> = root
        .list(&folder)
        .iter()
        .map(|place| (line(place), place.path.name().to_owned()))
        .collect();
    plans.sort_by_key(|((state, _), _)| *state == "completed");
    plans
        .into_iter()
        .map(|((_, about), path)| (path, about))
        .collect()
}
