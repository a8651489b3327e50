//! Forms on the wire, and answers from it.

use crate::{
    ClientProfile, Field, Form, Kind, NoForm, Revision,
    field::{
        Choice, Choices, DateRange, File, Format, Integer, Link, Number, Pick, Rating, Text, Toggle,
    },
};
use serde_json::{Value, json};

const OLD: Revision = Revision::V2025_06_18;
const NEW: Revision = Revision::V2025_11_25;

/// Checks the properties that a field called `it` becomes.
fn check(client: &str, revision: Revision, field: Field, properties: Value) {
    let form = Form::new().field(field);
    let profile = ClientProfile::for_client(client, None);
    let lowered = form.lower(&profile, revision).unwrap();
    assert_eq!(lowered.schema()["type"], "object");
    // As text, since order counts.
    let got = lowered.schema()["properties"].to_string();
    assert_eq!(got, properties.to_string(), "{client} {revision}");
}

fn it(kind: Kind) -> Field {
    Field::new("it", kind)
}

fn keys() -> Vec<Pick> {
    vec![
        Pick::new("major").description("sounds glad").recommended(),
        Pick::new("minor").label("Minor\u{200b}"),
    ]
}

fn many(other: bool) -> Kind {
    Kind::Choices(Choices {
        options: keys(),
        other,
        min: Some(1),
        max: Some(2),
        default: None,
    })
}

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
        "At work.\nFor example: ada@example.org\nIt must match the pattern .*@example.org";
    let mut property = json!({"it": {
        "type": "string", "minLength": 1, "maxLength": 9, "format": "email",
        "title": "Your⟨U+202E⟩ mail", "description": description,
    }});
    check("any", OLD, mail(), property.clone());
    property["it"]["default"] = json!("me@example.org");
    check("any", NEW, mail(), property);

    let toggle = || {
        it(Kind::Toggle(Toggle {
            default: Some(true),
        }))
    };
    check(
        "any",
        OLD,
        toggle(),
        json!({"it": {"type": "boolean", "default": true}}),
    );
    check(
        "any",
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
        "any",
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
        "any",
        NEW,
        tempo(),
        json!({"it": {
            "type": "number", "minimum": 20, "maximum": 200,
            "description": "In BPM.\nIn steps of 0.5 from 20.", "default": 120,
        }}),
    );
    check(
        "codex-mcp-client",
        NEW,
        tempo(),
        json!({"it": {
            "type": "string", "description": "A number. From 20 to 200 BPM.\nIn steps of 0.5 from 20.", "default": "120",
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
        "any",
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
            "type": "string", "enum": ["1", "2", "3"], "enumNames": ["1 – bad", "2", "3"],
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
        "any",
        OLD,
        plain(),
        json!({"it": {"type": "string", "enum": ["a", "b"]}}),
    );
    check(
        "any",
        NEW,
        plain(),
        json!({"it": {"type": "string", "enum": ["a", "b"]}}),
    );
    check(
        "any",
        OLD,
        one(keys(), false),
        json!({"it": {
            "type": "string", "enum": ["major", "minor"],
            "enumNames": ["major (recommended)", "Minor⟨U+200B⟩"], "description": "major: sounds glad",
        }}),
    );
    check(
        "any",
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
        "any",
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
        "any",
        NEW,
        it(Kind::Choice(setting)),
        json!({"it": {"type": "string", "enum": ["a"], "default": "a"}}),
    );
}

#[test]
fn choices_of_many() {
    check(
        "any",
        NEW,
        it(many(true)),
        json!({
            "it": {
                "type": "array", "maxItems": 2,
                "items": {"anyOf": [
                    {"const": "major", "title": "major (recommended)"},
                    {"const": "minor", "title": "Minor⟨U+200B⟩"},
                ]},
                "description": "major: sounds glad\nChoose 1 to 2.",
            },
            "it_other": {
                "type": "string", "title": "it: other",
                "description": "Anything else, in your own words; leave it empty if there is nothing.",
            },
        }),
    );
    let ticks = json!({
        "it_major": {"type": "boolean", "title": "it: major (recommended)", "description": "Choose 1 to 2.\nsounds glad"},
        "it_minor": {"type": "boolean", "title": "it: Minor⟨U+200B⟩"},
    });
    check("any", OLD, it(many(false)), ticks.clone());
    check("codex-mcp-client", NEW, it(many(false)), ticks);
}

#[test]
fn keys_of_parts_never_collide() {
    let form = Form::new()
        .field(it(many(true)))
        .field(Field::new("it_major", Kind::Confirm))
        .field(Field::new("it_other", Kind::Confirm));
    let lowered = form.lower(&ClientProfile::default(), OLD).unwrap();
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
        let profile = ClientProfile::for_client(client, None);
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
    check("opencode", Form::confirm(), Ok(()));
    check(
        "opencode",
        Form::rating(5),
        Err(NoForm::NotShown {
            fields: vec!["rating".into()],
        }),
    );
    check("any", Form::new(), Ok(()));
    check("codex-mcp-client", Form::new(), Err(NoForm::Empty));
}

/// Checks what the content of a reply is raised to, for a field called `it`.
fn check_raise(client: &str, field: Field, content: Value, answer: Value) {
    let form = Form::new().field(field);
    let lowered = form
        .lower(&ClientProfile::for_client(client, None), NEW)
        .unwrap();
    let raised = lowered.raise(content.as_object().unwrap());
    assert_eq!(Value::Object(raised), answer, "{client} {content}");
}

#[test]
fn what_clients_send() {
    let text = || it(Kind::Text(Text::default()));
    check_raise(
        "any",
        text(),
        json!({"it": "a", "more": 1}),
        json!({"it": "a", "more": 1}),
    );
    check_raise("any", text(), json!({"it": null}), json!({}));
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
            number(),
            json!({"it": sent}),
            json!({"it": raised}),
        );
        check_raise("any", number(), json!({"it": sent}), json!({"it": raised}));
    }
    let toggle = || it(Kind::Toggle(Toggle::default()));
    check_raise("any", toggle(), json!({"it": "true"}), json!({"it": true}));
    check_raise("any", toggle(), json!({"it": "yes"}), json!({"it": "yes"}));
}

