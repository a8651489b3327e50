//! Decisions in the dialects of harnesses.
//!
//! | file | whose |
//! |---|---|
//! | `claude` | Claude Code |
//! | `codex` | Codex, which refuses what it does not know |
//! | `vscode` | VS Code, which has a part of Claude Code's |
//! | `copilot` | Copilot CLI |
//! | `cursor` | Cursor |
//! | `gemini`, `opencode` | Gemini CLI, and our plugin for opencode |

mod claude;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod opencode;
mod verdict;
mod vscode;

use crate::{Decision, Harness, HookReply, Incoming, Prompt};
use serde_json::json;

pub(crate) use verdict::{Verdict, verdict};

/// Says a decision in the caller's dialect. What it has no word for becomes the stricter thing; only
/// [`Decision::Allow`] and answers let anything through. Where nothing is to be decided, nothing is said.
pub fn reply(incoming: &Incoming, decision: &Decision) -> HookReply {
    if matches!(decision, Decision::NoOpinion) && incoming.prompts_later() {
        return HookReply::default();
    }
    match &incoming.prompt {
        Prompt::Over(_) | Prompt::Nothing => match incoming.harness {
            Harness::OpenCode => HookReply::json(json!({})),
            _ => HookReply::default(),
        },
        Prompt::Form(_) => claude::form(decision),
        Prompt::Tool(_) | Prompt::Questions(_) | Prompt::Plan(_) => {
            if incoming.harness == Harness::OpenCode
                && let Some(answers) = opencode::answers(incoming, decision)
            {
                return answers;
            }
            say(incoming.harness, incoming, verdict(incoming, decision))
        }
    }
}

fn say(harness: Harness, incoming: &Incoming, verdict: Verdict) -> HookReply {
    let event = incoming.event.as_str();
    match harness {
        Harness::Claude => claude::reply(event, verdict, incoming.unattended),
        Harness::Codex => codex::reply(event, verdict),
        Harness::VsCode => vscode::reply(event, verdict),
        Harness::Copilot => copilot::reply(event, verdict),
        Harness::Cursor => cursor::reply(event, verdict),
        Harness::Gemini => gemini::reply(verdict),
        Harness::OpenCode => opencode::reply(event, verdict),
    }
}
