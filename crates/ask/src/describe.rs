//! Outcomes and decisions in words, for people and for agents.
//!
//! Every surface takes its words from here, so that the same end of an ask reads the same in a
//! tool's result, on the page, in the terminal and in a script.
//!
//! | function | who reads it |
//! |---|---|
//! | [`happened`], [`happened_and_why`] | authors and agents: what the person did |
//! | [`Outcome::next_step`], [`next_step_in_chat`], [`where_to_answer`] | agents: what to do now, where a person answers |
//! | [`who_asks`] | people: which server asks, and for which client |
//! | [`verdict`] | people: what was decided, in the ask's own words |
//! | [`decision`], [`reason`] | people: how it ended, by whom, where and after how long |
//! | [`exit_code`] | shells |
//! | [`duration`], [`first_line`], [`sentence`], [`error_chain`] | whoever reads the above |

use crate::{
    Answer, ChannelKind, Decision, FieldError, Form, Kind, Origin, Outcome, Withdrawal,
    field::Tone, visible,
};
use serde_json::Value;
use std::{error::Error, fmt::Write as _, time::Duration};

/// Says what the person did, without a full stop: "The person said no".
pub fn happened<T>(outcome: &Outcome<T>) -> &'static str {
    match outcome {
        Outcome::Accepted(_) => "The person answered",
        Outcome::Declined { .. } => "The person said no",
        Outcome::Cancelled => "The person dismissed the question",
        Outcome::TimedOut => "Nobody answered in time",
        Outcome::Unreachable { .. } => "Nobody could be reached",
        Outcome::Invalid { .. } => "The answers were invalid",
        Outcome::Withdrawn { .. } => "The question was withdrawn",
    }
}

/// Says what the person did and why, without a full stop: "The person said no: too risky".
pub fn happened_and_why<T>(outcome: &Outcome<T>) -> String {
    with_cause(happened(outcome), outcome)
}

fn with_cause<T>(text: &str, outcome: &Outcome<T>) -> String {
    match outcome {
        Outcome::Declined { reason: Some(why) } | Outcome::Unreachable { why } => {
            format!("{text}: {why}")
        }
        Outcome::Invalid { errors } => {
            let messages: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
            format!("{text}: {}", messages.join(" "))
        }
        _ => text.to_owned(),
    }
}

impl<T> Outcome<T> {
    /// Tells an agent in one sentence what to do now.
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::Accepted(_) => "Go on with the person's answer.",
            Self::Declined { .. } => "The person said no: do not do it, and do not ask again.",
            Self::Cancelled => {
                "The person dismissed the question: stop here and wait for instructions."
            }
            Self::TimedOut => {
                "Nobody answered in time: stop and tell the person; do not ask again in a loop."
            }
            Self::Unreachable { .. } => {
                "Nobody could be asked: stop, and tell the person what you need an answer to."
            }
            Self::Invalid { .. } => {
                "The answers did not fit the form: stop and ask the person in plain words."
            }
            Self::Withdrawn { .. } => "The question was withdrawn: there is nothing to do.",
        }
    }
}

/// Tells an agent what to do now about an approval that it did not get, and which answers to ask
/// for in the chat where no form reaches the person.
pub fn next_step_in_chat<T>(outcome: &Outcome<T>, answers: &str) -> String {
    match outcome {
        Outcome::Declined { .. } => "The person did not want to decide: nothing is approved. Stop, explain what you need a decision on, and wait.".into(),
        Outcome::Cancelled => "The person dismissed the question: nothing is approved. Wait for them, and explain what you are waiting for.".into(),
        Outcome::TimedOut => "Nobody answered in time: nothing is approved. Stop and tell the person; do not ask again in a loop.".into(),
        Outcome::Unreachable { .. } => format!("Nobody can be asked through this client: nothing is approved. Stop here and ask in the chat for one of these answers: {answers}. Do not go on before the person has given one."),
        Outcome::Invalid { .. } => format!("The answers did not fit the form: nothing is approved. Stop here and ask in the chat for one of these answers: {answers}."),
        Outcome::Accepted(_) | Outcome::Withdrawn { .. } => outcome.next_step().into(),
    }
}

/// Says where an open ask can be answered: "at ADDRESS or with `holdpoint inbox`". Nothing where
/// there is neither.
pub fn where_to_answer(page: Option<&str>, inbox: bool) -> Option<String> {
    match page {
        Some(page) => Some(format!("at {page} or with `holdpoint inbox`")),
        None => inbox.then(|| "with `holdpoint inbox`".to_owned()),
    }
}

/// Says who asks, the server first: "todo-mcp asks, for Claude Code 2.1".
///
/// Both names are texts of others: nothing in them is hidden, and a long one is cut.
pub fn who_asks(origin: &Origin) -> String {
    let name = |name: &Option<String>| {
        let name = one_line(name.as_deref()?);
        (!name.trim().is_empty()).then(|| shortened(name))
    };
    match (name(&origin.server), name(&origin.client)) {
        (Some(server), Some(client)) => format!("{server} asks, for {client}"),
        (Some(only), None) | (None, Some(only)) => format!("{only} asks"),
        (None, None) => "An agent asks".to_owned(),
    }
}

/// A name of at most 80 characters.
fn shortened(name: String) -> String {
    match name.char_indices().nth(80) {
        Some(_) => name.chars().take(79).chain(['…']).collect(),
        None => name,
    }
}

