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
    /// From the result that said pending
    ask_id: String,
    /// Up to 86400; default 45. Keep it under your client's time limit
    #[serde(default)]
    wait_seconds: Option<u64>,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "await_answer",
        title: "Wait for an answer",
        description: "Waits for the answer to a question that was pending, and gives the result of the call that asked. If it is pending again, call it again.",
        hints: ToolHints::Waits,
    };
    Tool::new(about, run).always_load()
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
