//! Fields as a client gets them that selects nothing by itself.

use super::*;
use crate::{
    NoForm,
    field::{Choice, DateRange, File, Format, Integer, Link, Number, Rating, Text, Toggle},
};
use serde_json::json;

#[test]
fn texts_and_booleans() {
    let rules = Text {
        min_length: Some(1),
        max_length: Some(9),
        format: Some(Format::Email),
        pattern: Some(".*@example.org".into()),
        placeholder: Some("ada@example.org".into()),
        default: Some("me@example.org".into()),
        ..Text::default()
    };
    let mail = || {
        it(Kind::Text(rules.clone()))
            .title("Your\u{202e} mail")
            .help("At work.")
    };
    let description =
        "At work. · For example: ada@example.org · It must match the pattern .*@example.org";
    let mut property = json!({"it": {
        "type": "string", "minLength": 1, "maxLength": 9, "format": "email",
        "title": "Your⟨U+202E⟩ mail", "description": description,
    }});
    check("mcpdo", OLD, mail(), property.clone());
    property["it"]["default"] = json!("me@example.org");
    check("mcpdo", NEW, mail(), property);

    // An empty default only says that it may stay empty.
    let empty = || {
        it(Kind::Text(Text {
            default: Some(String::new()),
            ..Text::default()
        }))
    };
    let started = json!({"it": {"type": "string", "default": ""}});
    for client in ["mcpdo", "claude-code", "nobody knows me"] {
        check(client, NEW, empty().optional(), started.clone());
        check(
            client,
            OLD,
            empty().optional(),
            json!({"it": {"type": "string"}}),
        );
        check(client, NEW, empty(), json!({"it": {"type": "string"}}));
    }
    let dash = json!({"it": {"type": "string", "description": "Type - to leave it empty."}});
    check("codex-mcp-client", NEW, empty().optional(), dash);

    let lines = |min_lines, max_lines, said: &str| {
        let lines = it(Kind::Text(Text {
            multiline: true,
            min_lines,
            max_lines,
            ..Text::default()
        }));
        let property = json!({"it": {"type": "string", "description": said}});
        check("mcpdo", NEW, lines.help("One per line."), property);
    };
    lines(None, None, "One per line.");
    lines(Some(1), None, "One per line. · At least 1 line.");
    lines(None, Some(5), "One per line. · At most 5 lines.");
    lines(Some(2), Some(5), "One per line. · From 2 to 5 lines.");
    lines(Some(3), Some(3), "One per line. · Exactly 3 lines.");

    let toggle = || {
        it(Kind::Toggle(Toggle {
            default: Some(true),
        }))
    };
    check(
        "mcpdo",
        OLD,
        toggle(),
        json!({"it": {"type": "boolean", "default": true}}),
    );
    check(
        "mcpdo",
        NEW,
        it(Kind::Confirm),
        json!({"it": {"type": "boolean"}}),
    );
    let day = || {
        it(Kind::Date(DateRange {
            min: Some("2026-01-01".into()),
            ..DateRange::default()
        }))
    };
    check(
        "mcpdo",
        NEW,
        day(),
        json!({"it": {"type": "string", "format": "date", "description": "2026-01-01 or later."}}),
    );
}

#[test]
fn numbers() {
    let rules = Number {
        min: Some(20.0),
        max: Some(200.0),
        step: Some(0.5),
        unit: Some("BPM".into()),
        default: Some(120.0),
    };
    let tempo = || it(Kind::Number(rules.clone()));
    check(
        "mcpdo",
        NEW,
        tempo(),
        json!({"it": {
            "type": "number", "minimum": 20, "maximum": 200,
            "description": "In BPM. · In steps of 0.5 from 20.", "default": 120,
        }}),
    );
    check(
        "codex-mcp-client",
        NEW,
        tempo(),
        json!({"it": {
            "type": "string", "description": "A number. From 20 to 200 BPM. · In steps of 0.5 from 20.", "default": "120",
        }}),
    );
    let any = || it(Kind::Integer(Integer::default()));
    check(
        "codex-mcp-client",
        OLD,
        any(),
        json!({"it": {"type": "string", "description": "A whole number."}}),
    );
    let stars = || {
        it(Kind::Rating(Rating {
            max: 3,
            low_label: Some("bad".into()),
            high_label: None,
        }))
    };
    check(
        "mcpdo",
        OLD,
        stars(),
        json!({"it": {
            "type": "integer", "minimum": 1, "maximum": 3, "description": "From 1 (bad) to 3.",
        }}),
    );
    check(
        "codex-mcp-client",
        OLD,
        stars(),
        json!({"it": {
            "type": "string", "enum": ["Not decided yet", "1", "2", "3"],
            "enumNames": ["Not decided yet", "1 – bad", "2", "3"],
        }}),
    );
}

