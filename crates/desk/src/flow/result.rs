//! What a flow ended with.

use holdpoint_ask::visible;
use rmcp::{
    ErrorData,
    model::{CallToolResult, CreateTaskResult, GetPromptResult, ReadResourceResult},
};
use serde::{Deserialize, Serialize};

/// What a flow ended with. Its JSON is what the journal records as the result of a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum FlowResult {
    /// A tool's result.
    Tool(CallToolResult),
    /// A prompt.
    Prompt(GetPromptResult),
    /// What a resource holds.
    Resource(ReadResourceResult),
    /// The flow failed.
    Error(ErrorData),
    /// A task of the author's own, which Holdpoint has no further part in.
    Task(CreateTaskResult),
}

impl FlowResult {
    /// The result of a tool's flow.
    ///
    /// # Errors
    /// What the flow failed with, or that it was not a tool's.
    pub fn into_tool_result(self) -> Result<CallToolResult, ErrorData> {
        match self {
            Self::Tool(result) => Ok(result),
            other => Err(other.into_error()),
        }
    }

    /// How it ended, in a word: `failed`, the status of the ask that ended it, or `done`.
    pub fn ended_as(&self) -> String {
        let Self::Tool(tool) = self else {
            return if matches!(self, Self::Error(_)) {
                "failed"
            } else {
                "done"
            }
            .to_owned();
        };
        let body = tool.structured_content.as_ref();
        match body.and_then(|body| body.get("status")?.as_str()) {
            Some("accepted") | None if tool.is_error == Some(true) => "failed".to_owned(),
            Some("accepted") | None => "done".to_owned(),
            Some(status) => visible(status).into_owned(),
        }
    }

    /// Another process goes on with the call.
    pub(crate) fn lost() -> Self {
        Self::Error(ErrorData::internal_error(
            "Another process has taken this call over, so its result is not given here and nothing is approved by it. What was answered is in the record.",
            None,
        ))
    }

    /// The error, for a request that wants another kind of result than this.
    pub(crate) fn into_error(self) -> ErrorData {
        match self {
            Self::Error(error) => error,
            _ => ErrorData::internal_error("The record holds the result of another request.", None),
        }
    }
}

impl From<Result<CallToolResult, ErrorData>> for FlowResult {
    fn from(ended: Result<CallToolResult, ErrorData>) -> Self {
        match ended {
            Ok(result) => Self::Tool(result),
            Err(error) => Self::Error(error),
        }
    }
}
