//! Asks on the wire: titles, danger, several fields, and what is asked again.

use super::*;
use crate::{
    Ask, NoForm,
    field::{Choice, Integer, Text, Toggle},
};
use serde_json::json;

const CODEX: &str = "codex-mcp-client";

/// Checks the properties that an ask becomes, in every version.
fn check_ask(client: &str, ask: &Ask, properties: Value) {
    for revision in Revision::ALL {
        check_again(client, revision, ask, json!({}), properties.clone());
    }
}

/// Checks the properties that an ask becomes when this was valid in a reply before.
fn check_again(client: &str, revision: Revision, ask: &Ask, kept: Value, properties: Value) {
    let profile = ClientProfile::for_client(client);
    let lowered = ask.lower(&profile, revision, kept.as_object()).unwrap();
    let got = lowered.schema()["properties"].to_string();
    assert_eq!(got, properties.to_string(), "{client} {revision}");
}

#[test]
fn a_confirm_asks_the_question() {
    let check = |ask: Ask, title: Option<&str>| {
        let lowered = ask.lower(&ClientProfile::for_client("mcpdo"), NEW, None);
        let schema = lowered.unwrap().schema().clone();
        let got = schema["properties"]["confirmed"].get("title");
        assert_eq!(got, title.map(Value::from).as_ref(), "{}", ask.message);
    };
    check(
        Ask::confirm("## Deploy **now**?\n\nAll of it."),
        Some("Deploy now?"),
    );
    check(
        Ask::confirm("Pay\u{202e}?\u{1b}"),
        Some("Pay⟨U+202E⟩?⟨U+001B⟩"),
    );
    check(Ask::confirm("x".repeat(121)), Some("Yes or no?"));
    check(Ask::confirm("***"), Some("Yes or no?"));
    let mut titled = Ask::confirm("Deploy?");
    titled.form.fields[0].title = Some("To\nproduction?".into());
    check(titled, Some("To production?"));
    // Two of the same title could not be told apart.
    let mut two = Ask::confirm("Go on?");
    two.form.fields.push(Field::new("drop_it", Kind::Confirm));
    check(two, None);
}

#[test]
fn what_is_dangerous_says_so_first() {
    let mut ask = Ask::confirm("Drop it?")
        .dangerous()
        .consequence("All of it\nis gone.");
    ask.form.fields[0].help = Some("Quite harmless.".into());
    check_ask(
        "mcpdo",
        &ask,
        json!({"confirmed": {
            "type": "boolean", "title": "Drop it?",
            "description": "Dangerous: All of it · is gone. · Quite harmless.",
        }}),
    );
    let ask = Ask::choose("Drop what?", ["a", "b"]).dangerous();
    check_ask(
        "mcpdo",
        &ask,
        json!({"choice": {
            "type": "string", "enum": ["a", "b"], "description": "Dangerous: This cannot be undone.",
        }}),
    );
}

#[test]
fn a_dangerous_yes_is_typed() {
    let clients = [
        "nobody knows me",
        "Visual Studio Code",
        CODEX,
        "copilot-cli",
        "fast-agent-mcp-client",
    ];
    let ask = Ask::confirm("Drop it?").dangerous().with_word("Orders");
    for client in clients {
        check_ask(
            client,
            &ask,
            json!({"confirmed": {
                "type": "string", "title": "Drop it?",
                "description": "Dangerous: This cannot be undone. · Type Orders for a yes, or no for a no.",
            }}),
        );
        let profile = ClientProfile::for_client(client);
        let raiser = ask.lower(&profile, NEW, None).unwrap().raiser().clone();
        for (sent, raised, word) in [
            (json!("Orders"), json!({"confirmed": true}), Some("Orders")),
            (
                json!(" orders "),
                json!({"confirmed": true}),
                Some(" orders "),
            ),
            (json!("no"), json!({"confirmed": false}), None),
            (json!("No "), json!({"confirmed": false}), None),
            (json!(""), json!({"confirmed": ""}), None),
            (json!("  "), json!({"confirmed": ""}), None),
            (json!(null), json!({}), None),
            (json!("yes"), json!({"confirmed": {}}), None),
            (json!("Yes"), json!({"confirmed": {}}), None),
            (json!("confirm"), json!({"confirmed": {}}), None),
            (json!("Orders for a yes"), json!({"confirmed": {}}), None),
            (json!(true), json!({"confirmed": {}}), None),
            (json!(["Orders"]), json!({"confirmed": {}}), None),
        ] {
            let content = json!({"confirmed": sent});
            let content = content.as_object().unwrap();
            assert_eq!(Value::Object(raiser.raise(content)), raised, "{content:?}");
            assert_eq!(raiser.typed_word(content), word, "{content:?}");
        }
    }
    // Where nothing was typed for a yes, no word was.
    let profile = ClientProfile::for_client("mcpdo");
    let lowered = ask.lower(&profile, NEW, None).unwrap();
    let content = json!({"confirmed": "Orders"});
    assert_eq!(
        lowered.raiser().typed_word(content.as_object().unwrap()),
        None
    );
}

