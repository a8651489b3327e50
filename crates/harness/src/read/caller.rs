//! Who really calls: Cursor, VS Code and Copilot run the hooks in Claude Code's files too.

use crate::Harness;
use serde_json::{Map, Value};

/// Finds the caller by the marks in its payload; the harness that the hook was registered for where there are
/// none.
pub(crate) fn who_calls(registered: Harness, object: &Map<String, Value>) -> Harness {
    let has = |key: &str| object.get(key).is_some_and(|value| !value.is_null());
    let event = object.get("hook_event_name").and_then(Value::as_str);
    if registered == Harness::OpenCode {
        // Its payload is written by our own plugin.
        return Harness::OpenCode;
    }
    if has("cursor_version") {
        return Harness::Cursor;
    }
    if has("turn_id") && has("model") {
        return Harness::Codex;
    }
    if has("sessionId") {
        // VS Code's first hooks had keys of both kinds.
        return if has("hookEventName") {
            Harness::VsCode
        } else {
            Harness::Copilot
        };
    }
    if event.is_some_and(|event| GEMINI.contains(&event)) {
        return Harness::Gemini;
    }
    match registered {
        // Claude Code sends no time, and names the prompt.
        Harness::Claude | Harness::Codex if has("timestamp") && !has("prompt_id") => {
            // Copilot names no call, and its transcript only where it says why it stopped.
            if has("tool_use_id") || (has("transcript_path") && !has("stop_reason")) {
                Harness::VsCode
            } else {
                Harness::Copilot
            }
        }
        Harness::VsCode | Harness::Copilot if has("prompt_id") && !has("timestamp") => {
            Harness::Claude
        }
        registered => registered,
    }
}

/// Events that only Gemini CLI has.
const GEMINI: [&str; 4] = ["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent"];
