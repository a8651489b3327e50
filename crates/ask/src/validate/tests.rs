//! Answers, and what is said about them.

use crate::{
    Answer, Field, Form, Kind,
    field::{
        Choice, Choices, DateRange, File, Format, Integer, Link, Number, Rating, Text, Toggle,
    },
};
use serde_json::{Value, json};

/// Checks one value of a field called `it`: what it becomes, or the one message about it.
fn check(field: Field, value: Value, expected: Result<Value, &str>) {
    let form = Form::new().field(field);
    let answer = json!({"it": value}).as_object().unwrap().clone();
    let got = match form.validate(&answer) {
        Ok(answer) => Ok(answer.get("it").cloned().unwrap_or(Value::Null)),
        Err(errors) => {
            assert_eq!(errors.len(), 1, "{errors:?}");
            assert_eq!(errors[0].field, "it");
            Err(errors[0].message.clone())
        }
    };
    assert_eq!(got, expected.map_err(str::to_owned), "{value}");
}

fn it(kind: Kind) -> Field {
    Field::new("it", kind)
}

const ABSENT: Value = Value::Null;

#[test]
fn texts() {
    let check =
        |rules: &Text, value, expected| check(it(Kind::Text(rules.clone())), value, expected);
    let any = Text::default();
    check(&any, json!("hello"), Ok(json!("hello")));
    check(&any, json!(""), Err("it must be filled in."));
    check(&any, json!("  "), Err("it must be filled in."));
    check(&any, json!(null), Err("it must be filled in."));
    check(&any, json!(5), Err("it must be text."));
    let length = Text {
        min_length: Some(2),
        max_length: Some(3),
        ..Text::default()
    };
    check(&length, json!("äöü"), Ok(json!("äöü")));
    check(
        &length,
        json!("ä"),
        Err("it must have at least 2 characters."),
    );
    check(
        &length,
        json!("äöüß"),
        Err("it must have at most 3 characters."),
    );
    let lines = Text {
        multiline: true,
        min_lines: Some(2),
        max_lines: Some(3),
        ..Text::default()
    };
    check(&lines, json!(" a\n\n b \n"), Ok(json!(" a\n\n b \n")));
    check(&lines, json!("a\r\nb\nc"), Ok(json!("a\r\nb\nc")));
    check(
        &lines,
        json!("a\n \n"),
        Err("it must have at least 2 lines."),
    );
    check(
        &lines,
        json!("a\nb\nc\nd"),
        Err("it must have at most 3 lines."),
    );
    check(&lines, json!("\n"), Err("it must be filled in."));
    let blank = Text {
        min_length: Some(0),
        ..Text::default()
    };
    check(&blank, json!(""), Ok(json!("")));
    let code = Text {
        pattern: Some("a|ab".into()),
        ..Text::default()
    };
    check(&code, json!("ab"), Ok(json!("ab")));
    check(&code, json!("abc"), Err("it must match the pattern a|ab."));
    check(&code, json!("ab\n"), Err("it must match the pattern a|ab."));
    let broken = Text {
        pattern: Some("a)|(?:.*".into()),
        ..Text::default()
    };
    check(
        &broken,
        json!("a"),
        Err("it must match a pattern that is itself invalid: tell whoever asked."),
    );
}

#[test]
fn formats() {
    let check = |format, text: &str, fits| {
        let field = Form::new().field(it(Kind::Text(Text {
            format: Some(format),
            ..Text::default()
        })));
        let answer = json!({"it": text});
        assert_eq!(
            field.validate(answer.as_object().unwrap()).is_ok(),
            fits,
            "{format:?} {text}"
        );
    };
    check(Format::Email, "ada@example.org", true);
    check(Format::Email, "Ada <ada@example.org>", false);
    check(Format::Email, "ada", false);
    check(Format::Uri, "https://example.org/a?b#c", true);
    check(Format::Uri, "mailto:ada@example.org", true);
    check(Format::Uri, "example.org", false);
    check(Format::Uri, " https://example.org", false);
    check(Format::Date, "2026-07-28", true);
    check(Format::Date, "2026-02-30", false);
    check(Format::Date, "20260728", false);
    check(Format::Date, "2026-07-28T00:00", false);
    check(Format::DateTime, "2026-07-28T09:30:00Z", true);
    check(Format::DateTime, "2026-07-28T09:30:00.125+02:00", true);
    check(Format::DateTime, "2026-07-28t09:30:00z", true);
    check(Format::DateTime, "2026-07-28T09:30:00", false);
    check(Format::DateTime, "2026-07-28T09:30Z", false);
    check(Format::DateTime, "2026-07-28 09:30:00Z", false);
    check(Format::DateTime, "2026-07-28T25:30:00Z", false);
    check(
        Format::DateTime,
        "2026-07-28T09:30:00+02:00[Europe/Berlin]",
        false,
    );
    check(Format::DateTime, "2026-07-28T09:30:0é", false);
}