#[test]
fn what_is_dangerous_is_not_asked_where_the_client_may_answer() {
    let check = |client: &str, ask: &Ask, expected: Result<(), NoForm>| {
        for revision in Revision::ALL {
            let lowered = ask.lower(&ClientProfile::for_client(client), revision, None);
            assert_eq!(lowered.map(drop), expected, "{client} {}", ask.message);
        }
    };
    let refused = || Err(NoForm::Dangerous);
    let confirm = Ask::confirm("Drop it?");
    let choice = Ask::choose("Drop what?", ["a", "b"]);
    let text = Ask::new("Drop what?", Form::string_input("what"));
    let two = Ask::new(
        "Sure?",
        Form::confirm().field(Field::new("quite", Kind::Confirm)),
    );
    let with_note = Ask::new(
        "Sure?",
        Form::confirm().field(Field::new("note", Kind::Text(Text::default())).optional()),
    );
    for ask in [&confirm, &choice, &text, &two, &with_note] {
        let dangerous = ask.clone().dangerous();
        check("mcpdo", &dangerous, Ok(()));
        check("claude-code", ask, Ok(()));
        check("claude-code", &dangerous, refused());
        for client in ["nobody knows me", "Visual Studio Code", CODEX] {
            check(client, ask, Ok(()));
            let typed = std::ptr::eq(ask, &confirm) || std::ptr::eq(ask, &with_note);
            check(client, &dangerous, if typed { Ok(()) } else { refused() });
        }
    }
}

#[test]
fn what_is_dangerous_is_not_asked_where_nothing_has_to_be_filled_in() {
    let note = Field::new("note", Kind::Text(Text::default())).optional();
    for form in [Form::new(), Form::new().field(note)] {
        let ask = Ask::new("Drop it?", form);
        let lower = |ask: &Ask| {
            let mcpdo = ClientProfile::for_client("mcpdo");
            ask.lower(&mcpdo, Revision::V2026_07_28, None).map(drop)
        };
        assert_eq!(lower(&ask), Ok(()));
        assert_eq!(lower(&ask.dangerous()), Err(NoForm::Dangerous));
    }
}

fn plan() -> Form {
    Form::new()
        .field(Field::new("zeal", Kind::Toggle(Toggle::default())))
        .field(Field::new("decision", Kind::Confirm))
        .field(Field::new("feedback", Kind::Text(Text::default())).separate())
        .field(
            Field::new("answers", Form::choices(["y", "x"]).fields.remove(0).kind).title("Which"),
        )
}

#[test]
fn a_client_that_sorts_gets_numbers() {
    let tick = |title: &str| json!({"type": "string", "enum": ["No", "Yes"], "title": title});
    for revision in Revision::ALL {
        check_form(
            CODEX,
            revision,
            plan(),
            json!({
                "01_zeal": {"type": "boolean", "title": "zeal", "default": false},
                "02_decision": {
                    "type": "string", "enum": ["Not decided yet", "Yes", "No"], "title": "decision",
                },
                "03_answers_01_y": tick("Which: y"),
                "03_answers_02_x": tick("Which: x"),
            }),
        );
        let raise = |content: Value, answer: Value| {
            check_raise_form(CODEX, revision, plan(), content, answer);
        };
        raise(
            json!({"01_zeal": true, "02_decision": "No", "03_answers_02_x": "Yes"}),
            json!({"zeal": true, "decision": false, "answers": ["x"]}),
        );
        // A field is read under the name that was sent, and no other may speak for it.
        raise(json!({"decision": true}), json!({"decision": {}}));
        raise(
            json!({"02_decision": "No", "decision": true}),
            json!({"decision": {}}),
        );
        raise(json!({"answers": ["x"]}), json!({"answers": {}}));
        raise(json!({"decision": null}), json!({}));
        // Nor is there an answer to what was not shown.
        raise(json!({"feedback": "fine"}), json!({"feedback": {}}));
        raise(json!({"more": 1}), json!({"more": 1}));
    }
    let named_alike = Form::confirm().field(Field::new("01_confirmed", Kind::Confirm));
    let lowered = named_alike.lower(&ClientProfile::for_client(CODEX), NEW);
    let schema = lowered.unwrap().schema().clone();
    let keys: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["01_confirmed_", "02_01_confirmed"]);
}

