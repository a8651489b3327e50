//! What was decided, before it is said in a harness's dialect.

use crate::{
    Incoming, Plan, Prompt, Question,
    fields::{ALLOW, APPROVE, DECISION, FEEDBACK, REASON, REMEMBER, REQUEST_CHANGES, answer_to},
};
use holdpoint_ask::{Answer, Outcome, Review, describe};
use serde_json::Value;

/// What was decided about one call of the hook. Where a dialect has no word for it, it becomes the stricter
/// thing there.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// It may be done.
    Allow {
        /// With these arguments instead, all of them, as the harness has them.
        updated_input: Option<Value>,
    },
    /// It is not done.
    Deny {
        /// Why, for the agent.
        reason: String,
    },
    /// It is not done now: a headless run ends here and can be resumed. A no where the harness cannot do that.
    Defer {
        /// Why, for the agent and the person.
        reason: String,
    },
    /// Nothing is said: the harness calls again where it is about to prompt ([`Incoming::prompts_later`]). Elsewhere
    /// it prompts.
    NoOpinion,
    /// The harness prompts its user by itself. A no where it cannot be made to.
    LeaveToHarness {
        /// Why, for the person.
        reason: String,
    },
    /// The agent's questions are answered.
    Answers(Vec<QuestionAnswer>),
    /// Another server's form is answered.
    Form(FormReply),
}

/// What a person answered to one question of the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionAnswer {
    /// The question, as the agent put it.
    pub question: String,
    /// The options that were chosen, and the person's own words.
    pub chosen: Vec<String>,
}

impl QuestionAnswer {
    /// The answer as one text: "Unit tests, Lints".
    pub fn text(&self) -> String {
        self.chosen.join(", ")
    }
}

/// What a person did with another server's form.
#[derive(Debug, Clone, PartialEq)]
pub enum FormReply {
    /// Filled it in.
    Accept(Answer),
    /// Said no.
    Decline,
    /// Dismissed it.
    Cancel,
}

/// Makes a decision of how the ask ended. Only an answer that says so allows something; everything else is
/// a no with a reason for the agent.
pub fn decision(incoming: &Incoming, outcome: &Outcome, review: Option<&Review>) -> Decision {
    let Outcome::Accepted(answer) = outcome else {
        return match (&incoming.prompt, outcome) {
            (Prompt::Form(_), Outcome::Declined { .. }) => Decision::Form(FormReply::Decline),
            (Prompt::Form(_), _) => Decision::Form(FormReply::Cancel),
            _ => deny(not_accepted(outcome)),
        };
    };
    match &incoming.prompt {
        Prompt::Tool(_) => tool(answer, review),
        Prompt::Questions(asked) => Decision::Answers(answers(&asked.questions, answer)),
        Prompt::Plan(plan) => reviewed(plan, answer, review),
        Prompt::Form(_) => Decision::Form(FormReply::Accept(answer.clone())),
        Prompt::Over(_) | Prompt::Nothing => deny("There was nothing to decide.".to_owned()),
    }
}

/// The scope that the person chose to remember, by its value.
pub fn chosen_scope(answer: &Answer) -> Option<&str> {
    text(answer, REMEMBER).filter(|_| text(answer, DECISION) == Some(ALLOW))
}

fn deny(reason: String) -> Decision {
    Decision::Deny { reason }
}

/// Why there is no answer, and what the agent does now, in one sentence where that is enough.
fn not_accepted(outcome: &Outcome) -> String {
    match describe::reason(outcome) {
        Some(_) => describe::sentence(&describe::happened_and_why(outcome)),
        None => outcome.next_step().to_owned(),
    }
}

fn tool(answer: &Answer, review: Option<&Review>) -> Decision {
    if text(answer, DECISION) == Some(ALLOW) {
        return Decision::Allow {
            updated_input: None,
        };
    }
    let no: Outcome = Outcome::Declined {
        reason: text(answer, REASON).map(str::to_owned),
    };
    deny(with_comments(not_accepted(&no), review))
}

/// The answers by question; what was left out is left out.
fn answers(questions: &[Question], answer: &Answer) -> Vec<QuestionAnswer> {
    let answered = questions
        .iter()
        .enumerate()
        .filter_map(|(place, question)| {
            let chosen: Vec<_> = match answer.get(&answer_to(place))? {
                Value::String(words) => vec![words.clone()],
                Value::Array(chosen) => {
                    let chosen = chosen.iter().filter_map(Value::as_str);
                    chosen.map(str::to_owned).collect()
                }
                _ => return None,
            };
            let said = chosen.iter().any(|words| !words.is_empty());
            said.then(|| QuestionAnswer {
                question: question.text.clone(),
                chosen,
            })
        });
    answered.collect()
}

/// A plan is approved as it was shown, or as the person edited it. Their words go into it: an approval has no
/// other place for them.
fn reviewed(plan: &Plan, answer: &Answer, review: Option<&Review>) -> Decision {
    let edited = review.and_then(|review| review.edited.as_ref());
    let feedback = text(answer, FEEDBACK);
    let comments = review.map(Review::text).filter(|text| !text.is_empty());
    match text(answer, DECISION) {
        Some(APPROVE) => {
            let mut text = edited
                .map_or(plan.text.as_str(), |edited| &edited.text)
                .to_owned();
            let words: Vec<_> = feedback.into_iter().chain(comments.as_deref()).collect();
            if !words.is_empty() {
                text = format!(
                    "{}\n\n## To bear in mind, by the person who approved it\n\n{}\n",
                    text.trim_end(),
                    words.join("\n\n")
                );
            }
            Decision::Allow {
                updated_input: Some(plan.with_text(&text)),
            }
        }
        Some(REQUEST_CHANGES) => {
            let mut words = vec![
                "The person wants changes: do not start; revise the plan and show it again."
                    .to_owned(),
            ];
            words.extend(feedback.map(|feedback| format!("Feedback: {feedback}")));
            words.extend(comments.map(|comments| format!("Comments:\n{comments}")));
            words.extend(edited.map(|edited| format!("Their own version:\n\n{}", edited.text)));
            if words.len() == 1 {
                words.push("They did not say which: ask them in the chat.".to_owned());
            }
            deny(words.join("\n\n"))
        }
        _ => deny("The answer does not approve the plan: do not start.".to_owned()),
    }
}

fn with_comments(reason: String, review: Option<&Review>) -> String {
    match review.map(Review::text) {
        Some(comments) if !comments.is_empty() => format!("{reason}\n\nComments:\n{comments}"),
        _ => reason,
    }
}

fn text<'a>(answer: &'a Answer, field: &str) -> Option<&'a str> {
    let text = answer.get(field)?.as_str()?;
    (!text.trim().is_empty()).then_some(text)
}
