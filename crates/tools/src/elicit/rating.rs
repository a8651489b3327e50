//! `elicit_rating`: one to so many stars.

use super::{Tool, note};
use holdpoint::tool::{AskResult, ToolError, ToolHints, ToolInfo, ask_and_log, timeout};
use holdpoint::{Ask, Field, Form, Kind, Outcome, ToolContext, field::Rating};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// Short Markdown
    message: String,
    /// The best; default 5
    #[serde(default)]
    max: Option<u8>,
    /// What 1 means
    #[serde(default)]
    low_label: Option<String>,
    /// What max means
    #[serde(default)]
    high_label: Option<String>,
    /// Room for a remark
    #[serde(default)]
    allow_note: Option<bool>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    rating: Option<u64>,
    note: Option<String>,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "elicit_rating",
        title: "Ask for a rating",
        description: "Asks the person to rate something, from 1 to max.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, run)
}

async fn run(cx: ToolContext, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    let rating = Rating {
        max: arguments.max.unwrap_or(5),
        low_label: arguments.low_label,
        high_label: arguments.high_label,
    };
    let field = Field::new("rating", Kind::Rating(rating)).title("Rating");
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
    let output = Output {
        rating: answer.get("rating").and_then(Value::as_u64),
        note: note::take(&mut answer),
    };
    let next = match output.note {
        None => "Go on with the person's rating.",
        Some(_) => "Go on with the person's rating and note.",
    };
    let given = output.rating.is_some();
    Ok(AskResult::new(&decided.decision, given, next, &output))
}