#[test]
fn more_options_than_two_digits_stay_in_order() {
    let options: Vec<_> = (0..120).map(|at| format!("{}", 120 - at)).collect();
    let form = Form::choices(options);
    let lowered = form.lower(&ClientProfile::for_client(CODEX), NEW).unwrap();
    let keys = lowered.schema()["properties"].as_object().unwrap().keys();
    assert!(keys.is_sorted());
}

#[test]
fn optional_texts_where_none_can_be_left_empty() {
    let lower = |form: &Form, client: &str| {
        let lowered = form.lower(&ClientProfile::for_client(client), OLD).unwrap();
        lowered.raiser().left_out().to_vec()
    };
    assert_eq!(lower(&plan(), CODEX), ["feedback"]);
    assert!(lower(&plan(), "Visual Studio Code").is_empty());
    // Nobody would ask for it otherwise.
    let note = Field::new("note", Kind::Text(Text::default())).optional();
    assert!(lower(&Form::confirm().field(note), CODEX).is_empty());

    let optional = |name: &str, kind: Kind| Field::new(name, kind).optional();
    let mail = Text {
        min_length: Some(3),
        max_length: Some(9),
        format: Some(crate::field::Format::Email),
        ..Text::default()
    };
    let form = || {
        Form::new()
            .field(optional("mail", Kind::Text(mail.clone())))
            .field(optional("count", Kind::Integer(Integer::default())))
            .field(Field::new("name", Kind::Text(Text::default())))
    };
    assert!(lower(&form(), CODEX).is_empty());
    check_form(
        CODEX,
        OLD,
        form(),
        json!({
            "01_mail": {
                "type": "string", "maxLength": 9, "title": "mail", "description": "Type - to leave it empty.",
            },
            "02_count": {
                "type": "string", "title": "count", "description": "A whole number. · Type - to leave it empty.",
            },
            "03_name": {"type": "string", "title": "name"},
        }),
    );
    let lowered = form().lower(&ClientProfile::for_client(CODEX), OLD);
    assert_eq!(
        lowered.unwrap().schema()["required"],
        json!(["01_mail", "02_count", "03_name"])
    );
    for (content, answer) in [
        (
            json!({"01_mail": "-", "02_count": " - ", "03_name": "-"}),
            json!({"name": "-"}),
        ),
        (
            json!({"01_mail": "a@b.c", "02_count": "-5"}),
            json!({"mail": "a@b.c", "count": -5}),
        ),
        (json!({"01_mail": "--"}), json!({"mail": "--"})),
    ] {
        check_raise_form(CODEX, OLD, form(), content, answer);
    }
}

#[test]
fn what_was_valid_and_decides_nothing_comes_back() {
    let setting = Choice {
        options: vec!["a".into(), "b".into()],
        other: true,
        default: Some("a".into()),
        enum_names: false,
    };
    let form = Form::confirm()
        .field(Field::new("tempo", Kind::Integer(Integer::default())))
        .field(Field::new("note", Kind::Text(Text::default())))
        .field(Field::new("loud", Kind::Toggle(Toggle::default())))
        .field(Field::new("key", Kind::Choice(setting)))
        .field(Form::choice(["x", "y"]).fields.remove(0))
        .field(Form::choices(["x", "y"]).fields.remove(0));
    let ask = Ask::new("Go on?", form);
    let defaults = |client: &str, revision: Revision, kept: Value, expected: Value| {
        let profile = ClientProfile::for_client(client);
        let lowered = ask.lower(&profile, revision, kept.as_object()).unwrap();
        let properties = lowered.schema()["properties"].as_object().unwrap().iter();
        let found = properties
            .filter_map(|(key, property)| Some((key.clone(), property.get("default")?.clone())));
        assert_eq!(Value::Object(found.collect()), expected, "{client}");
    };
    let kept = json!({
        "confirmed": true, "tempo": 120, "note": "mine", "loud": true, "key": "b",
        "choice": "y", "choices": ["x"],
    });
    let all = json!({"tempo": 120, "note": "mine", "loud": true, "key": "b"});
    for client in ["mcpdo", "nobody knows me", "claude-code"] {
        defaults(client, NEW, kept.clone(), all.clone());
        defaults(client, OLD, kept.clone(), json!({"loud": true}));
    }
    let texts = json!({"02_tempo": "120", "03_note": "mine", "04_loud": true, "05_key": "b"});
    defaults(CODEX, NEW, kept, texts);
    // Words of the person's own come back in their line.
    defaults(
        "nobody knows me",
        NEW,
        json!({"key": "c"}),
        json!({"loud": false, "key": "other", "key_other": "c"}),
    );
    // What nobody would see is not filled in for them.
    defaults(
        "mcpdo",
        NEW,
        json!({"note": "mine\u{200b}"}),
        json!({"key": "a"}),
    );
}
