//! Our plugin for opencode. It does nothing but what `decision` says, and denies where it cannot read it.

use super::verdict::Verdict;
use crate::{Decision, HookReply, Incoming, Prompt};
use serde_json::json;

/// The answers to a question that opencode shows: a list for each, in order. All of them must be answered.
pub(super) fn answers(incoming: &Incoming, decision: &Decision) -> Option<HookReply> {
    let (Prompt::Questions(asked), Decision::Answers(answers)) = (&incoming.prompt, decision)
    else {
        return None;
    };
    if incoming.event != "question.asked" {
        return None;
    }
    let lists = asked.questions.iter().map(|question| {
        let given = answers
            .iter()
            .find(|given| given.question == question.text)?;
        Some(given.chosen.clone())
    });
    let lists: Option<Vec<_>> = lists.collect();
    Some(HookReply::json(match lists {
        Some(lists) => json!({ "decision": "allow", "answers": lists }),
        None => json!({ "decision": "deny", "reason": "Not all of the questions were answered." }),
    }))
}

pub(super) fn reply(event: &str, verdict: Verdict) -> HookReply {
    let prompts = matches!(event, "permission.asked" | "question.asked");
    HookReply::json(match verdict {
        Verdict::Prompt(reason) if prompts => json!({ "decision": "ask", "reason": reason }),
        Verdict::Allow(Some(input)) if !prompts => json!({ "decision": "allow", "args": input }),
        verdict => match verdict.plain() {
            Ok(()) => json!({ "decision": "allow" }),
            Err(reason) => json!({ "decision": "deny", "reason": reason }),
        },
    })
}
