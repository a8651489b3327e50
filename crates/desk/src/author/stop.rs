//! Ending a tool before its own result: one error for everything that stands in the way.

use super::{
    tool::{ToolError, is_of_asks},
    tool_result::tool_result,
};
use crate::{AskError, ClientError, Decided, Decision, GrantError, StepError};
use holdpoint_ask::Outcome;
use holdpoint_journal::JournalError;
use rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{CallToolResponse, CallToolResult, JsonObject, MetaObject},
};
use serde_json::Map;
use std::{fmt, sync::Arc};

/// Why a tool ends before its own result. Give it as the error of a `#[tool]` function: what a person
/// did not accept ends the tool with the result that says so, and every error of this crate turns into
/// one.
///
#[doc = include_str!("../../docs/stop.md")]
#[derive(Clone)]
pub struct Stop(Box<Ended>);

#[derive(Clone)]
enum Ended {
    /// With a result that the agent reads.
    Result(CallToolResult),
    /// With an error of the protocol: the call is broken.
    Error(ErrorData),
}

impl Stop {
    /// Ends the tool with this result.
    ///
    /// ```
    /// use holdpoint::Stop;
    /// use rmcp::model::{CallToolResult, ContentBlock};
    ///
    /// fn find(name: &str) -> Result<u64, Stop> {
    ///     let nothing = format!("There is no {name}: list what there is first.");
    ///     let nothing = CallToolResult::error(vec![ContentBlock::text(nothing)]);
    ///     Err(Stop::with_result(nothing))
    /// }
    ///
    /// assert!(find("verse").unwrap_err().to_string().starts_with("There is no verse"));
    /// ```
    pub fn with_result(result: CallToolResult) -> Self {
        Self(Box::new(Ended::Result(result)))
    }

    /// Ends the tool with what became of an ask that does not let it go on.
    ///
    /// ```
    /// use holdpoint::{AskId, Decision, Outcome, Stop};
    ///
    /// # let now = "2026-07-28T09:30:00Z".parse()?;
    /// let decision = Decision::new(AskId::new(), Outcome::TimedOut, now);
    /// let stop = Stop::not_accepted(&decision);
    /// let fields = stop.result().and_then(|result| result.structured_content.as_ref()).unwrap();
    /// assert_eq!(fields["status"], "timed_out");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn not_accepted(decision: &Decision) -> Self {
        Self::with_result(tool_result(decision, false, None, Map::new()))
    }

    /// The result that the agent gets; none where it gets an error of the protocol.
    pub fn result(&self) -> Option<&CallToolResult> {
        match &*self.0 {
            Ended::Result(result) => Some(result),
            Ended::Error(_) => None,
        }
    }

    /// What the agent is told, in one line.
    fn text(&self) -> &str {
        match &*self.0 {
            Ended::Result(result) => {
                let text = result.content.iter().find_map(|content| content.as_text());
                text.map_or("the tool ended early", |text| &text.text)
            }
            Ended::Error(error) => &error.message,
        }
    }
}

impl<T> Decided<T> {
    /// The accepted value and the decision that is on record; anything else stops the tool.
    ///
    /// # Errors
    /// Where it was not accepted.
    pub fn or_stop(self) -> Result<(T, Decision), Stop> {
        match self.outcome {
            Outcome::Accepted(value) => Ok((value, self.decision)),
            _ => Err(Stop::not_accepted(&self.decision)),
        }
    }
}

/// Marks a result that rmcp takes for a failure because it came as an error; what it is instead is beside
/// it. [`unmark`] takes it off.
const MARK: &str = "holdpoint/stopped";

/// rmcp marks whatever a tool gives as its error as failed. A no is not a failure.
impl IntoCallToolResult for Stop {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        match *self.0 {
            Ended::Result(mut result) => {
                let failed = result.is_error == Some(true);
                let meta = result.meta.get_or_insert_with(MetaObject::new);
                meta.insert(MARK.to_owned(), failed.into());
                Ok(result.into())
            }
            Ended::Error(error) => Err(error),
        }
    }
}

/// Puts a result that came through a [`Stop`] right again. Where the tool has a schema for what it gives that not
/// every ask's end fits, it stays a failure: clients check everything else against that schema.
pub(crate) fn unmark(
    result: &mut CallToolResult,
    schema: impl FnOnce() -> Option<Arc<JsonObject>>,
) {
    let Some(meta) = &mut result.meta else {
        return;
    };
    if let Some(failed) = meta.remove(MARK) {
        let fits = schema().is_none_or(|schema| is_of_asks(&schema));
        result.is_error = Some(failed == true || !fits);
        if meta.is_empty() {
            result.meta = None;
        }
    }
}

impl From<ErrorData> for Stop {
    fn from(error: ErrorData) -> Self {
        Self(Box::new(Ended::Error(error)))
    }
}

/// For prompts and resources, whose errors are the protocol's.
impl From<Stop> for ErrorData {
    fn from(stop: Stop) -> Self {
        match *stop.0 {
            Ended::Error(error) => error,
            Ended::Result(ref result) => {
                let data = result.structured_content.clone();
                ErrorData::internal_error(stop.text().to_owned(), data)
            }
        }
    }
}

impl From<ToolError> for Stop {
    fn from(error: ToolError) -> Self {
        match error.into_result() {
            Ok(result) => Self::with_result(result),
            Err(error) => error.into(),
        }
    }
}

impl From<AskError> for Stop {
    fn from(error: AskError) -> Self {
        ToolError::from(error).into()
    }
}

impl From<StepError> for Stop {
    fn from(error: StepError) -> Self {
        let (code, next) = match error {
            StepError::Interrupted { .. } => (
                "INTERRUPTED",
                "It may or may not have happened: stop, tell the person, and do not call again.",
            ),
            StepError::Failed { .. } => (
                "STEP_FAILED",
                "It was tried once and failed: tell the person why.",
            ),
            other => return ToolError::from(other).into(),
        };
        ToolError::Refused {
            code: code.into(),
            what: error.to_string(),
            next: next.to_owned(),
        }
        .into()
    }
}

impl From<GrantError> for Stop {
    fn from(error: GrantError) -> Self {
        match error {
            GrantError::Journal(error) => error.into(),
            other => ToolError::Refused {
                code: "NOT_PERMITTED".into(),
                what: other.to_string(),
                next: "Nothing was done: ask the person again.".to_owned(),
            }
            .into(),
        }
    }
}

impl From<JournalError> for Stop {
    fn from(error: JournalError) -> Self {
        ToolError::from(error).into()
    }
}

impl From<ClientError> for Stop {
    fn from(error: ClientError) -> Self {
        ErrorData::from(error).into()
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.text()).finish()
    }
}

impl std::error::Error for Stop {}
