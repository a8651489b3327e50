//! Cursor. It prompts on `ask` for commands and MCP tools, and takes it for a yes at its other events.

use super::{claude::specific, verdict::Verdict};
use crate::HookReply;
use serde_json::{Value, json};

pub(super) fn reply(event: &str, verdict: Verdict) -> HookReply {
    match event {
        "beforeShellExecution" | "beforeMCPExecution" => match verdict {
            Verdict::Prompt(reason) => HookReply::json(said("ask", &reason)),
            verdict => plain(verdict),
        },
        "preToolUse" => match verdict {
            Verdict::Allow(Some(input)) => {
                HookReply::json(json!({ "permission": "allow", "updated_input": input }))
            }
            verdict => plain(verdict),
        },
        "beforeReadFile" => plain(verdict),
        // An event of Claude Code's file: in its own words and in theirs, and a no by the exit code too.
        "PreToolUse" => match verdict.plain() {
            Ok(()) => both(
                json!({ "permission": "allow" }),
                specific("allow", None, None),
            ),
            Err(reason) => {
                let theirs = specific("deny", Some(reason.clone()), None);
                both(said("deny", &reason), theirs).and_refuse(&reason)
            }
        },
        _ => HookReply::refusal(&verdict.plain().err().unwrap_or_default()),
    }
}

fn plain(verdict: Verdict) -> HookReply {
    HookReply::json(match verdict.plain() {
        Ok(()) => json!({ "permission": "allow" }),
        Err(reason) => said("deny", &reason),
    })
}

fn said(word: &str, reason: &str) -> Value {
    json!({ "permission": word, "user_message": reason, "agent_message": reason })
}

fn both(mut ours: Value, theirs: Value) -> HookReply {
    if let (Value::Object(ours), Value::Object(theirs)) = (&mut ours, theirs) {
        ours.extend(theirs);
    }
    HookReply::json(ours)
}
