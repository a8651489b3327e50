//! `elicit_confirm`: a yes or a no.

use super::Tool;
use holdpoint::tool::{
    AskResult, ToolError, ToolHints, ToolInfo, log_question, log_title, timeout,
};
use holdpoint::{Outcome, ToolContext, Yes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    confirmed: bool,
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
    let title = log_title(&arguments.message);
    let mut question = cx.elicitor().confirm(arguments.message);
    if let Some(details) = arguments.details {
        question = question.details(details);
    }
    if arguments.dangerous.unwrap_or(false) {
        question = question.dangerous();
    }
    if let Some(time) = timeout(arguments.timeout_seconds) {
        question = question.deadline(time);
    }
    let decided = log_question(&cx, &title, question).await?;
    let decision = &decided.decision;
    let (confirmed, next) = match decided.outcome {
        Outcome::Accepted(Yes) => (true, "The person said yes: go on."),
        Outcome::Declined { .. } => (false, decision.outcome.next_step()),
        _ => return Ok(AskResult::passed_on(decision)),
    };
    Ok(AskResult::new(
        decision,
        confirmed,
        next,
        &Output { confirmed },
    ))
}