/// What was decided on this form, in the ask's own words, and which way that goes: "Changes requested".
/// None where no person decided.
pub fn verdict(form: &Form, decision: &Decision) -> (String, Option<Tone>) {
    let (text, tone) = match &decision.outcome {
        Outcome::Accepted(answer) => match (form.ending_of(answer), said(form, answer)) {
            (Some(ending), _) => {
                return (visible(&ending.done).into_owned(), Some(ending.tone));
            }
            (None, Some(true)) => ("Approved", Some(Tone::Go)),
            (None, Some(false)) => ("Said no", Some(Tone::Hold)),
            (None, None) => ("Answered", Some(Tone::Go)),
        },
        Outcome::Declined { .. } if decision.said_no => ("Said no", Some(Tone::Hold)),
        Outcome::Declined { .. } => ("Declined", Some(Tone::Hold)),
        Outcome::Cancelled => ("Dismissed", None),
        Outcome::TimedOut => ("Timed out", None),
        Outcome::Unreachable { .. } => ("Nobody reached", None),
        Outcome::Invalid { .. } => ("Invalid", None),
        Outcome::Withdrawn { .. } => ("Withdrawn", None),
    };
    (text.to_owned(), tone)
}

/// What was said to all that the form confirms: yes only where every confirm was answered so.
fn said(form: &Form, answer: &Answer) -> Option<bool> {
    let confirms = form
        .fields
        .iter()
        .filter(|field| field.kind == Kind::Confirm);
    let said = confirms.map(|field| answer.get(&field.name) == Some(&Value::Bool(true)));
    said.reduce(|all, one| all && one)
}

/// Says a decision on this form in one line for a person: "Changes requested by ann on the page, after 12 s".
pub fn decision_on(form: &Form, decided: &Decision) -> String {
    match &decided.outcome {
        Outcome::Accepted(_) => with_circumstances(verdict(form, decided).0, decided),
        _ => decision(decided),
    }
}

/// Says a decision in one line for a person: "Accepted by ann on the page, after 12 s".
pub fn decision(decision: &Decision) -> String {
    let text = match &decision.outcome {
        Outcome::Accepted(_) => "Accepted",
        Outcome::Declined { .. } => "Declined",
        Outcome::Cancelled => "Dismissed",
        Outcome::Invalid { .. } => "Given up: the replies did not fit the form",
        Outcome::Withdrawn { why } => match why {
            Withdrawal::CallCancelled => "Withdrawn by the agent",
            Withdrawal::Replaced => "Withdrawn: the agent no longer waits for it",
            Withdrawal::AnsweredInHarness => "Answered in the agent's own window",
        },
        outcome => happened(outcome),
    };
    with_circumstances(text.to_owned(), decision)
}

/// A text, followed by who decided, where, and after how long.
fn with_circumstances(mut text: String, decision: &Decision) -> String {
    if let Some(name) = &decision.answered_by {
        let _ = write!(text, " by {}", visible(name));
    }
    if let Some(channel) = decision.channel {
        let place = match channel {
            ChannelKind::Client => " in the client",
            ChannelKind::Url => " at the address that the client opened",
            ChannelKind::Inbox => " on the page",
            ChannelKind::Terminal => " in the terminal",
            ChannelKind::Cli => " from a shell",
            ChannelKind::Preset => " beforehand",
            ChannelKind::Token => " by a program with a token",
            ChannelKind::Author(name) => &format!(" through {name}"),
        };
        text.push_str(place);
    }
    let took = Duration::from_millis(decision.duration_ms);
    let _ = write!(text, ", after {}", duration(took));
    if decision.fast {
        text.push_str(" (faster than a person can read)");
    }
    text
}

/// Gives the reason why it ended so, where a person or a program gave one.
pub fn reason<T>(outcome: &Outcome<T>) -> Option<String> {
    let text = match outcome {
        Outcome::Declined { reason } => reason.clone()?,
        Outcome::Unreachable { why } => why.clone(),
        Outcome::Invalid { errors } => {
            let errors: Vec<_> = errors.iter().map(FieldError::to_string).collect();
            errors.join("; ")
        }
        _ => return None,
    };
    Some(visible(&text).into_owned())
}

/// Gives the exit code of a command whose ask ended with this [status](Outcome::status).
///
/// Only `accepted` is 0. Wrong usage is 2, which no status is.
pub fn exit_code(status: &str) -> u8 {
    match status {
        "accepted" => 0,
        "declined" => 1,
        "cancelled" => 3,
        "timed_out" => 4,
        "unreachable" => 5,
        _ => 6,
    }
}

/// Says a duration in one unit, rounded down: "12 s", "5 min".
pub fn duration(duration: Duration) -> String {
    match (duration.as_secs(), duration.subsec_millis()) {
        (0, millis @ 1..) => format!("{millis} ms"),
        (seconds @ 0..120, _) => format!("{seconds} s"),
        (seconds @ 120..7_200, _) => format!("{} min", seconds / 60),
        (seconds @ 7_200..172_800, _) => format!("{} h", seconds / 3_600),
        (seconds, _) => format!("{} d", seconds / 86_400),
    }
}

/// Gives the first line that is not empty, visible and without Markdown's marks: a title for lists
/// and logs.
pub fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    let line = line.unwrap_or_default().trim_matches(['#', '*', ' ']);
    one_line(&line.replace("**", ""))
}

/// Makes an agent's text one visible line.
pub fn one_line(text: &str) -> String {
    visible(text).replace(['\n', '\r', '\t'], " ")
}

/// Makes a text a sentence: it begins with a capital letter and ends with a full stop.
pub fn sentence(text: &str) -> String {
    let mut sentence = text.trim_end().to_owned();
    if let Some(first) = sentence.get(..1).map(str::to_uppercase) {
        sentence.replace_range(..1, &first);
    }
    if !sentence.ends_with(['.', '?', '!']) {
        sentence.push('.');
    }
    sentence
}

/// Says an error and its causes in one line.
pub fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let _ = write!(text, ": {inner}");
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests;
