//! What `holdpoint run` prints: the result, and its exit code.

use super::{args::RunOptions, ask_surface::Ended};
use crate::commands::exit_code::{FAILED, USAGE};
use holdpoint::{Artifact, CallId, FlowRun, journal::AskRecord, visible};
use holdpoint_ask::describe;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// Prints the result to standard output, and how it came about to standard error.
///
/// # Errors
/// When nothing can be printed.
pub fn print(
    own: &RunOptions,
    run: &FlowRun,
    asks: &[AskRecord],
    ended: Ended,
    artifacts: &[Artifact],
) -> anyhow::Result<ExitCode> {
    for id in &ended.unused {
        eprintln!(
            "holdpoint: {:?} has an answer in the file, but was not asked",
            visible(id)
        );
    }
    if let Some(why) = &ended.wrong {
        eprintln!("holdpoint: {why}");
        return Ok(ExitCode::from(USAGE));
    }
    let result = match ended.result {
        Ok(result) => result,
        Err(error) => {
            eprintln!("holdpoint: {}", visible(&error.message));
            return Ok(ExitCode::from(FAILED));
        }
    };
    let mut out = io::stdout().lock();
    if own.json {
        writeln!(out, "{}", json(run.id(), &result, asks, artifacts))?;
    } else if returned(&result) {
        writeln!(out, "{}", value(&result))?;
    }
    out.flush()?;
    if !returned(&result) {
        eprintln!("holdpoint: {}", why(&result));
    }
    Ok(ExitCode::from(code(&result)))
}

/// The exit code of a result: those of `holdpoint ask`. Only a script that came to its end is 0.
pub fn code(result: &CallToolResult) -> u8 {
    if returned(result) {
        return 0;
    }
    let body = result.structured_content.as_ref();
    let word = |name: &str| body.and_then(|body| body[name].as_str());
    match (word("status"), word("error")) {
        // An answer alone is not the end of a script.
        (Some("accepted"), _) => FAILED,
        (Some(status), _) => describe::exit_code(status),
        (_, Some("INVALID_ARGUMENTS")) => USAGE,
        _ => FAILED,
    }
}

fn returned(result: &CallToolResult) -> bool {
    let body = result
        .structured_content
        .as_ref()
        .and_then(Value::as_object);
    result.is_error != Some(true) && body.is_some_and(|body| body.contains_key("result"))
}

/// What a script returned, for a person or a shell. The text of the result is for agents.
fn value(result: &CallToolResult) -> String {
    match result
        .structured_content
        .as_ref()
        .map(|body| &body["result"])
    {
        Some(Value::String(text)) => text.clone(),
        None | Some(Value::Null) => "Done.".to_owned(),
        Some(other) => format!("{other:#}"),
    }
}

fn text(result: &CallToolResult) -> &str {
    let first = result.content.iter().find_map(ContentBlock::as_text);
    first.map_or("", |block| block.text.as_str())
}

/// Why it did not come to its end, for a person: what an agent does next is not for them.
fn why(result: &CallToolResult) -> String {
    let body = result.structured_content.as_ref();
    let message = body.and_then(|body| body["message"].as_str());
    visible(message.unwrap_or_else(|| text(result))).into_owned()
}

fn json(
    call: CallId,
    result: &CallToolResult,
    asks: &[AskRecord],
    artifacts: &[Artifact],
) -> Value {
    let mut all = json!({ "callId": call, "status": "returned" });
    let body = result.structured_content.clone().unwrap_or_default();
    for (name, value) in body.as_object().into_iter().flatten() {
        // The artifacts themselves are below; what an agent is to do is not for a shell.
        if !["artifacts", "nextStep", "proceed"].contains(&name.as_str()) {
            all[name] = value.clone();
        }
    }
    if all.get("error").is_some() {
        all["status"] = "failed".into();
    }
    all["artifacts"] = serde_json::to_value(artifacts).unwrap_or_default();
    all["asks"] = asks.iter().map(ask).collect();
    all
}

fn ask(record: &AskRecord) -> Value {
    let mut all = json!({
        "askId": record.id,
        "id": record.key,
        "message": record.ask.message,
        "dangerous": record.ask.dangerous,
        "status": "pending",
    });
    if let Some(decision) = &record.decision {
        all["status"] = decision.outcome.status().into();
        all["channel"] = json!(decision.channel);
        all["answeredBy"] = json!(decision.answered_by);
        all["durationMs"] = decision.duration_ms.into();
        if let Some(reason) = describe::reason(&decision.outcome) {
            all["reason"] = reason.into();
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_has_its_code() {
        let check = |body: Value, failed: bool, wanted: u8| {
            let mut result = if failed {
                CallToolResult::error(Vec::new())
            } else {
                CallToolResult::success(Vec::new())
            };
            result.structured_content = Some(body.clone());
            assert_eq!(code(&result), wanted, "{body}");
        };
        check(json!({ "result": null }), false, 0);
        // What a script returns is its own, not an outcome.
        check(json!({ "result": { "status": "declined" } }), false, 0);
        check(json!({ "status": "declined" }), false, 1);
        check(json!({ "status": "cancelled" }), false, 3);
        check(json!({ "status": "timed_out" }), true, 4);
        check(json!({ "status": "unreachable" }), true, 5);
        check(json!({ "status": "invalid" }), true, 6);
        check(json!({ "status": "withdrawn" }), false, 6);
        check(json!({ "status": "accepted" }), false, 6);
        check(json!({ "error": "SCRIPT_FAILED" }), true, 6);
        check(json!({ "error": "INTERRUPTED" }), true, 6);
        check(json!({ "error": "INVALID_ARGUMENTS" }), true, 2);
        check(json!({ "result": 1 }), true, 6);
        check(Value::Null, false, 6);
    }
}
