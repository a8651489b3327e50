//! Claude Code.

use super::verdict::{Verdict, form_reply};
use crate::{Decision, FormReply, HookReply};
use serde_json::{Value, json};

pub(super) fn reply(event: &str, verdict: Verdict, unattended: bool) -> HookReply {
    match event {
        "PermissionRequest" => permission_request(verdict),
        "PreToolUse" => pre_tool_use(verdict, unattended),
        _ => HookReply::refusal(&verdict.plain().err().unwrap_or_default()),
    }
}

/// Its dialog is open meanwhile: nothing said leaves the decision there.
fn permission_request(verdict: Verdict) -> HookReply {
    let decision = match verdict {
        Verdict::Allow(None) => json!({ "behavior": "allow" }),
        Verdict::Allow(Some(input)) => json!({ "behavior": "allow", "updatedInput": input }),
        Verdict::Deny(reason) | Verdict::Defer(reason) => {
            json!({ "behavior": "deny", "message": reason })
        }
        Verdict::Prompt(_) => return HookReply::default(),
    };
    HookReply::json(json!({
        "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision },
    }))
}

/// Nothing said here might let the tool run unasked. A run is deferred only where nobody is at it: otherwise that
/// is ignored.
fn pre_tool_use(verdict: Verdict, unattended: bool) -> HookReply {
    let (word, reason, input) = match verdict {
        Verdict::Allow(input) => ("allow", None, input),
        Verdict::Defer(reason) if unattended => ("defer", Some(reason), None),
        Verdict::Deny(reason) | Verdict::Defer(reason) => ("deny", Some(reason), None),
        Verdict::Prompt(reason) => ("ask", Some(reason), None),
    };
    HookReply::json(specific(word, reason, input))
}

/// What `PreToolUse` says, in the harnesses that have it from Claude Code.
pub(super) fn specific(word: &str, reason: Option<String>, input: Option<Value>) -> Value {
    let mut said = json!({ "hookEventName": "PreToolUse", "permissionDecision": word });
    if let Some(reason) = reason {
        said["permissionDecisionReason"] = json!(reason);
    }
    if let Some(input) = input {
        said["updatedInput"] = input;
    }
    json!({ "hookSpecificOutput": said })
}

/// Its own form opens when the hook has said nothing.
pub(super) fn form(decision: &Decision) -> HookReply {
    let Some(reply) = form_reply(decision) else {
        return HookReply::default();
    };
    let said = match reply {
        FormReply::Accept(content) => json!({
            "hookEventName": "Elicitation", "action": "accept", "content": content,
        }),
        FormReply::Decline => json!({ "hookEventName": "Elicitation", "action": "decline" }),
        FormReply::Cancel => json!({ "hookEventName": "Elicitation", "action": "cancel" }),
    };
    HookReply::json(json!({ "hookSpecificOutput": said }))
}
