//! What the rules say of a prompt, before anything is opened: most prompts need no more.

use super::real_paths::Disk;
use holdpoint::Origin;
use holdpoint_harness::{Decision, Incoming, Prompt};
use holdpoint_policy::{Holder, Reason, Rules, Ruling, Scope, Verdict};
use jiff::Timestamp;

/// What is to be done about a prompt.
#[derive(Debug)]
pub enum Ruled {
    /// It is decided.
    Decided {
        /// So.
        decision: Decision,
        /// By a scope that a person gave, by its id: its use is recorded first.
        scope: Option<String>,
    },
    /// A person is asked.
    Ask(Ruling),
}

/// Decides by rules, and by the scopes that people gave as far as they are known.
pub fn decide(incoming: &Incoming, rules: &Rules, scopes: &[Scope]) -> Ruled {
    let prompt = match &incoming.prompt {
        Prompt::Tool(prompt) => prompt,
        Prompt::Over(_) | Prompt::Nothing => return no_opinion(),
        Prompt::Questions(_) | Prompt::Plan(_) if incoming.prompts_later() => return no_opinion(),
        Prompt::Questions(_) | Prompt::Plan(_) | Prompt::Form(_) => {
            return Ruled::Ask(asked_by_default());
        }
    };
    let holder = holder(incoming);
    let now = Timestamp::now();
    let ruling = prompt.ruled(|used| rules.decide(used, &Disk, scopes, &holder, now));
    match ruling.verdict {
        Verdict::Allow => Ruled::Decided {
            decision: Decision::Allow {
                updated_input: None,
            },
            scope: ruling.scope,
        },
        Verdict::Deny => Ruled::Decided {
            decision: Decision::Deny {
                reason: reasons(&ruling),
            },
            scope: None,
        },
        // The harness comes back when it prompts, and may well not prompt for this at all.
        Verdict::Ask if incoming.prompts_later() && is_by_default(&ruling) => no_opinion(),
        Verdict::Ask => Ruled::Ask(ruling),
    }
}

/// To whom a scope of this prompt belongs.
pub fn holder(incoming: &Incoming) -> Holder {
    let (workspace, definition) = match &incoming.prompt {
        Prompt::Tool(prompt) => {
            let tool_use = &prompt.tool_use;
            (tool_use.workspace.clone(), tool_use.definition.as_ref())
        }
        _ => (incoming.folder.clone(), None),
    };
    Holder {
        principal: Origin::LOCAL.to_owned(),
        client: incoming.harness.word().to_owned(),
        workspace: Some(workspace),
        session: Some(incoming.session.clone()),
        server: definition.map(|definition| definition.server),
        definition: definition.map(|definition| definition.digest),
    }
}

/// Why the rules say so, in one line.
pub fn reasons(ruling: &Ruling) -> String {
    let reasons: Vec<_> = ruling.reasons.iter().map(Reason::to_string).collect();
    reasons.join("; ")
}

fn is_by_default(ruling: &Ruling) -> bool {
    let by_default = |reason: &Reason| matches!(reason, Reason::Default(_) | Reason::Unclear(_));
    ruling.reasons.iter().all(by_default)
}

fn asked_by_default() -> Ruling {
    Ruling {
        verdict: Verdict::Ask,
        danger: false,
        reasons: vec![Reason::Default(Verdict::Ask)],
        parts: Vec::new(),
        scope: None,
    }
}

fn no_opinion() -> Ruled {
    Ruled::Decided {
        decision: Decision::NoOpinion,
        scope: None,
    }
}