#[test]
fn booleans_are_never_made_of_something_else() {
    for kind in [Kind::Confirm, Kind::Toggle(Toggle::default())] {
        check(it(kind.clone()), json!(true), Ok(json!(true)));
        check(it(kind.clone()), json!(false), Ok(json!(false)));
        let sentence = "it must be yes or no.";
        for value in [
            json!("true"),
            json!("yes"),
            json!(1),
            json!("on"),
            json!([true]),
            json!({}),
            json!(null),
            json!(""),
        ] {
            check(it(kind.clone()), value, Err(sentence));
        }
    }
    check(it(Kind::Confirm).optional(), json!(""), Ok(ABSENT));
    check(
        it(Kind::Confirm).optional(),
        json!("true"),
        Err("it must be yes or no."),
    );
}

#[test]
fn choices_of_one_and_many() {
    let options = || ["a", "b", "c"].map(Into::into).to_vec();
    let one = |other| {
        it(Kind::Choice(Choice {
            options: options(),
            other,
            default: None,
            enum_names: false,
        }))
    };
    check(one(false), json!("b"), Ok(json!("b")));
    check(one(false), json!("B"), Err("it must be one of: a, b, c."));
    check(one(false), json!(["b"]), Err("it must be one of: a, b, c."));
    check(one(false), json!(""), Err("it must be chosen."));
    check(one(true), json!("z"), Ok(json!("z")));
    check(one(true), json!(" "), Err("it must be chosen."));
    check(one(false).optional(), json!(""), Ok(ABSENT));

    let many = |other| {
        it(Kind::Choices(Choices {
            options: options(),
            other,
            min: Some(1),
            max: Some(2),
            default: None,
        }))
    };
    check(many(false), json!(["c", "a"]), Ok(json!(["a", "c"])));
    check(
        many(false),
        json!([]),
        Err("it must have at least 1 option."),
    );
    check(
        many(false),
        json!(["a", "b", "c"]),
        Err("it must have at most 2 options."),
    );
    check(
        many(false),
        json!(["a", "a"]),
        Err("it must have each option only once."),
    );
    check(
        many(false),
        json!(["z"]),
        Err("it must have only: a, b, c."),
    );
    check(many(false), json!([1]), Err("it must have only: a, b, c."));
    check(many(false), json!("a"), Err("it must be some of: a, b, c."));
    check(many(false).optional(), json!([]), Ok(ABSENT));
    check(many(true), json!(["z", "a"]), Ok(json!(["a", "z"])));
    check(
        many(true),
        json!(["z", "y"]),
        Err("it must have at most one answer of your own."),
    );
    let any = it(Kind::Choices(Choices {
        options: options(),
        ..Choices::default()
    }));
    check(any, json!([]), Ok(json!([])));
}

#[test]
fn numbers() {
    let tempo = Number {
        min: Some(20.0),
        max: Some(200.0),
        unit: Some("BPM".into()),
        ..Number::default()
    };
    let tempo = |value, expected| {
        check(
            it(Kind::Number(tempo.clone())).title("Tempo"),
            value,
            expected,
        )
    };
    tempo(json!(120.0), Ok(json!(120)));
    tempo(json!(120.5), Ok(json!(120.5)));
    tempo(json!(201), Err("Tempo must be at most 200 BPM."));
    tempo(json!(-1), Err("Tempo must be at least 20 BPM."));
    tempo(json!("120"), Err("Tempo must be a number."));
    tempo(json!(""), Err("Tempo must be filled in."));
    let tenths = Number {
        step: Some(0.1),
        ..Number::default()
    };
    check(it(Kind::Number(tenths.clone())), json!(0.3), Ok(json!(0.3)));
    check(
        it(Kind::Number(tenths)),
        json!(0.35),
        Err("it must be a multiple of 0.1."),
    );
    let odd = Integer {
        min: Some(1),
        step: Some(2),
        ..Integer::default()
    };
    check(it(Kind::Integer(odd.clone())), json!(5.0), Ok(json!(5)));
    check(
        it(Kind::Integer(odd.clone())),
        json!(4),
        Err("it must be 1 or steps of 2 above it."),
    );
    check(
        it(Kind::Integer(odd)),
        json!(5.5),
        Err("it must be a whole number."),
    );
    let any = || it(Kind::Integer(Integer::default()));
    check(any(), json!(1e300), Err("it must be a whole number."));
    check(any(), json!(u64::MAX), Err("it must be a whole number."));
    check(any(), json!(true), Err("it must be a whole number."));
    let stars = || it(Kind::Rating(Rating::default()));
    check(stars(), json!(5), Ok(json!(5)));
    check(stars(), json!(0), Err("it must be at least 1."));
    check(stars(), json!(6), Err("it must be at most 5."));
}

