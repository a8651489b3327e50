//! Faults of forms, and what is said about them.

use crate::{
    Ask, Digest, Field, Form, Kind,
    field::{Choice, Choices, DateRange, File, Integer, Link, Number, Pick, Rating, Text},
    review::EditableText,
};

/// Checks a form of one field called `it`: the fault that is found, or none.
fn check(kind: Kind, fault: &str) {
    let found = Form::new().field(Field::new("it", kind)).check();
    let found = found.map_or_else(|error| error.to_string(), |()| String::new());
    let expected = if fault.is_empty() {
        String::new()
    } else {
        format!("the field \"it\" {fault}")
    };
    if fault.ends_with('…') {
        let start = expected.trim_end_matches('…');
        assert!(found.starts_with(start), "{found}");
    } else {
        assert_eq!(found, expected);
    }
}

#[test]
fn rules() {
    let text = |change: fn(&mut Text)| {
        let mut rules = Text::default();
        change(&mut rules);
        Kind::Text(rules)
    };
    check(text(|_| ()), "");
    check(
        text(|rules| (rules.min_length, rules.max_length) = (Some(3), Some(2))),
        "has a minLength above its maxLength",
    );
    check(
        text(|rules| (rules.min_lines, rules.max_lines) = (Some(3), Some(2))),
        "has a minLines above its maxLines",
    );
    check(
        text(|rules| rules.max_lines = Some(0)),
        "allows no line: raise its maxLines",
    );
    check(
        text(|rules| rules.min_lines = Some(2)),
        "has a minLines but room for one line only: make it multiline",
    );
    check(
        text(|rules| (rules.min_lines, rules.multiline) = (Some(2), true)),
        "",
    );
    check(
        text(|rules| rules.pattern = Some("(".into())),
        "has a pattern that cannot be used…",
    );
    check(
        text(|rules| rules.pattern = Some("(?=a)".into())),
        "has a pattern that cannot be used…",
    );
    check(
        text(|rules| rules.pattern = Some("a)|(?:b".into())),
        "has a pattern that cannot be used…",
    );
    check(
        text(|rules| rules.pattern = Some("(?:a{1000}){1000}".into())),
        "has a pattern that cannot be used…",
    );
    check(
        text(|rules| (rules.max_length, rules.default) = (Some(2), Some("long".into()))),
        "has a default that breaks its own rules: it must have at most 2 characters.",
    );
    check(
        text(|rules| rules.default = Some("a\u{202e}b".into())),
        "has invisible characters in its default",
    );

    let number = |min, max, step| {
        Kind::Number(Number {
            min,
            max,
            step,
            ..Number::default()
        })
    };
    check(number(Some(1.0), Some(1.0), Some(0.5)), "");
    check(
        number(Some(2.0), Some(1.0), None),
        "has a min above its max",
    );
    check(
        number(Some(f64::NAN), None, None),
        "has a rule that is not a finite number",
    );
    check(
        number(None, Some(f64::INFINITY), None),
        "has a rule that is not a finite number",
    );
    check(
        number(None, None, Some(0.0)),
        "has a step that is not above zero",
    );
    let integer = |min, step| {
        Kind::Integer(Integer {
            min,
            step,
            ..Integer::default()
        })
    };
    check(
        integer(Some(1), Some(-1)),
        "has a step that is not above zero",
    );
    check(
        integer(Some(1 << 53), None),
        "has a rule beyond 2^53 - 1, which many clients cannot hold",
    );
    check(
        integer(Some(i64::MIN), None),
        "has a rule beyond 2^53 - 1, which many clients cannot hold",
    );
    for max in [0, 1, 11] {
        let rating = Rating {
            max,
            ..Rating::default()
        };
        check(
            Kind::Rating(rating),
            &format!("has a max of {max}: choose one from 2 to 10"),
        );
    }
    let day = |min: &str, max: &str| {
        Kind::Date(DateRange {
            min: Some(min.into()),
            max: Some(max.into()),
            default: None,
        })
    };
    check(day("2026-01-01", "2026-01-01"), "");
    check(day("2026-01-02", "2026-01-01"), "has a min above its max");
    check(
        day("tomorrow", "2026-01-01"),
        "has a min that is not in the format of its values",
    );
    let link = |url: &str| Kind::Link(Link { url: url.into() });
    check(link("https://example.org/pay"), "");
    check(
        link("https://ada:pw@example.org"),
        "links to an address that contains a user name or a password: remove them",
    );
    check(
        link("javascript:alert(1)"),
        "must link to an http or https address",
    );
    check(
        link("example.org"),
        "has an invalid url: relative URL without a base",
    );
    let file = Kind::File(File {
        accept: vec!["png".into()],
        max_bytes: None,
    });
    check(
        file,
        "accepts \"png\": write an ending like .png or a type like image/png",
    );
}

