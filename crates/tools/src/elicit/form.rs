//! `elicit_form`: several questions at once.

use super::Tool;
use holdpoint::tool::{AskResult, ToolError, ToolHints, ToolInfo, ask_and_log, form_result};
use holdpoint::{Answer, Outcome, ToolContext};
use holdpoint_ask::form_arguments::FormArguments;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
struct Output {
    /// By field; what was left empty is not there
    #[schemars(with = "JsonObject")]
    values: Answer,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "elicit_form",
        title: "Ask several things at once",
        description: "Asks the person several things at once. Never for passwords, tokens or keys.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, run)
}

async fn run(cx: ToolContext, arguments: FormArguments) -> Result<AskResult<Output>, ToolError> {
    let question = arguments.into_ask()?;
    let form = question.form.clone();
    let decided = ask_and_log(&cx, question).await?;
    let Outcome::Accepted(answer) = decided.outcome else {
        return Ok(AskResult::passed_on(&decided.decision));
    };
    Ok(form_result(&form, &decided.decision, answer).into())
}
