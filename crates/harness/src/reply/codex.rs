//! Codex. It runs the tool when it cannot read a reply or is told to `ask`; so neither is ever written.

use super::{claude::specific, verdict::Verdict};
use crate::HookReply;
use serde_json::json;

pub(super) fn reply(event: &str, verdict: Verdict) -> HookReply {
    match event {
        "PermissionRequest" => permission_request(verdict),
        "PreToolUse" => pre_tool_use(verdict),
        _ => HookReply::refusal(&verdict.plain().err().unwrap_or_default()),
    }
}

/// Its dialog opens when the hook has said nothing. No key but these two may be there.
fn permission_request(verdict: Verdict) -> HookReply {
    if let Verdict::Prompt(_) = verdict {
        return HookReply::default();
    }
    let decision = match verdict.plain() {
        Ok(()) => json!({ "behavior": "allow" }),
        Err(reason) => json!({ "behavior": "deny", "message": reason }),
    };
    HookReply::json(json!({
        "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision },
    }))
}

/// A yes is nothing said, and its own prompts follow; so nothing said cannot be a way to leave it to them.
fn pre_tool_use(verdict: Verdict) -> HookReply {
    match verdict {
        Verdict::Allow(None) => HookReply::default(),
        Verdict::Allow(Some(input)) => HookReply::json(specific("allow", None, Some(input))),
        Verdict::Deny(reason) | Verdict::Defer(reason) | Verdict::Prompt(reason) => {
            HookReply::json(specific("deny", Some(reason), None))
        }
    }
}
