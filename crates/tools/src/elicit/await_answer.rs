//! `await_answer`: the answer to an ask whose call ended `pending`.

use super::Tool;
use holdpoint::tool::{AskResult, ToolError, ToolHints, ToolInfo};
use holdpoint::{AskId, ToolContext};
use rmcp::{ErrorData, model::ErrorCode};
use schemars::JsonSchema;
use serde::Deserialize;
use std::time::Duration;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// The askId of the result that said pending
    ask_id: String,
    /// How long to wait before pending is said again, up to 86400; some 45 where it is left out. Keep it under your client's own time limit
    #[serde(default)]
    wait_seconds: Option<u64>,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "await_answer",
        title: "Wait for an answer",
        description: "Waits for the person's answer to a question whose result was pending, and gives the result of the call that asked. Says pending again where nobody answers in time; call it again then.",
        hints: ToolHints::Waits,
    };
    Tool::new(about, run)
}

async fn run(cx: ToolContext, arguments: Arguments) -> Result<AskResult, ToolError> {
    let ask: AskId = arguments.ask_id.trim().parse().map_err(|_| {
        ToolError::argument("askId", "expected the askId of a result that said pending")
    })?;
    let wait = match arguments.wait_seconds {
        Some(seconds) => Duration::from_secs(seconds.min(86_400)),
        None => cx.desk().settings().hold,
    };
    let answer = cx.await_answer(ask, wait).await;
    answer.map(AskResult::from).map_err(unknown)
}

/// Another caller's ask, and one that never was, look the same.
fn unknown(error: ErrorData) -> ToolError {
    match error.code {
        ErrorCode::INVALID_PARAMS => ToolError::UnknownAsk(error.message.into_owned()),
        _ => ToolError::Broken(error),
    }
}
