//! What a client gets that selects for the person: an untouched form is no answer.

use super::*;
use crate::{
    NoForm,
    field::{Choice, Rating, Toggle},
};
use serde_json::json;

const CODEX: &str = "codex-mcp-client";
const VS_CODE: &str = "Visual Studio Code";
/// Clients that select the first option, or yes.
const PRESELECTING: [&str; 5] = [
    "nobody knows me",
    VS_CODE,
    CODEX,
    "copilot-cli",
    "fast-agent-mcp-client",
];
/// Clients that select nothing.
const EMPTY: [&str; 2] = ["claude-code", "mcpdo"];
const BOTH: [Revision; 2] = [OLD, NEW];

fn one(options: Vec<Pick>, other: bool, default: Option<&str>) -> Kind {
    Kind::Choice(Choice {
        options,
        other,
        default: default.map(str::to_owned),
        enum_names: false,
    })
}

/// Two options without labels, of which some may be chosen.
fn some() -> Kind {
    Form::choices(["a", "b"]).fields.remove(0).kind
}

#[test]
fn a_confirm() {
    for revision in BOTH {
        for client in PRESELECTING {
            let words = json!({"it": {"type": "string", "enum": ["Not decided yet", "Yes", "No"]}});
            check(client, revision, it(Kind::Confirm), words);
            for (sent, raised) in [
                (json!("Yes"), json!({"it": true})),
                (json!("No"), json!({"it": false})),
                (json!("Not decided yet"), json!({})),
                (json!(""), json!({})),
                (json!(null), json!({})),
                // None of these was offered.
                (json!(true), json!({"it": {}})),
                (json!(false), json!({"it": {}})),
                (json!("yes"), json!({"it": {}})),
                (json!(" Yes"), json!({"it": {}})),
                (json!("true"), json!({"it": {}})),
                (json!("confirm"), json!({"it": {}})),
                (json!(["Yes"]), json!({"it": {}})),
                (json!(1), json!({"it": {}})),
            ] {
                let content = json!({"it": sent});
                check_raise(client, revision, it(Kind::Confirm), content, raised);
            }
        }
        for client in EMPTY {
            let boolean = json!({"it": {"type": "boolean"}});
            check(client, revision, it(Kind::Confirm), boolean);
            let words = json!({"it": "Yes"});
            check_raise(client, revision, it(Kind::Confirm), words.clone(), words);
        }
    }
}

#[test]
fn a_choice_of_one() {
    let plain = || it(one(vec!["a".into(), "b".into()], false, None));
    for revision in BOTH {
        for client in PRESELECTING {
            let listed = json!({"it": {"type": "string", "enum": ["Not decided yet", "a", "b"]}});
            check(client, revision, plain(), listed);
            let nothing = json!({"it": "Not decided yet"});
            check_raise(client, revision, plain(), nothing, json!({}));
            check_raise(
                client,
                revision,
                plain(),
                json!({"it": "b"}),
                json!({"it": "b"}),
            );
        }
        for client in EMPTY {
            let listed = json!({"it": {"type": "string", "enum": ["a", "b"]}});
            check(client, revision, plain(), listed);
        }
    }
    let labelled = || it(one(keys(), true, None));
    let own = json!({
        "type": "string", "title": "it: other",
        "description": "In your own words. Used only if “Other…” is chosen above.",
    });
    check(
        "nobody knows me",
        NEW,
        labelled(),
        json!({
            "it": {
                "type": "string",
                "oneOf": [
                    {"const": "Not decided yet", "title": "Not decided yet"},
                    {"const": "major", "title": "major (recommended)"},
                    {"const": "minor", "title": "Minor⟨U+200B⟩"},
                    {"const": "other", "title": "Other…"},
                ],
                "description": "major: sounds glad",
            },
            "it_other": own,
        }),
    );
    // VS Code shows what is sent before its label: the label is sent.
    for revision in BOTH {
        check(
            VS_CODE,
            revision,
            labelled(),
            json!({
                "it": {
                    "type": "string",
                    "enum": ["Not decided yet", "major (recommended)", "Minor⟨U+200B⟩", "Other…"],
                    "description": "major: sounds glad",
                },
                "it_other": own,
            }),
        );
    }
    // Codex cannot leave a line for one's own words empty: there is none.
    check(
        CODEX,
        OLD,
        labelled(),
        json!({"it": {
            "type": "string", "enum": ["Not decided yet", "major", "minor"],
            "enumNames": ["Not decided yet", "major (recommended)", "Minor⟨U+200B⟩"],
            "description": "major: sounds glad · For an answer of your own, answer it in the inbox.",
        }}),
    );
    for (client, sent, raised) in [
        (
            VS_CODE,
            json!({"it": "Minor⟨U+200B⟩"}),
            json!({"it": "minor"}),
        ),
        (
            VS_CODE,
            json!({"it": "Other…", "it_other": "dorian"}),
            json!({"it": "dorian"}),
        ),
        // What stands beside an undecided choice does not decide it.
        (
            VS_CODE,
            json!({"it": "Not decided yet", "it_other": "dorian"}),
            json!({}),
        ),
        (
            "copilot-cli",
            json!({"it": "other", "it_other": "dorian"}),
            json!({"it": "dorian"}),
        ),
    ] {
        check_raise(client, NEW, labelled(), sent, raised);
    }
}