#[test]
fn days_and_moments() {
    let range = |min: &str, max: &str| DateRange {
        min: Some(min.into()),
        max: Some(max.into()),
        default: None,
    };
    let day = || it(Kind::Date(range("2026-01-01", "2026-12-31")));
    check(day(), json!("2026-07-28"), Ok(json!("2026-07-28")));
    check(
        day(),
        json!("2025-12-31"),
        Err("it must be 2026-01-01 or later."),
    );
    check(
        day(),
        json!("2027-01-01"),
        Err("it must be 2026-12-31 or earlier."),
    );
    check(
        day(),
        json!(20260728),
        Err("it must be a date, like 2026-07-28."),
    );
    check(day(), json!(""), Err("it must be filled in."));
    let moment = || {
        it(Kind::DateTime(range(
            "2026-01-01T00:00:00Z",
            "2026-01-02T00:00:00Z",
        )))
    };
    check(
        moment(),
        json!("2026-01-02T01:00:00+02:00"),
        Ok(json!("2026-01-02T01:00:00+02:00")),
    );
    check(
        moment(),
        json!("2026-01-02T01:00:00Z"),
        Err("it must be 2026-01-02T00:00:00Z or earlier."),
    );
}

#[test]
fn files_links_and_secrets() {
    let rules = File {
        accept: vec![".png".into()],
        max_bytes: Some(10),
    };
    let file = |name: &str, size: u64| json!({"name": name, "size": size, "sha256": "0".repeat(64), "path": "/tmp/x"});
    let check_file = |value, expected| check(it(Kind::File(rules.clone())), value, expected);
    check_file(file("a.PNG", 10), Ok(file("a.PNG", 10)));
    check_file(file("a.png", 11), Err("it must have at most 10 bytes."));
    check_file(file("a.gif", 1), Err("it must end in one of: .png."));
    let shape = "it must be a file, with its name, size, sha256 and path.";
    check_file(file("../a.png", 1), Err(shape));
    check_file(json!({"name": "a.png"}), Err(shape));
    check_file(json!("a.png"), Err(shape));
    let mut extra = file("a.png", 1);
    extra["more"] = json!(1);
    check_file(
        extra,
        Err("it must be a file, with its name, size, sha256 and path and nothing else."),
    );

    let link = || {
        it(Kind::Link(Link {
            url: "https://example.org".into(),
        }))
    };
    check(link(), json!(true), Ok(json!(true)));
    check(
        link(),
        json!(false),
        Err("it must be opened and then marked as done."),
    );
    check(
        link(),
        json!("true"),
        Err("it must be opened and then marked as done."),
    );
    check(link().optional(), json!(false), Ok(ABSENT));

    check(it(Kind::Secret), json!("hunter2"), Ok(json!("hunter2")));
    check(it(Kind::Secret), json!(""), Err("it must be filled in."));
    check(
        it(Kind::Secret),
        json!(["hunter2"]),
        Err("it must be text."),
    );
    check(it(Kind::Secret).optional(), json!(""), Ok(ABSENT));
}

#[test]
fn whole_answers() {
    let form = Form::confirm().field(Field::new("note", Kind::Text(Text::default())).optional());
    let check = |answer: Value, expected: &[(&str, &str)]| {
        let errors = form
            .validate(answer.as_object().unwrap())
            .err()
            .unwrap_or_default();
        let errors: Vec<_> = errors
            .iter()
            .map(|error| (error.field.as_str(), error.message.as_str()))
            .collect();
        assert_eq!(errors, expected, "{answer}");
    };
    let yes_or_no = ("confirmed", "Your answer must be yes or no.");
    check(json!({"confirmed": true, "note": ""}), &[]);
    check(json!({}), &[yes_or_no]);
    check(
        json!({"note": 1}),
        &[yes_or_no, ("note", "note must be text.")],
    );
    check(
        json!({"confirmed": true, "ok\u{200b}": true}),
        &[("ok\u{200b}", "The form has no field \"ok⟨U+200B⟩\".")],
    );
}

#[test]
fn what_was_valid_and_decides_nothing_is_kept() {
    let form = Form::confirm()
        .field(Field::new("name", Kind::Text(Text::default())))
        .field(Field::new("count", Kind::Integer(Integer::default())));
    let check = |answer: Value, kept: Value| {
        let found = form.settings_in(answer.as_object().unwrap());
        assert_eq!(Value::Object(found), kept, "{answer}");
    };
    check(
        json!({"confirmed": true, "name": "web", "count": "many"}),
        json!({"name": "web"}),
    );
    check(json!({"count": 3, "other": 1}), json!({"count": 3}));
    check(json!({"name": "", "count": null}), json!({}));
}

#[test]
fn nothing_is_decided_where_no_deciding_field_says_anything() {
    let form = Form::confirm()
        .field(Field::new("name", Kind::Text(Text::default())))
        .field(Form::choice(["a", "b"]).fields.remove(0));
    let check = |answer: Value, undecided: bool| {
        let found = form.is_undecided(answer.as_object().unwrap());
        assert_eq!(found, undecided, "{answer}");
    };
    check(json!({}), true);
    check(
        json!({"name": "web", "choice": "", "confirmed": null}),
        true,
    );
    check(json!({"confirmed": false}), false);
    check(json!({"choice": "z"}), false);
    assert!(!Form::string_input("name").is_undecided(&Answer::new()));
}
