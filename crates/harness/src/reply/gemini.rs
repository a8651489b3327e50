//! Gemini CLI. Only a `deny` blocks there; its own confirmation follows a yes.

use super::verdict::Verdict;
use crate::HookReply;
use serde_json::json;

pub(super) fn reply(verdict: Verdict) -> HookReply {
    HookReply::json(match verdict {
        Verdict::Allow(None) => json!({ "decision": "allow" }),
        Verdict::Allow(Some(input)) => json!({
            "decision": "allow",
            "hookSpecificOutput": { "hookEventName": "BeforeTool", "tool_input": input },
        }),
        Verdict::Deny(reason) | Verdict::Defer(reason) | Verdict::Prompt(reason) => {
            json!({ "decision": "deny", "reason": reason })
        }
    })
}