#[test]
fn an_option_that_looks_like_no_decision() {
    let lures = || {
        it(one(
            vec![
                Pick::new("approve").label("Not decided yet"),
                Pick::new("Not decided yet_").label("Approve"),
            ],
            false,
            None,
        ))
    };
    check(
        "nobody knows me",
        OLD,
        lures(),
        json!({"it": {
            "type": "string",
            "enum": ["Not decided yet__", "approve", "Not decided yet_"],
            "enumNames": ["Not decided yet__", "Not decided yet", "Approve"],
        }}),
    );
    for client in PRESELECTING {
        for revision in BOTH {
            let untouched = json!({"it": "Not decided yet__"});
            check_raise(client, revision, lures(), untouched, json!({}));
        }
    }
    // Labels that are the values of others come back as what was shown.
    let crossed = || {
        it(one(
            vec![Pick::new("a").label("b"), Pick::new("b").label("a")],
            false,
            None,
        ))
    };
    check_raise(
        VS_CODE,
        NEW,
        crossed(),
        json!({"it": "a"}),
        json!({"it": "b"}),
    );
}

#[test]
fn a_setting_keeps_its_default() {
    let setting = || it(one(vec!["a".into(), "b".into()], false, Some("b")));
    for client in PRESELECTING {
        // The first version has no default for it, so what is selected stands first.
        let first = json!({"it": {"type": "string", "enum": ["b", "a"]}});
        check(client, OLD, setting(), first);
        let filled = json!({"it": {"type": "string", "enum": ["a", "b"], "default": "b"}});
        check(client, NEW, setting(), filled);
        for revision in BOTH {
            let toggle = |default| it(Kind::Toggle(Toggle { default }));
            for (default, lowered) in [(None, false), (Some(false), false), (Some(true), true)] {
                let lowered = json!({"it": {"type": "boolean", "default": lowered}});
                check(client, revision, toggle(default), lowered);
            }
        }
    }
    let toggle = it(Kind::Toggle(Toggle::default()));
    check("mcpdo", NEW, toggle, json!({"it": {"type": "boolean"}}));
    let labelled = it(one(keys(), false, Some("minor")));
    let lowered = json!({"it": {
        "type": "string", "enum": ["major (recommended)", "Minor⟨U+200B⟩"],
        "description": "major: sounds glad", "default": "Minor⟨U+200B⟩",
    }});
    check(VS_CODE, NEW, labelled, lowered);
}

