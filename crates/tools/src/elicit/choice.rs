//! `elicit_choice`: one, or some, of several options.

use super::{Tool, note};
use holdpoint::tool::{AskResult, ToolError, ToolHints, ToolInfo, ask_and_log, timeout};
use holdpoint::{
    Ask, Field, Form, Kind, Outcome, ToolContext,
    field::{Choice, Choices, Pick},
};
use holdpoint_ask::form_arguments::{Names, PickArgument, picks};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// Short Markdown
    message: String,
    /// Up to 200
    options: Vec<PickArgument>,
    /// Several may be chosen
    #[serde(default)]
    multiple: Option<bool>,
    /// An answer in their own words is fine too
    #[serde(default)]
    allow_other: Option<bool>,
    /// Room for a remark beside the choice
    #[serde(default)]
    allow_note: Option<bool>,
    /// Values that get a badge; nothing is preselected
    #[serde(default)]
    recommended: Option<Names>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    choice: Option<String>,
    /// With multiple
    choices: Option<Vec<String>>,
    /// In their own words
    other: Option<String>,
    note: Option<String>,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "elicit_choice",
        title: "Ask for a choice",
        description: "Asks the person to choose one of several options, or some of them.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, run).always_load()
}

async fn run(cx: ToolContext, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    let multiple = arguments.multiple.unwrap_or(false);
    let other = arguments.allow_other.unwrap_or(false);
    let options = picks(arguments.options, arguments.recommended)
        .map_err(|what| ToolError::argument("recommended", what))?;
    let field = if !multiple {
        one(options.clone(), other)
    } else {
        many(options.clone(), other)
    };
    let mut form = Form::new().field(field);
    if arguments.allow_note.unwrap_or(false) {
        form = form.field(note::field());
    }
    let mut question = Ask::new(arguments.message, form);
    question.timeout = timeout(arguments.timeout_seconds);
    let decided = ask_and_log(&cx, question).await?;
    let Outcome::Accepted(mut answer) = decided.outcome else {
        return Ok(AskResult::passed_on(&decided.decision));
    };
    let chosen = match answer.remove("choice").or(answer.remove("choices")) {
        Some(Value::Array(values)) => values,
        Some(value) => vec![value],
        None => Vec::new(),
    };
    let mut output = Output::new(chosen, &options, multiple);
    output.note = note::take(&mut answer);
    let next = match output.note {
        None => "Go on with what the person chose.",
        Some(_) => "Go on with what the person chose, and heed the note.",
    };
    let given = output.is_something();
    Ok(AskResult::new(&decided.decision, given, next, &output))
}

fn one(options: Vec<Pick>, other: bool) -> Field {
    let choice = Choice {
        options,
        other,
        ..Choice::default()
    };
    Field::new("choice", Kind::Choice(choice)).title("Choice")
}

/// At least one: choosing nothing is not an answer, and a client may send it by itself.
fn many(options: Vec<Pick>, other: bool) -> Field {
    let choices = Choices {
        options,
        other,
        min: Some(1),
        ..Choices::default()
    };
    Field::new("choices", Kind::Choices(choices)).title("Choices")
}

impl Output {
    /// What was chosen; `choice` and `choices` hold only values of options.
    fn new(chosen: Vec<Value>, options: &[Pick], multiple: bool) -> Self {
        let chosen = chosen.into_iter().filter_map(|value| match value {
            Value::String(value) => Some(value),
            _ => None,
        });
        let listed = |value: &String| options.iter().any(|pick| *value == pick.value);
        let (mut chosen, mut own): (Vec<_>, Vec<_>) = chosen.partition(listed);
        Self {
            other: own.pop(),
            choice: if multiple { None } else { chosen.pop() },
            choices: multiple.then_some(chosen),
            note: None,
        }
    }

    fn is_something(&self) -> bool {
        let listed = self
            .choices
            .as_ref()
            .is_some_and(|choices| !choices.is_empty());
        listed || self.choice.is_some() || self.other.is_some()
    }
}
