//! Asking, with a line in the client's log when the question opens and when it is settled.
#![allow(deprecated)] // Older clients still have a log.

use crate::fault::Fault;
use holdpoint::{Answer, Ask, Decided, Question, ToolContext};
use holdpoint_ask::describe::first_line;
use rmcp::model::LoggingLevel;
use serde_json::json;
use std::time::Duration;

/// How long an agent may let a question wait, in seconds.
const SHORTEST: u64 = 5;
const LONGEST: u64 = 86_400;

/// Asks whatever the form says.
pub(crate) fn ask(
    cx: &ToolContext,
    ask: Ask,
) -> impl Future<Output = Result<Decided<Answer>, Fault>> + Send {
    // Not `async`, so that a flow that waits has no room for the ask any more.
    let title = title(&ask.message);
    let question = cx.elicitor().ask(ask);
    async move { logged(cx, &title, question).await }
}

/// Asks, and tells clients that want logs about it.
pub(crate) async fn logged<T: Send + 'static>(
    cx: &ToolContext,
    title: &str,
    question: Question<T>,
) -> Result<Decided<T>, Fault> {
    let log = cx.logger();
    if log.wants(LoggingLevel::Info) {
        log.info(json!({ "event": "asked", "question": title }))
            .await;
    }
    let decided = question.decided().await?;
    if !log.wants(LoggingLevel::Info) {
        return Ok(decided);
    }
    // Boxed, so that a flow that waits for a person has no room for the answer yet.
    let decided = Box::new(decided);
    let decision = &decided.decision;
    let line = json!({
        "event": "settled",
        "question": title,
        "askId": decision.ask,
        "status": decision.outcome.status(),
    });
    log.info(line).await;
    Ok(*decided)
}

/// The time that an agent wants, in what it may have.
pub(crate) fn timeout(seconds: Option<u64>) -> Option<Duration> {
    seconds.map(|seconds| Duration::from_secs(seconds.clamp(SHORTEST, LONGEST)))
}

/// The question in the few words that a log line has room for.
pub(crate) fn title(message: &str) -> String {
    const MOST: usize = 80;
    let line = first_line(message);
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
