//! Asking, with a line in the client's log when the question opens and when it is settled.

use crate::fault::Fault;
use holdpoint::{Answer, Ask, Decided, Question, ToolContext};
use serde_json::json;
use std::time::Duration;

/// How long an agent may let a question wait, in seconds.
const SHORTEST: u64 = 5;
const LONGEST: u64 = 86_400;

/// Asks whatever the form says.
pub(crate) async fn ask(cx: &ToolContext, ask: Ask) -> Result<Decided<Answer>, Fault> {
    let title = first_line(&ask.message);
    logged(cx, &title, cx.elicitor().ask(ask)).await
}

/// Asks, and tells clients that want logs about it.
pub(crate) async fn logged<T: Send + 'static>(
    cx: &ToolContext,
    title: &str,
    question: Question<T>,
) -> Result<Decided<T>, Fault> {
    let log = cx.logger();
    log.info(json!({ "event": "asked", "question": title }))
        .await;
    let decided = question.decided().await?;
    let decision = &decided.decision;
    log.info(json!({
        "event": "settled",
        "question": title,
        "askId": decision.ask,
        "status": decision.outcome.status(),
    }))
    .await;
    Ok(decided)
}

/// The time that an agent wants, in what it may have.
pub(crate) fn timeout(seconds: Option<u64>) -> Option<Duration> {
    seconds.map(|seconds| Duration::from_secs(seconds.clamp(SHORTEST, LONGEST)))
}

/// What a line has room for.
pub(crate) fn first_line(text: &str) -> String {
    const MOST: usize = 80;
    let line = text.trim().lines().next().unwrap_or_default();
    let line = line.trim_matches(['#', '*', ' ']);
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
