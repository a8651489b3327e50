//! A permission prompt of a harness, as the hook asks it.

use holdpoint::{
    Ask, Field, Form, Kind,
    field::{Choice, Ending, Pick, Text},
    remember::{OfferedScope, Remember},
};
use serde_json::json;

/// What can be remembered: the value, what people see, the workspace, the session, and for how many seconds.
type Scope = (
    &'static str,
    &'static str,
    Option<&'static str>,
    Option<&'static str>,
    Option<u64>,
);

const SHOP: Option<&str> = Some("/home/ann/shop");

const SCOPES: [Scope; 5] = [
    (
        "session exactly",
        "Exactly this, in this session",
        SHOP,
        Some("1"),
        Some(604_800),
    ),
    (
        "session pattern Bash(git push *)",
        "`git push` with any arguments, in this session",
        SHOP,
        Some("1"),
        Some(604_800),
    ),
    (
        "30m pattern Bash(git push *)",
        "`git push` with any arguments, for 30 minutes",
        SHOP,
        None,
        Some(1_800),
    ),
    (
        "workspace pattern Bash(git push *)",
        "`git push` with any arguments, in this workspace, until revoked",
        SHOP,
        None,
        None,
    ),
    (
        "always pattern Bash(git push *)",
        "`git push` with any arguments, everywhere, until revoked",
        None,
        None,
        None,
    ),
];

/// May this command run?
pub fn ask(command: &str) -> Ask {
    let parts: Vec<_> = command
        .split(" && ")
        .map(|part| format!("- `{part}`: asked about by default: no rule is about it"))
        .collect();
    let details = format!(
        "**Its parts**\n\n{}\n\n**What your rules say**\n\n- No rule speaks of it: you are asked by default",
        parts.join("\n")
    );
    let message = format!(
        "## Run this command?\n\n**Claude Code** asks, in `/home/ann/shop`.\n\n```sh\n{command}\n```"
    );
    let scopes = SCOPES.map(|(value, _, workspace, session, seconds)| {
        let holder = json!({ "workspace": workspace, "session": session });
        let scope = json!({ "covers": value, "holder": holder });
        (value.to_owned(), OfferedScope { scope, seconds })
    });
    Ask::new(message, form())
        .details(details)
        .titled(format!("Run: {command}"))
        .in_person()
        .remember(Remember {
            field: "remember".into(),
            scopes: scopes.into(),
        })
}

fn form() -> Form {
    let decision = Choice {
        options: vec![
            Pick::new("allow").ending(Ending::go("Allow once", "Allowed")),
            Pick::new("deny").ending(Ending::hold("Deny", "Denied").wants("reason")),
        ],
        ..Choice::default()
    };
    let scope = |(value, label, ..): Scope| {
        Pick::new(value)
            .label(label)
            .description("It would have allowed lately: git push origin login · git push --tags")
    };
    let scopes = Choice {
        options: SCOPES.map(scope).to_vec(),
        ..Choice::default()
    };
    let reason = Field::new("reason", Kind::Text(Text::default())).title("Reason");
    let remember = Field::new("remember", Kind::Choice(scopes)).title("Remember this answer");
    Form::new()
        .field(Field::new("decision", Kind::Choice(decision)).title("Your decision"))
        .field(reason.optional())
        .field(
            remember
                .help("With a yes only. Left empty, it is allowed this once.")
                .optional(),
        )
}
