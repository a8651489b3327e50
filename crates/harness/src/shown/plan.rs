//! A plan, to be reviewed.

use super::{
    permission::{said, who_asks, with_danger},
    text::{code, one_line, title},
};
use crate::{
    Incoming, Plan,
    fields::{APPROVE, DECISION, FEEDBACK, REQUEST_CHANGES},
};
use holdpoint_ask::{
    Ask, Field, Form, Kind,
    describe::first_line,
    field::{Choice, Ending, Pick, Text},
    markdown::contained,
    review::{EditableText, MAX_EDITED},
    visible,
};
use holdpoint_policy::Ruling;
use serde_json::Value;

pub(super) fn ask(incoming: &Incoming, plan: &Plan, ruling: &Ruling) -> Ask {
    let mut message = vec![
        "## Approve this plan?".to_owned(),
        who_asks(incoming, &incoming.folder),
    ];
    message.extend(wishes(plan));
    if let Some(file) = &plan.file {
        message.push(format!("Its file is {}.", code(file)));
    }
    if ruling.danger {
        message.push(said(ruling));
    }
    let ask = Ask::new(message.join("\n\n"), form())
        .details(contained(&visible(&plan.text)))
        .titled(title("Approve the plan", &first_line(&plan.text)));
    let ask = if plan.text.len() <= MAX_EDITED {
        ask.editable(EditableText::field("plan", "Plan", &plan.text))
    } else {
        ask
    };
    with_danger(ask, ruling)
}

/// What the agent would like to be allowed with the plan.
fn wishes(plan: &Plan) -> Option<String> {
    let wishes = plan.input.get("allowedPrompts")?.as_array()?;
    let lines = wishes.iter().map(|wish| {
        let text = |key: &str| wish.get(key).and_then(Value::as_str).unwrap_or_default();
        format!("- {}: {}", code(text("tool")), one_line(text("prompt")))
    });
    let lines: Vec<_> = lines.collect();
    (!lines.is_empty()).then(|| {
        format!(
            "It would like to do this without asking, which your approval does **not** allow:\n\n{}",
            lines.join("\n")
        )
    })
}

fn form() -> Form {
    let decision = Choice {
        options: vec![
            Pick::new(APPROVE)
                .label("Approve")
                .ending(Ending::go("Approve", "Approved")),
            Pick::new(REQUEST_CHANGES)
                .label("Request changes")
                .ending(Ending::hold("Request changes", "Changes requested").wants(FEEDBACK)),
        ],
        ..Choice::default()
    };
    let feedback = Text {
        max_length: Some(10_000),
        multiline: true,
        ..Text::default()
    };
    Form::new()
        .field(Field::new(DECISION, Kind::Choice(decision)).title("Your decision"))
        .field(
            Field::new(FEEDBACK, Kind::Text(feedback))
                .title("Feedback")
                .help("What should change, or what the agent should bear in mind.")
                .optional(),
        )
}
