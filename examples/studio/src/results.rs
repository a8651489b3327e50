//! How an outcome becomes a result. Every result of every tool here fits the schema that the tool declares, also
//! those that say what went wrong.

use crate::clips::ClipError;
use holdpoint::{
    Decided, Decision, Outcome, Question, Stop, ToolContext, describe,
    tool::{AskResult, RecordedError, ToolError, ToolOutput},
};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

/// What a tool that asks for a `T` gives.
pub type Asked<T> = AskResult<Input<T>>;

/// What a person gave, or what stands in for it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Input<T> {
    /// What to go on with
    value: T,
    /// Why nobody's answer but a default is used
    #[serde(skip_serializing_if = "Option::is_none")]
    default_used: Option<String>,
}

impl<T> Input<T> {
    fn new(value: T, default_used: Option<String>) -> Self {
        Self {
            value,
            default_used,
        }
    }
}

/// Asks. An answer that did not come in time, or did not fit, is logged.
pub async fn ask<T: Send + 'static>(
    cx: &ToolContext,
    question: Question<T>,
) -> Result<Decided<T>, Stop> {
    let decided = question.decided().await?;
    if let Outcome::TimedOut | Outcome::Invalid { .. } = &decided.outcome {
        let what = describe::decision(&decided.decision);
        cx.logger().warning(what).await;
    }
    Ok(decided)
}

/// Asks for what may be left out: nothing where the person skips it, or nobody can be asked. Every other outcome
/// ends the tool.
pub async fn ask_optional<T: Send + 'static>(
    cx: &ToolContext,
    question: Question<T>,
) -> Result<(Option<T>, Decision), Stop> {
    let decided = ask(cx, question).await?;
    if let Outcome::Declined { .. } | Outcome::Unreachable { .. } = &decided.outcome {
        return Ok((None, decided.decision));
    }
    let (value, decision) = decided.or_stop()?;
    Ok((Some(value), decision))
}

/// A value that a person gave.
pub fn given<T: Serialize>(decision: &Decision, value: T, next_step: &str) -> Asked<T> {
    AskResult::new(decision, true, next_step, &Input::new(value, None))
}

/// A value that stands in for one that nobody gave; `instead` says which.
pub async fn skipped<T: Serialize + JsonSchema>(
    cx: &ToolContext,
    decision: &Decision,
    value: T,
    instead: &str,
) -> Asked<T> {
    let why = match decision.outcome {
        Outcome::Declined { .. } => "The person skipped this",
        _ => "Nobody could be asked",
    };
    let why = format!("{why}: {instead}.");
    cx.logger().info(why.as_str()).await;
    let input = Input::new(value, Some(why.clone()));
    let mut result = AskResult::new(decision, false, &why, &input).into_result();
    // What may be left out and is left out is no failure.
    result.is_error = Some(false);
    result.into()
}

/// Reads or changes the clips in a step: it happens once, and a run after a crash sees it again. What went wrong
/// is logged, and ends the tool.
pub async fn clip_step<T: Serialize + DeserializeOwned>(
    cx: &ToolContext,
    name: &str,
    work: impl Future<Output = Result<T, ClipError>>,
) -> Result<T, Stop> {
    let recorded = |error: ClipError| RecordedError::from(&ToolError::from(error));
    let work = async { work.await.map_err(recorded) };
    match cx.step(name, work).await? {
        Ok(done) => Ok(done),
        Err(error) => {
            let error = ToolError::from(error);
            cx.logger().warning(error.to_string()).await;
            Err(error.into())
        }
    }
}
