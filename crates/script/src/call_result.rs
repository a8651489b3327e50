//! The result of a script's call, for the agent that made it.

use crate::{ScriptError, YieldError, asks::Unanswered};
use holdpoint::{
    Artifact,
    arguments::{ArgumentError, Arguments, Problem},
    tool::say_fields,
    tool_result,
};
use holdpoint_ask::nearest::did_you_mean;
use rmcp::model::{CallToolResult, JsonObject};
use serde_json::{Map, Value, json};

/// How much a script may make.
const MOST: usize = 100;
const LARGEST: usize = 8 << 20;

/// The artifacts that a script has made.
#[derive(Default)]
pub(crate) struct Artifacts {
    made: Vec<Artifact>,
    bytes: usize,
}

impl Artifacts {
    pub fn add(&mut self, artifact: Artifact) -> Result<(), YieldError> {
        let bytes = self.bytes + artifact.content.len();
        if self.made.len() >= MOST || bytes > LARGEST {
            return Err(YieldError(format!(
                "a script makes at most {MOST} artifacts, and {} MB in all",
                LARGEST >> 20
            )));
        }
        self.bytes = bytes;
        self.made.push(artifact);
        Ok(())
    }
}

/// The result of a script that has returned.
pub(crate) fn returned(value: Value, artifacts: &Artifacts) -> CallToolResult {
    let mut result = CallToolResult::success(Vec::new());
    result.structured_content = Some(json!({ "result": value }));
    Artifact::attach(&artifacts.made, &mut result);
    say_fields(&mut result);
    result
}

/// The result of a script that let an error out. An ask that brought no answer is reported as
/// every tool reports it; it is never a yes.
pub(crate) fn ended(error: &ScriptError, unanswered: Option<&Unanswered>) -> CallToolResult {
    match (error.outcome(), unanswered) {
        (Some(outcome), Some(unanswered)) if unanswered.decision.outcome.status() == outcome => {
            let mut own = Map::new();
            own.insert("message".into(), unanswered.message.clone().into());
            tool_result(&unanswered.decision, false, None, own)
        }
        (Some("interrupted"), _) => interrupted(&error.to_string()),
        (Some("withdrawn"), _) => withdrawn(),
        _ => failed(&error.to_string(), &error.at().file, error.at().line),
    }
}

/// The result of a script that failed.
pub(crate) fn failed(what: &str, file: &str, line: Option<u32>) -> CallToolResult {
    let next = "The script failed: tell the person. What it did before that is on record.";
    let mut body =
        json!({ "error": "SCRIPT_FAILED", "message": what, "file": file, "nextStep": next });
    if let Some(line) = line {
        body["line"] = line.into();
    }
    error(body)
}

fn interrupted(what: &str) -> CallToolResult {
    let next = "Something may or may not have happened: check, tell the person, and do not simply call again.";
    error(json!({ "error": "INTERRUPTED", "message": what, "nextStep": next }))
}

/// The result of a script whose call was withdrawn between two asks.
fn withdrawn() -> CallToolResult {
    let mut result = CallToolResult::success(Vec::new());
    result.structured_content = Some(json!({
        "status": "withdrawn", "proceed": false,
        "message": "The call was withdrawn: nothing more is done.",
        "nextStep": "The call was withdrawn: there is nothing to do.",
    }));
    say_fields(&mut result);
    result
}

/// The result of a call with arguments that do not fit.
pub(crate) fn wrong_arguments(known: &Arguments, errors: &[ArgumentError]) -> CallToolResult {
    let words = errors.iter().map(|error| match error.problem {
        Problem::Unknown => {
            let known = known.iter().map(|argument| argument.name.as_str());
            format!("{error}; {}", did_you_mean(&error.name, known))
        }
        _ => error.to_string(),
    });
    let what = words.collect::<Vec<_>>().join(". ");
    let next = "Nothing was done: correct the argument and call again.";
    error(json!({ "error": "INVALID_ARGUMENTS", "message": what, "nextStep": next }))
}

fn error(mut body: Value) -> CallToolResult {
    body["proceed"] = false.into();
    let mut result = CallToolResult::error(Vec::new());
    result.structured_content = Some(body);
    say_fields(&mut result);
    result
}

/// The schema of what a script's tool gives: what its method returns, or what became of an ask. It
/// names what an agent acts on, as those of other tools do.
pub(crate) fn schema(returns: Option<&JsonObject>) -> JsonObject {
    let returns = returns.cloned().unwrap_or_default();
    let text = || json!({ "type": "string" });
    let schema = json!({
        "type": "object",
        "properties": {
            "result": returns,
            "artifacts": { "type": "array", "items": { "type": "object" } },
            "status": text(),
            "askId": text(),
            "proceed": { "type": "boolean", "description": "False where the script did not finish" },
            "nextStep": text(),
            "error": text(),
            "message": text(),
            "file": text(),
            "line": { "type": "integer" },
        },
    });
    match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}
