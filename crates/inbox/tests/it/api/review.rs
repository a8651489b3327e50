//! What an ask shows for a review: outline, diffs, rounds.

use super::stand::*;
use holdpoint::{
    Ask, AskId, ChannelKind, Desk, Form, Origin, Reply, Review,
    field::{Ending, Pick},
};
use holdpoint_ask::review::{Comment, EditableText, Place, Round};
use serde_json::{Value, json};

/// An ask about a plan, with two endings.
fn plan(text: &str) -> Ask {
    let pick = |value: &str, ending: Ending| {
        let mut pick = Pick::from(value);
        pick.ending = Some(Box::new(ending));
        pick
    };
    let form = Form::choice([
        pick("approve", Ending::go("Approve", "Approved")),
        pick(
            "change",
            Ending::hold("Request changes", "Changes requested"),
        ),
    ]);
    let form = form.field(
        holdpoint::Field::new("notes", holdpoint::Kind::Text(Default::default())).optional(),
    );
    Ask::new("Approve the plan?", form)
        .titled("Plan “auth”")
        .details(text)
}
