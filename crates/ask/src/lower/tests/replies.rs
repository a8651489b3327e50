//! What comes back from a client that selects nothing by itself.

use super::*;
use crate::field::{Choice, Number, Text, Toggle};
use serde_json::json;

#[test]
fn what_clients_send() {
    let text = || it(Kind::Text(Text::default()));
    check_raise(
        "mcpdo",
        NEW,
        text(),
        json!({"it": "a", "more": 1}),
        json!({"it": "a", "more": 1}),
    );
    check_raise("mcpdo", NEW, text(), json!({"it": null}), json!({}));
    let number = || it(Kind::Number(Number::default()));
    for (sent, raised) in [
        (json!("120"), json!(120)),
        (json!(" 120 "), json!(120)),
        (json!("1e2"), json!(100.0)),
        (json!("nan"), json!("nan")),
        (json!("inf"), json!("inf")),
        (json!("1e999"), json!("1e999")),
        (json!("many"), json!("many")),
        (json!(""), json!("")),
        (json!(true), json!(true)),
    ] {
        check_raise(
            "codex-mcp-client",
            NEW,
            number(),
            json!({"it": sent}),
            json!({"it": raised}),
        );
        check_raise(
            "mcpdo",
            NEW,
            number(),
            json!({"it": sent}),
            json!({"it": raised}),
        );
    }
    let toggle = || it(Kind::Toggle(Toggle::default()));
    check_raise(
        "mcpdo",
        NEW,
        toggle(),
        json!({"it": "true"}),
        json!({"it": true}),
    );
    check_raise(
        "mcpdo",
        NEW,
        toggle(),
        json!({"it": "yes"}),
        json!({"it": "yes"}),
    );
}

#[test]
fn a_decision_is_taken_as_it_came() {
    for sent in [json!("true"), json!("yes"), json!(1), json!([true])] {
        check_raise(
            "mcpdo",
            NEW,
            it(Kind::Confirm),
            json!({"it": sent}),
            json!({"it": sent}),
        );
        let ticks = json!({"it_major": sent, "it_minor": false});
        check_raise("mcpdo", OLD, it(many(false)), ticks, json!({"it": {}}));
    }
    // Nothing but ticks that are there counts: an empty accept chooses nothing, not even nothing.
    check_raise("mcpdo", OLD, it(many(false)), json!({}), json!({}));
    check_raise(
        "mcpdo",
        OLD,
        it(many(false)),
        json!({"it_major": ""}),
        json!({}),
    );
    check_raise(
        "mcpdo",
        OLD,
        it(many(false)),
        json!({"it_major": false}),
        json!({"it": []}),
    );
    check_raise(
        "mcpdo",
        OLD,
        it(many(false)),
        json!({"it": ["major"]}),
        json!({"it": ["major"]}),
    );
    check_raise(
        "mcpdo",
        OLD,
        it(many(false)),
        json!({"it": ["major"], "it_minor": true}),
        json!({"it": {}}),
    );
}

#[test]
fn words_of_the_persons_own() {
    let one = || {
        it(Kind::Choice(Choice {
            options: keys(),
            other: true,
            default: None,
            enum_names: false,
        }))
    };
    check_raise(
        "mcpdo",
        NEW,
        one(),
        json!({"it": "other", "it_other": "dorian"}),
        json!({"it": "dorian"}),
    );
    check_raise(
        "mcpdo",
        NEW,
        one(),
        json!({"it": "major", "it_other": "dorian"}),
        json!({"it": "major"}),
    );
    check_raise(
        "mcpdo",
        NEW,
        one(),
        json!({"it_other": "dorian"}),
        json!({"it": "dorian"}),
    );
    check_raise(
        "mcpdo",
        NEW,
        one(),
        json!({"it": "other", "it_other": " "}),
        json!({}),
    );
    check_raise(
        "mcpdo",
        NEW,
        one(),
        json!({"it": "other", "it_other": 5}),
        json!({"it": 5}),
    );
    check_raise(
        "mcpdo",
        NEW,
        it(many(true)),
        json!({"it": ["major"], "it_other": "dorian"}),
        json!({"it": ["major", "dorian"]}),
    );
    check_raise(
        "mcpdo",
        NEW,
        it(many(true)),
        json!({"it": "", "it_other": "dorian"}),
        json!({"it": ["dorian"]}),
    );
    check_raise(
        "mcpdo",
        NEW,
        it(many(true)),
        json!({"it": ["major"], "it_other": "major"}),
        json!({"it": ["major"]}),
    );
    check_raise(
        "mcpdo",
        OLD,
        it(many(true)),
        json!({"it_minor": true, "it_other": "dorian"}),
        json!({"it": ["minor", "dorian"]}),
    );
}