#[test]
fn choices_of_one() {
    let one = |options, other| {
        it(Kind::Choice(Choice {
            options,
            other,
            default: None,
            enum_names: false,
        }))
    };
    let plain = || one(vec!["a".into(), "b".into()], false);
    check(
        "mcpdo",
        OLD,
        plain(),
        json!({"it": {"type": "string", "enum": ["a", "b"]}}),
    );
    check(
        "mcpdo",
        NEW,
        plain(),
        json!({"it": {"type": "string", "enum": ["a", "b"]}}),
    );
    check(
        "mcpdo",
        OLD,
        one(keys(), false),
        json!({"it": {
            "type": "string", "enum": ["major", "minor"],
            "enumNames": ["major (recommended)", "Minor⟨U+200B⟩"], "description": "major: sounds glad",
        }}),
    );
    check(
        "mcpdo",
        NEW,
        one(keys(), false),
        json!({"it": {
            "type": "string",
            "oneOf": [
                {"const": "major", "title": "major (recommended)"},
                {"const": "minor", "title": "Minor⟨U+200B⟩"},
            ],
            "description": "major: sounds glad",
        }}),
    );
    check(
        "mcpdo",
        OLD,
        one(vec!["a".into(), "other".into()], true),
        json!({
            "it": {"type": "string", "enum": ["a", "other", "other_"], "enumNames": ["a", "other", "Other…"]},
            "it_other": {
                "type": "string", "title": "it: other",
                "description": "In your own words. Used only if “Other…” is chosen above.",
            },
        }),
    );
    let setting = Choice {
        options: vec!["a".into()],
        other: false,
        default: Some("a".into()),
        enum_names: false,
    };
    check(
        "mcpdo",
        NEW,
        it(Kind::Choice(setting)),
        json!({"it": {"type": "string", "enum": ["a"], "default": "a"}}),
    );
}

#[test]
fn choices_of_many() {
    check(
        "mcpdo",
        NEW,
        it(many(true)),
        json!({
            "it": {
                "type": "array", "maxItems": 2,
                "items": {"anyOf": [
                    {"const": "major", "title": "major (recommended)"},
                    {"const": "minor", "title": "Minor⟨U+200B⟩"},
                ]},
                "description": "major: sounds glad · Choose 1 to 2.",
            },
            "it_other": {
                "type": "string", "title": "it: other",
                "description": "Anything else, in your own words; leave it empty if there is nothing.",
            },
        }),
    );
    let ticks = json!({
        "it_major": {"type": "boolean", "title": "it: major (recommended)", "description": "Choose 1 to 2. · sounds glad"},
        "it_minor": {"type": "boolean", "title": "it: Minor⟨U+200B⟩"},
    });
    check("mcpdo", OLD, it(many(false)), ticks);
}

#[test]
fn keys_of_parts_never_collide() {
    let form = Form::new()
        .field(it(many(true)))
        .field(Field::new("it_major", Kind::Confirm))
        .field(Field::new("it_other", Kind::Confirm));
    let lowered = form
        .lower(&ClientProfile::for_client("mcpdo"), OLD)
        .unwrap();
    let keys: Vec<_> = lowered.schema()["properties"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(
        keys,
        ["it_major_", "it_minor", "it_other_", "it_major", "it_other"]
    );
}

#[test]
fn no_form() {
    let check = |client: &str, form: Form, expected: Result<(), NoForm>| {
        let profile = ClientProfile::for_client(client);
        assert_eq!(form.lower(&profile, NEW).map(drop), expected, "{client}");
    };
    let mixed = Form::confirm()
        .field(Field::new("key", Kind::Secret))
        .field(Field::new("photo", Kind::File(File::default())))
        .field(Field::new(
            "page",
            Kind::Link(Link {
                url: "https://example.org".into(),
            }),
        ));
    let fields = vec!["key".into(), "photo".into(), "page".into()];
    check("any", mixed, Err(NoForm::Unsendable { fields }));
    check("any", Form::new(), Ok(()));
    check("codex-mcp-client", Form::new(), Err(NoForm::Empty));
}
