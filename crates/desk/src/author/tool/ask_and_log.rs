//! Asking, with a line in the client's log when the question opens and when it is settled.
#![allow(deprecated)] // Older clients still have a log.

use super::error::ToolError;
use crate::{Answer, Ask, Decided, Question, ToolContext};
use holdpoint_ask::{
    Outcome,
    describe::{error_chain, first_line},
};
use rmcp::model::LoggingLevel;
use serde_json::json;

/// Asks what a form says, and logs it.
///
/// # Errors
/// When it cannot be asked, or the record cannot be kept.
pub fn ask_and_log(
    cx: &ToolContext,
    ask: Ask,
) -> impl Future<Output = Result<Decided<Answer>, ToolError>> + Send {
    // Not `async`: a parked flow then does not hold the ask, which the desk has already.
    let title = log_title(&ask.message);
    let question = cx.elicitor().ask(ask);
    async move { log_question(cx, &title, question).await }
}

/// Asks, and logs it for clients that want logs.
///
/// # Errors
/// When it cannot be asked, or the record cannot be kept.
pub async fn log_question<T: Send + 'static>(
    cx: &ToolContext,
    title: &str,
    question: Question<T>,
) -> Result<Decided<T>, ToolError> {
    let log = cx.logger();
    if log.wants(LoggingLevel::Info) {
        log.info(json!({ "event": "asked", "question": title }))
            .await;
    }
    let decided = match question.decided().await {
        Ok(decided) => decided,
        Err(error) => {
            let error = Box::new(error);
            let why = error_chain(&*error);
            log.error(json!({ "event": "failed", "question": title, "error": why }))
                .await;
            return Err((*error).into());
        }
    };
    let level = level_of(&decided.decision.outcome);
    if !log.wants(level) {
        return Ok(decided);
    }
    // Boxed: keeps the answer out of the state of a parked flow.
    let decided = Box::new(decided);
    let decision = &decided.decision;
    let line = json!({
        "event": "settled",
        "question": title,
        "askId": decision.ask,
        "status": decision.outcome.status(),
    });
    log.log(level, line).await;
    Ok(*decided)
}

/// What went wrong is a warning; what a person decided is not, whatever it was.
fn level_of(outcome: &Outcome) -> LoggingLevel {
    match outcome {
        Outcome::TimedOut | Outcome::Invalid { .. } | Outcome::Unreachable { .. } => {
            LoggingLevel::Warning
        }
        _ => LoggingLevel::Info,
    }
}

/// A question in the few words that fit into a log line.
pub fn log_title(message: &str) -> String {
    const MOST: usize = 80;
    let line = first_line(message);
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
