//! `elicit_confirm`: a yes or a no.

use super::{Tool, note};
use holdpoint::tool::{AskResult, ToolError, ToolHints, ToolInfo, ask_and_log, timeout};
use holdpoint::{Ask, Outcome, ToolContext};
use holdpoint_ask::form_arguments::short_details;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// Short Markdown; yes must mean go on
    message: String,
    /// More to read first, Markdown
    #[serde(default)]
    details: Option<String>,
    /// It cannot be taken back: deleting, deploying, publishing, paying
    #[serde(default)]
    dangerous: Option<bool>,
    /// Room for a remark
    #[serde(default)]
    allow_note: Option<bool>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    confirmed: bool,
    note: Option<String>,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "elicit_confirm",
        title: "Ask for a yes",
        description: "Asks the person for a yes or a no. Ask before anything that cannot be taken back.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, run).always_load()
}

async fn run(cx: ToolContext, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    let mut question = Ask::confirm(arguments.message);
    if arguments.allow_note.unwrap_or(false) {
        question.form = question.form.field(note::field());
    }
    question.details = short_details(arguments.details)?;
    question.dangerous = arguments.dangerous.unwrap_or(false);
    question.timeout = timeout(arguments.timeout_seconds);
    let mut decided = ask_and_log(&cx, question).await?;
    let decision = &mut decided.decision;
    let (confirmed, note) = match decided.outcome {
        Outcome::Accepted(mut answer) => {
            let confirmed = answer.get("confirmed") == Some(&Value::Bool(true));
            (confirmed, note::take(&mut answer))
        }
        Outcome::Declined { .. } => (false, None),
        _ => return Ok(AskResult::passed_on(decision)),
    };
    if !confirmed && matches!(decision.outcome, Outcome::Accepted(_)) {
        // A no with a note beside it is as much a no as one without.
        decision.outcome = Outcome::Declined { reason: None };
        decision.said_no = true;
    }
    let next = match (confirmed, note.is_some()) {
        (true, false) => "The person said yes: go on.",
        (true, true) => "The person said yes: go on, and heed the note.",
        (false, _) => decision.outcome.next_step(),
    };
    let output = Output { confirmed, note };
    Ok(AskResult::new(decision, confirmed, next, &output))
}
