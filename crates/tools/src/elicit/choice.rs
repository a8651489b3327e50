//! `elicit_choice`: one, or some, of several options.

use super::option::{Names, PickArgument, picks};
use super::{Ended, Tool};
use holdpoint::tool::{
    OutputSchema, ToolError, ToolHints, ToolInfo, ask_and_log, ask_result, object, passed_on,
    timeout,
};
use holdpoint::{
    Ask, Field, Form, Kind, Outcome, ToolContext,
    field::{Choice, Choices, Pick},
};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// The question, as short Markdown
    message: String,
    /// What can be chosen: strings, or objects with value, label and description
    options: Vec<PickArgument>,
    /// Several may be chosen
    #[serde(default)]
    multiple: Option<bool>,
    /// The person may answer in their own words instead
    #[serde(default)]
    allow_other: Option<bool>,
    /// The value of the option that you recommend. It gets a badge and is never selected for the person
    #[serde(default)]
    recommended: Option<Names>,
    /// How many seconds the question waits, 5 to 86400; the user's own setting where it is left out
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

pub(super) fn tool() -> Tool {
    let own = json!({
        "choice": { "type": "string", "description": "The value that was chosen" },
        "choices": {
            "type": "array", "items": { "type": "string" },
            "description": "With multiple: the values that were chosen",
        },
        "other": { "type": "string", "description": "What the person said instead, or besides" },
    });
    let about = ToolInfo {
        name: "elicit_choice",
        title: "Ask for a choice",
        description: "Asks the person to choose one (or, with multiple, some) of up to 200 options. Nothing is selected beforehand.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, OutputSchema::WithAskFields(own), run)
}

async fn run(cx: ToolContext, arguments: Arguments) -> Ended {
    let multiple = arguments.multiple.unwrap_or(false);
    let other = arguments.allow_other.unwrap_or(false);
    let options = picks(arguments.options, arguments.recommended)
        .map_err(|what| ToolError::argument("recommended", what))?;
    let field = if !multiple {
        one(options.clone(), other)
    } else {
        many(options.clone(), other)
    };
    let mut question = Ask::new(arguments.message, Form::new().field(field));
    question.timeout = timeout(arguments.timeout_seconds);
    let decided = ask_and_log(&cx, question).await?;
    let Outcome::Accepted(mut answer) = decided.outcome else {
        return Ok(passed_on(&decided.decision));
    };
    let chosen = match answer.remove("choice").or(answer.remove("choices")) {
        Some(Value::Array(values)) => values,
        Some(value) => vec![value],
        None => Vec::new(),
    };
    let own = fields(chosen, &options, multiple);
    let yes = !own.is_empty();
    Ok(ask_result(
        &decided.decision,
        yes,
        "Go on with what the person chose.",
        own,
    ))
}

fn one(options: Vec<Pick>, other: bool) -> Field {
    let choice = Choice {
        options,
        other,
        ..Choice::default()
    };
    Field::new("choice", Kind::Choice(choice)).title("Choice")
}

/// At least one: nothing chosen is no answer, and a client may send it by itself.
fn many(options: Vec<Pick>, other: bool) -> Field {
    let choices = Choices {
        options,
        other,
        min: Some(1),
        ..Choices::default()
    };
    Field::new("choices", Kind::Choices(choices)).title("Choices")
}

/// What was chosen; `choice` and `choices` hold only values of options.
fn fields(chosen: Vec<Value>, options: &[Pick], multiple: bool) -> JsonObject {
    let listed = |value: &Value| options.iter().any(|pick| *value == *pick.value);
    let (chosen, own): (Vec<_>, Vec<_>) = chosen.into_iter().partition(listed);
    let mut fields = if multiple {
        object(json!({ "choices": chosen }))
    } else {
        chosen
            .into_iter()
            .map(|value| ("choice".to_owned(), value))
            .collect()
    };
    fields.extend(own.into_iter().map(|value| ("other".to_owned(), value)));
    fields
}