#[test]
fn a_decision_is_taken_as_it_came() {
    for sent in [json!("true"), json!("yes"), json!(1), json!([true])] {
        check_raise(
            "any",
            it(Kind::Confirm),
            json!({"it": sent}),
            json!({"it": sent}),
        );
        let ticks = json!({"it_major": sent, "it_minor": false});
        check_raise(
            "codex-mcp-client",
            it(many(false)),
            ticks,
            json!({"it": {}}),
        );
    }
    // Nothing but ticks that are there counts: an empty accept chooses nothing, not even nothing.
    check_raise("codex-mcp-client", it(many(false)), json!({}), json!({}));
    check_raise(
        "codex-mcp-client",
        it(many(false)),
        json!({"it_major": ""}),
        json!({}),
    );
    check_raise(
        "codex-mcp-client",
        it(many(false)),
        json!({"it_major": false}),
        json!({"it": []}),
    );
    check_raise(
        "codex-mcp-client",
        it(many(false)),
        json!({"it": ["major"]}),
        json!({"it": ["major"]}),
    );
    check_raise(
        "codex-mcp-client",
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
        "any",
        one(),
        json!({"it": "other", "it_other": "dorian"}),
        json!({"it": "dorian"}),
    );
    check_raise(
        "any",
        one(),
        json!({"it": "major", "it_other": "dorian"}),
        json!({"it": "major"}),
    );
    check_raise(
        "any",
        one(),
        json!({"it_other": "dorian"}),
        json!({"it": "dorian"}),
    );
    check_raise(
        "any",
        one(),
        json!({"it": "other", "it_other": " "}),
        json!({}),
    );
    check_raise(
        "any",
        one(),
        json!({"it": "other", "it_other": 5}),
        json!({"it": 5}),
    );
    check_raise(
        "any",
        it(many(true)),
        json!({"it": ["major"], "it_other": "dorian"}),
        json!({"it": ["major", "dorian"]}),
    );
    check_raise(
        "any",
        it(many(true)),
        json!({"it": "", "it_other": "dorian"}),
        json!({"it": ["dorian"]}),
    );
    check_raise(
        "any",
        it(many(true)),
        json!({"it": ["major"], "it_other": "major"}),
        json!({"it": ["major"]}),
    );
    check_raise(
        "codex-mcp-client",
        it(many(true)),
        json!({"it_minor": true, "it_other": "dorian"}),
        json!({"it": ["minor", "dorian"]}),
    );
}
