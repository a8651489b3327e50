//! What each harness does with a reply, as it was seen or is documented: the test's own reading, that shares
//! nothing with how replies are made.

use holdpoint_harness::{Harness, HookReply};
use serde_json::Value;

/// What happens to the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// It runs, or goes on to prompts that the harness may or may not have.
    Runs,
    /// It does not.
    Blocked,
    /// The harness prompts its user.
    Prompts,
}

/// What a harness does at an event at which a tool is decided on.
pub fn would_do(harness: Harness, event: &str, unattended: bool, said: &HookReply) -> Done {
    use Done::*;
    use Harness::*;
    let json: Value = serde_json::from_str(&said.stdout).unwrap_or_default();
    let at = |path: &str| {
        json.pointer(path)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let specific = at("/hookSpecificOutput/permissionDecision");
    let decided = at("/hookSpecificOutput/decision/behavior");
    match (harness, event) {
        // Everything that is no decision leaves the dialog.
        (Claude, "PermissionRequest") => match (said.exit_code, decided) {
            (0, "allow") => Runs,
            (0, "deny") => Blocked,
            _ => Prompts,
        },
        (Claude, _) => match (said.exit_code, specific) {
            (2, _) | (0, "deny") => Blocked,
            (0, "defer") if unattended => Blocked,
            (0, "ask") => Prompts,
            _ => Runs,
        },
        (Codex, "PermissionRequest") => match (said.exit_code, decided) {
            (0, "allow")
                if json["hookSpecificOutput"]["decision"]
                    .as_object()
                    .map(|decision| decision.len())
                    == Some(1) =>
            {
                Runs
            }
            (2, _) | (0, "allow" | "deny") => Blocked,
            _ => Prompts,
        },
        (Codex, _) => match (said.exit_code, specific) {
            (2, _) => Blocked,
            (0, "deny") if !at("/hookSpecificOutput/permissionDecisionReason").is_empty() => {
                Blocked
            }
            _ => Runs,
        },
        (VsCode, _) => match (said.exit_code, specific) {
            (2, _) | (0, "deny") => Blocked,
            (0, "ask") => Prompts,
            _ => Runs,
        },
        (Copilot, "permissionRequest" | "PermissionRequest") => {
            match (said.exit_code, at("/behavior")) {
                (2, _) | (0, "deny") => Blocked,
                (0, "allow") => Runs,
                _ => Prompts,
            }
        }
        (Copilot, _) => match (said.exit_code, at("/permissionDecision")) {
            (1.., _) | (0, "deny") => Blocked,
            (0, "ask") => Prompts,
            _ => Runs,
        },
        (Cursor, _) => match (said.exit_code, at("/permission"), event) {
            (2, ..) | (0, "deny", _) => Blocked,
            (0, "ask", "beforeShellExecution" | "beforeMCPExecution") => Prompts,
            _ => Runs,
        },
        (Gemini, _) => match (said.exit_code, at("/decision")) {
            (2, _) | (0, "deny" | "block") => Blocked,
            (0, "ask") if !unattended => Prompts,
            _ => Runs,
        },
        (OpenCode, _) => match (said.exit_code, at("/decision"), event) {
            (0, "allow", _) => Runs,
            (0, "ask", "permission.asked" | "question.asked") => Prompts,
            _ => Blocked,
        },
    }
}
