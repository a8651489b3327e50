//! Decisions as far as dialects have words for them.

use crate::{
    Decision, FormReply, Harness, Incoming, Prompt, QuestionAnswer, hook_reply::not_empty,
};
use serde_json::{Map, Value, json};

/// A decision about a tool, as far as dialects have words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    /// It may be used, with these arguments instead where there are some.
    Allow(Option<Value>),
    /// It may not.
    Deny(String),
    /// The run ends here and can be resumed.
    Defer(String),
    /// The harness is to prompt.
    Prompt(String),
}

impl Verdict {
    /// As a yes without other arguments, or the reason for a no: for dialects that have nothing else.
    pub fn plain(self) -> Result<(), String> {
        match self {
            Self::Allow(None) => Ok(()),
            Self::Allow(Some(_)) => Err(
                "The arguments were changed, which cannot be said here: call it with them.".into(),
            ),
            Self::Deny(reason) | Self::Defer(reason) | Self::Prompt(reason) => Err(reason),
        }
    }
}

pub(crate) fn verdict(incoming: &Incoming, decision: &Decision) -> Verdict {
    match (decision, &incoming.prompt) {
        (Decision::Allow { updated_input }, prompt) => {
            Verdict::Allow(updated_input.clone().or_else(|| as_reviewed(prompt)))
        }
        (Decision::Deny { reason }, _) => Verdict::Deny(not_empty(reason)),
        (Decision::Defer { reason }, _) => Verdict::Defer(not_empty(reason)),
        (Decision::NoOpinion, _) => Verdict::Prompt("No rule says anything of this.".into()),
        (Decision::LeaveToHarness { reason }, _) => Verdict::Prompt(not_empty(reason)),
        (Decision::Answers(answers), Prompt::Questions(asked))
            if incoming.harness == Harness::Claude =>
        {
            Verdict::Allow(Some(with_answers(&asked.input, answers)))
        }
        (Decision::Answers(answers), Prompt::Questions(_)) => Verdict::Deny(in_words(answers)),
        (Decision::Answers(_) | Decision::Form(_), _) => {
            Verdict::Deny("The answer does not say that it may be done.".into())
        }
    }
}

/// A plan goes back as it was shown: what was approved counts, also where its file has changed meanwhile. What
/// the agent wants to be allowed with it does not. Claude Code takes no yes to a plan without its arguments.
fn as_reviewed(prompt: &Prompt) -> Option<Value> {
    match prompt {
        Prompt::Plan(plan) => Some(plan.with_text(&plan.text)),
        Prompt::Tool(tool) if tool.tool_use.tool == "ExitPlanMode" => Some(json!({})),
        _ => None,
    }
}

/// The arguments of the questions with the answers, by the text of each question.
fn with_answers(input: &Value, answers: &[QuestionAnswer]) -> Value {
    let mut input = match input {
        Value::Object(input) => input.clone(),
        _ => Map::new(),
    };
    let answers = answers
        .iter()
        .map(|given| (given.question.clone(), json!(given.text())));
    input.insert("answers".to_owned(), Value::Object(answers.collect()));
    Value::Object(input)
}

/// The answers in words, for harnesses that can be told nothing but why a tool is not used.
fn in_words(answers: &[QuestionAnswer]) -> String {
    let lines = answers
        .iter()
        .map(|given| format!("“{}” {}", given.question, json!(given.text())));
    let lines: Vec<_> = lines.collect();
    match lines.as_slice() {
        [] => "The person did not answer the questions.".to_owned(),
        lines => format!(
            "The person has answered elsewhere, so do not ask again. Go on with the answers:\n{}",
            lines.join("\n")
        ),
    }
}

/// What a form's decision is in MCP's words. Nothing but an accept says yes.
pub(super) fn form_reply(decision: &Decision) -> Option<FormReply> {
    match decision {
        Decision::Form(reply) => Some(reply.clone()),
        Decision::Deny { .. } | Decision::Allow { .. } | Decision::Answers(_) => {
            Some(FormReply::Decline)
        }
        Decision::Defer { .. } => Some(FormReply::Cancel),
        Decision::NoOpinion | Decision::LeaveToHarness { .. } => None,
    }
}