#[test]
fn options() {
    let one = |options: Vec<Pick>, default: Option<&str>| {
        Kind::Choice(Choice {
            options,
            other: true,
            default: default.map(Into::into),
            enum_names: false,
        })
    };
    check(one(vec!["a".into(), "b".into()], Some("b")), "");
    check(
        one(vec![], None),
        "has no options: give it some, or make it a text field",
    );
    check(
        one(vec!["a".into(), "a".into()], None),
        "has the option \"a\" twice",
    );
    check(
        one(vec!["".into()], None),
        "has an option without a value or a label",
    );
    check(
        one(vec!["a\u{200b}".into()], None),
        "has invisible characters in the value of the option \"a⟨U+200B⟩\"",
    );
    check(
        one(vec!["a".into(), Pick::new("b").label("a")], None),
        "shows two options as \"a\": give them labels that differ",
    );
    check(
        one(vec![Pick::new("else").label("Other…")], None),
        "shows two options as \"Other…\": give them labels that differ",
    );
    check(
        one(vec!["a".into()], Some("z")),
        "has a default that is not one of its options",
    );
    let many: Vec<Pick> = (0..201).map(|number| number.to_string().into()).collect();
    check(one(many, None), "has 201 options; at most 200 are allowed");

    let some = |min, max| {
        Kind::Choices(Choices {
            options: vec!["a".into(), "b".into()],
            min,
            max,
            ..Choices::default()
        })
    };
    check(some(Some(2), Some(2)), "");
    check(
        some(Some(3), None),
        "requires more options than the 2 that it has",
    );
    check(
        some(None, Some(0)),
        "allows no option to be chosen: raise its max",
    );
    check(some(Some(2), Some(1)), "has a min above its max");
}

#[test]
fn names() {
    let check = |names: &[&str], fault: &str| {
        let fields = names
            .iter()
            .map(|name| Field::new(*name, Kind::Confirm))
            .collect();
        let found = Form { fields }.check();
        assert_eq!(
            found.map_or_else(|error| error.to_string(), |()| String::new()),
            fault
        );
    };
    check(&["a", "b c", "ü"], "");
    check(
        &["a", "a"],
        "the field \"a\" appears twice: give each field its own name",
    );
    check(&[""], "the field \"\" has no name: give it one");
    let hidden = "has a name with spaces around it or invisible characters in it";
    check(&["a\u{7}"], &format!("the field \"a⟨U+0007⟩\" {hidden}"));
    check(&[" a"], &format!("the field \" a\" {hidden}"));
    check(
        &["__proto__"],
        "the field \"__proto__\" has a name that JavaScript clients cannot carry: choose another",
    );
    let many: Vec<String> = (0..21).map(|number| number.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    check(&many, "the form has 21 fields; at most 20 are allowed");
}

#[test]
fn asks() {
    let check = |ask: Ask, fault: &str| {
        assert_eq!(
            ask.check()
                .map_or_else(|error| error.to_string(), |()| String::new()),
            fault
        );
    };
    check(Ask::confirm("Deploy?"), "");
    check(
        Ask::confirm(" \n"),
        "the message is empty: say what the person should decide",
    );
    check(Ask::confirm("x".repeat(64 * 1024)), "");
    check(
        Ask::confirm("x".repeat(64 * 1024 + 1)).details("y"),
        "the message has 65537 bytes; at most 65536 are allowed",
    );
    check(Ask::confirm("x").details("y".repeat(1024 * 1024)), "");
    check(
        Ask::confirm("x").details("y".repeat(1024 * 1024 + 1)),
        "the details have 1048577 bytes; at most 1048576 are allowed",
    );
    let text = EditableText::field("a", "A", "z".repeat(512 * 1024 + 1));
    check(
        Ask::confirm("x").editable(text),
        "the text that can be edited has 524289 bytes; at most 524288 are allowed",
    );
    check(
        Ask::confirm("Deploy?").key("a\nb"),
        "the key \"a\\nb\" must be a short name, not a number, without spaces around it, hidden characters or \"-again-\"",
    );
    let help = Field::new("a", Kind::Confirm).help("h".repeat(300 * 1024));
    let large = Ask::new("Deploy?", Form::new().field(help));
    assert!(
        large
            .check()
            .unwrap_err()
            .to_string()
            .starts_with("the form has 30")
    );
}

#[test]
fn every_ask_has_a_digest() {
    let ask = |min: f64| Ask::new("How many?", Form::number_input(min..=f64::INFINITY));
    assert_eq!(ask(f64::NAN).digest(), ask(f64::NAN).digest());
    assert_ne!(ask(f64::NAN).digest(), ask(1.0).digest());
    let plain = Ask::confirm("Deploy?");
    assert_eq!(plain.digest(), Digest::hash_json(&plain).unwrap());
}