#[test]
fn a_choice_of_many() {
    // It selects the first option of one, and none of many.
    let none = json!({"it": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}});
    check(VS_CODE, NEW, it(some()), none);
    check_raise(VS_CODE, NEW, it(some()), json!({"it": []}), json!({}));
    for client in ["nobody knows me", "copilot-cli"] {
        check(
            client,
            NEW,
            it(some()),
            json!({"it": {
                "type": "array",
                "items": {"type": "string", "enum": ["Not decided yet", "a", "b"]},
            }}),
        );
        for (sent, raised) in [
            (json!(["b"]), json!({"it": ["b"]})),
            (json!([]), json!({})),
            (json!(["Not decided yet"]), json!({})),
            (json!("Not decided yet"), json!({})),
            // All that there is was selected for the person.
            (json!(["Not decided yet", "a", "b"]), json!({})),
            (json!("a"), json!({"it": "a"})),
        ] {
            check_raise(client, NEW, it(some()), json!({"it": sent}), raised);
        }
    }
    check_raise(
        "mcpdo",
        NEW,
        it(some()),
        json!({"it": []}),
        json!({"it": []}),
    );
    let labels = json!({"it": ["Minor⟨U+200B⟩"], "it_other": "dorian"});
    let raised = json!({"it": ["minor", "dorian"]});
    check_raise(VS_CODE, NEW, it(many(true)), labels, raised);
}

#[test]
fn ticks() {
    let words = |[first, second]: [&str; 2]| {
        json!({
            first: {"type": "string", "enum": ["No", "Yes"], "title": "it: a"},
            second: {"type": "string", "enum": ["No", "Yes"], "title": "it: b"},
        })
    };
    for client in PRESELECTING.into_iter().filter(|client| *client != CODEX) {
        check(client, OLD, it(some()), words(["it_a", "it_b"]));
    }
    for revision in BOTH {
        // It sorts them, and the help of them all is with the first.
        check(CODEX, revision, it(some()), words(["it_01_a", "it_02_b"]));
    }
    for (sent, raised) in [
        (json!({"it_a": "No", "it_b": "Yes"}), json!({"it": ["b"]})),
        (json!({"it_b": "Yes"}), json!({"it": ["b"]})),
        (json!({"it_a": "No", "it_b": "No"}), json!({})),
        (json!({"it_a": "", "it_b": null}), json!({})),
        (json!({"it_a": true, "it_b": "No"}), json!({"it": {}})),
        (json!({"it_a": true, "it_b": true}), json!({"it": {}})),
        (
            json!({"it_a": "Not decided yet", "it_b": "Yes"}),
            json!({"it": {}}),
        ),
        // Nobody was asked so.
        (json!({"it": ["a"]}), json!({"it": {}})),
    ] {
        check_raise("nobody knows me", OLD, it(some()), sent, raised);
    }
    check_raise(
        "nobody knows me",
        OLD,
        it(many(true)),
        json!({"it_major": "No", "it_minor": "No", "it_other": "dorian"}),
        json!({"it": ["dorian"]}),
    );
}

#[test]
fn a_rating_as_a_choice() {
    let rating = || {
        it(Kind::Rating(Rating {
            max: 3,
            ..Rating::default()
        }))
    };
    let listed = json!({"it": {"type": "string", "enum": ["Not decided yet", "1", "2", "3"]}});
    for revision in BOTH {
        check(CODEX, revision, rating(), listed.clone());
        let nothing = json!({"it": "Not decided yet"});
        check_raise(CODEX, revision, rating(), nothing, json!({}));
        check_raise(
            CODEX,
            revision,
            rating(),
            json!({"it": "2"}),
            json!({"it": 2}),
        );
    }
}

#[test]
fn a_form_without_fields() {
    for client in PRESELECTING {
        let lowered = Form::new().lower(&ClientProfile::for_client(client), NEW);
        let expected = match client {
            CODEX => Err(NoForm::Empty),
            _ => Ok(()),
        };
        assert_eq!(lowered.map(drop), expected, "{client}");
    }
}
