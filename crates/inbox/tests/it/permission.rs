//! A permission prompt of a harness, as the hook puts it: a yes to it can be remembered.

use holdpoint::{
    Ask, Field, Form, Kind, Origin,
    field::{Choice, Ending, Pick, Text},
    remember::{OfferedScope, Remember},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What can be remembered: the value, the label, the workspace, the session, and for how many seconds.
type Scope = (
    &'static str,
    &'static str,
    Option<&'static str>,
    Option<&'static str>,
    Option<u64>,
);

const SCOPES: [Scope; 3] = [
    (
        "session exactly",
        "Exactly this, in this session",
        Some("/home/ann/shop"),
        Some("s1"),
        Some(604_800),
    ),
    (
        "workspace pattern",
        "`git push` with any arguments, in this workspace, until revoked",
        Some("/home/ann/shop"),
        None,
        None,
    ),
    (
        "always pattern",
        "`git push` with any arguments, everywhere, until revoked",
        None,
        None,
        None,
    ),
];

/// May this command run?
pub fn permission(command: &str) -> Ask {
    let decision = Choice {
        options: vec![
            Pick::new("allow")
                .label("Allow once")
                .ending(Ending::go("Allow once", "Allowed")),
            Pick::new("deny")
                .label("Deny")
                .ending(Ending::hold("Deny", "Denied").wants("reason")),
        ],
        ..Choice::default()
    };
    let scopes = Choice {
        options: SCOPES
            .iter()
            .map(|(value, label, ..)| {
                Pick::new(*value)
                    .label(*label)
                    .description("It would have allowed lately: git push origin old")
            })
            .collect(),
        ..Choice::default()
    };
    let reason = Field::new("reason", Kind::Text(Text::default())).title("Reason");
    let remember = Field::new("remember", Kind::Choice(scopes)).title("Remember this answer");
    let form = Form::new()
        .field(Field::new("decision", Kind::Choice(decision)))
        .field(reason.optional())
        .field(
            remember
                .help("With a yes only. Left empty, it is allowed this once.")
                .optional(),
        );
    let offered: BTreeMap<_, _> = SCOPES
        .iter()
        .map(|(value, _, workspace, session, seconds)| {
            let scope = json!({ "covers": value, "holder": { "workspace": workspace, "session": session } });
            let seconds = *seconds;
            ((*value).to_owned(), OfferedScope { scope, seconds })
        })
        .collect();
    Ask::new(
        format!("## Run this command?\n\n```sh\n{command}\n```"),
        form,
    )
    .titled(format!("Run: {command}"))
    .in_person()
    .remember(Remember {
        field: "remember".into(),
        scopes: offered,
    })
}

/// A yes that has this remembered.
pub fn yes(remember: &str) -> Value {
    json!({ "decision": "allow", "remember": remember })
}

/// Claude Code, in a shop.
pub fn harness() -> Origin {
    Origin {
        principal: "local".into(),
        server: Some("holdpoint".into()),
        client: Some("Claude Code".into()),
        client_name: Some("claude".into()),
        tool: Some("Bash".into()),
        workspace: Some("/home/ann/shop".into()),
    }
}
