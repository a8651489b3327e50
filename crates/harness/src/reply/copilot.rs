//! Copilot CLI. It takes its own events, and those of Claude Code's files.

use super::{claude::specific, verdict::Verdict};
use crate::HookReply;
use serde_json::{Value, json};

pub(super) fn reply(event: &str, verdict: Verdict) -> HookReply {
    match event {
        "preToolUse" => HookReply::json(pre_tool_use(&verdict)),
        // Also where it is registered by Claude Code's name for it.
        "permissionRequest" | "PermissionRequest" => match permission_request(verdict) {
            Some(said) => HookReply::json(said),
            None => HookReply::default(),
        },
        // Events that are written as Claude Code's are answered in its own words and in theirs.
        "PreToolUse" => both(pre_tool_use(&verdict), theirs(verdict)),
        _ => HookReply::refusal(&verdict.plain().err().unwrap_or_default()),
    }
}

fn pre_tool_use(verdict: &Verdict) -> Value {
    let said = |word: &str, reason: &str| json!({ "permissionDecision": word, "permissionDecisionReason": reason });
    match verdict {
        Verdict::Allow(None) => json!({ "permissionDecision": "allow" }),
        Verdict::Allow(Some(input)) => {
            json!({ "permissionDecision": "allow", "modifiedArgs": input })
        }
        Verdict::Deny(reason) | Verdict::Defer(reason) => said("deny", reason),
        Verdict::Prompt(reason) => said("ask", reason),
    }
}

fn theirs(verdict: Verdict) -> Value {
    match verdict {
        Verdict::Allow(input) => specific("allow", None, input),
        Verdict::Deny(reason) | Verdict::Defer(reason) => specific("deny", Some(reason), None),
        Verdict::Prompt(reason) => specific("ask", Some(reason), None),
    }
}

/// Its dialog opens when the hook has said nothing.
fn permission_request(verdict: Verdict) -> Option<Value> {
    if let Verdict::Prompt(_) = verdict {
        return None;
    }
    Some(match verdict.plain() {
        Ok(()) => json!({ "behavior": "allow" }),
        Err(reason) => json!({ "behavior": "deny", "message": reason }),
    })
}

fn both(mut ours: Value, theirs: Value) -> HookReply {
    if let (Value::Object(ours), Value::Object(theirs)) = (&mut ours, theirs) {
        ours.extend(theirs);
    }
    HookReply::json(ours)
}
