//! `elicit_confirm`: a yes or a no.

use super::{Ended, Tool};
use holdpoint::tool::{
    OutputSchema, ToolHints, ToolInfo, ask_result, log_question, log_title, object, passed_on,
    timeout,
};
use holdpoint::{Outcome, ToolContext, Yes};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// The question, as short Markdown; yes must mean go on
    message: String,
    /// More to read before answering, as Markdown
    #[serde(default)]
    details: Option<String>,
    /// A yes cannot be taken back: deleting, deploying, publishing, paying
    #[serde(default)]
    dangerous: Option<bool>,
    /// How many seconds the question waits, 5 to 86400; the user's own setting where it is left out
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

pub(super) fn tool() -> Tool {
    let own = json!({
        "confirmed": { "type": "boolean", "description": "True for a yes; a no is declined" },
    });
    let about = ToolInfo {
        name: "elicit_confirm",
        title: "Ask for a yes",
        description: "Asks the person for a yes or a no. Only a yes gives proceed: true; a no is status declined.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, OutputSchema::WithAskFields(own), run)
}

async fn run(cx: ToolContext, arguments: Arguments) -> Ended {
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
    let own = |confirmed: bool| object(json!({ "confirmed": confirmed }));
    let decision = &decided.decision;
    Ok(match decided.outcome {
        Outcome::Accepted(Yes) => {
            ask_result(decision, true, "The person said yes: go on.", own(true))
        }
        Outcome::Declined { .. } => {
            ask_result(decision, false, decision.outcome.next_step(), own(false))
        }
        _ => passed_on(decision),
    })
}
