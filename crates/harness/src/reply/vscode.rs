//! VS Code, which has Claude Code's `PreToolUse` and no event for its own prompts.

use super::{claude::specific, verdict::Verdict};
use crate::HookReply;

pub(super) fn reply(event: &str, verdict: Verdict) -> HookReply {
    if event != "PreToolUse" {
        return HookReply::refusal(&verdict.plain().err().unwrap_or_default());
    }
    HookReply::json(match verdict {
        Verdict::Allow(input) => specific("allow", None, input),
        Verdict::Deny(reason) | Verdict::Defer(reason) => specific("deny", Some(reason), None),
        Verdict::Prompt(reason) => specific("ask", Some(reason), None),
    })
}
