//! Questions of the agent, as a form.

use super::{permission::who_asks, text::title};
use crate::{Incoming, Question, fields::answer_to};
use holdpoint_ask::{
    Ask, Field, Form, Kind,
    field::{Choice, Choices, Pick, Text},
    visible,
};

/// What surfaces call the option for one's own words, which every question has.
const OTHER: &str = "Other…";

pub(super) fn ask(incoming: &Incoming, questions: &[Question]) -> Ask {
    let (heading, first) = match questions {
        [one] => ("The agent has a question", one.text.as_str()),
        [first, ..] => ("The agent has questions", first.text.as_str()),
        [] => ("The agent has questions", ""),
    };
    let message = format!("## {heading}\n\n{}", who_asks(incoming, &incoming.folder));
    let fields = questions.iter().enumerate();
    let form: Form = fields
        .map(|(place, question)| field(place, question))
        .collect();
    Ask::new(message, form).titled(title("Question", first))
}

/// One question. Nothing is chosen beforehand, and own words are always fine.
fn field(place: usize, question: &Question) -> Field {
    let kind = match (options(question), question.many) {
        (options, _) if options.is_empty() => Kind::Text(Text {
            min_length: Some(1),
            multiline: true,
            ..Text::default()
        }),
        (options, false) => Kind::Choice(Choice {
            options,
            other: true,
            ..Choice::default()
        }),
        (options, true) => Kind::Choices(Choices {
            options,
            other: true,
            ..Choices::default()
        }),
    };
    let field = Field::new(answer_to(place), kind).title(visible(&question.text).trim());
    match &question.header {
        Some(header) => field.help(visible(header)),
        None => field,
    }
}

/// The options, each once. The value is what goes back: the label, as the person saw it.
fn options(question: &Question) -> Vec<Pick> {
    let mut picks: Vec<Pick> = Vec::new();
    for option in &question.options {
        let label = visible(&option.label);
        let label = label.trim();
        if label == OTHER || picks.iter().any(|pick| pick.value == label) {
            continue;
        }
        let pick = Pick::new(label);
        picks.push(match &option.description {
            Some(description) => pick.description(visible(description)),
            None => pick,
        });
    }
    picks
}
