use super::*;

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn option(values: Value) -> ArgumentKind {
    ArgumentKind::one_of(values.as_array().unwrap().clone())
}

fn every_kind() -> Arguments {
    let city = Argument::new("city", ArgumentKind::Text);
    let number = Argument::new("number", ArgumentKind::Integer).optional();
    Arguments::Listed(vec![
        Argument::new("name", ArgumentKind::Text).description("whom"),
        Argument::new("steps", ArgumentKind::Integer).default(2),
        Argument::new("weight", ArgumentKind::Number).optional(),
        Argument::new("sure", ArgumentKind::Boolean).optional(),
        Argument::new("mood", option(json!(["good", 2]))).optional(),
        Argument::new("numbers", ArgumentKind::list(ArgumentKind::Number)).optional(),
        Argument::new("address", ArgumentKind::Record(vec![city, number])).optional(),
        Argument::new("any", ArgumentKind::Any).optional(),
        Argument::new(
            "either",
            ArgumentKind::Union(vec![ArgumentKind::Text, ArgumentKind::Null]),
        )
        .optional(),
    ])
}

#[test]
fn what_does_not_fit_is_named() {
    let check = |given: Value, wanted: &[(&str, &str)]| {
        let errors = every_kind().check(object(given)).err().unwrap_or_default();
        let errors: Vec<_> = errors
            .iter()
            .map(|error| (error.to_string(), error.to_field_error().message))
            .collect();
        let errors: Vec<_> = errors
            .iter()
            .map(|(agent, page)| (agent.as_str(), page.as_str()))
            .collect();
        assert_eq!(errors, wanted);
    };
    check(
        json!({
            "name": "ann", "steps": 3.0, "weight": 1, "sure": false, "mood": 2.0,
            "numbers": [1, 2.5], "address": { "city": "Rome", "zip": 1 }, "any": [null], "either": "x",
        }),
        &[],
    );
    check(json!({ "name": "a", "steps": null, "either": null }), &[]);
    check(
        json!({}),
        &[(
            "The argument `name` is missing: whom",
            "name must be filled in.",
        )],
    );
    check(
        json!({ "name": null }),
        &[(
            "The argument `name` is missing: whom",
            "name must be filled in.",
        )],
    );
    check(
        json!({ "name": 1, "steps": 1.5 }),
        &[
            ("The argument `name` must be a text", "name must be a text."),
            (
                "The argument `steps` must be a whole number",
                "steps must be a whole number.",
            ),
        ],
    );
    check(
        json!({ "name": "a", "mood": "so", "sure": "yes" }),
        &[
            (
                "The argument `sure` must be true or false",
                "sure must be true or false.",
            ),
            (
                "The argument `mood` must be one of: good, 2",
                "mood must be one of: good, 2.",
            ),
        ],
    );
    check(
        json!({ "name": "a", "numbers": [1, "two"], "either": 1 }),
        &[
            (
                "The argument `numbers[1]` must be a number",
                "Value 2 must be a number.",
            ),
            (
                "The argument `either` must be a text or null",
                "either must be a text or null.",
            ),
        ],
    );
    check(
        json!({ "name": "a", "address": { "number": 1 } }),
        &[(
            "The argument `address.city` is missing",
            "address.city must be filled in.",
        )],
    );
    check(
        json!({ "name": "a", "oth\u{202e}er": 1 }),
        &[(
            "The argument `oth⟨U+202E⟩er` is not known",
            "oth⟨U+202E⟩er is not an argument of this method.",
        )],
    );
    assert!(Arguments::Any.check(object(json!({ "x": null }))).is_ok());
}

#[test]
fn defaults_fill_in_and_the_missing_are_known() {
    let arguments = every_kind();
    let mut given = object(json!({ "sure": true }));
    assert_eq!(
        arguments
            .missing(&given)
            .map(|argument| &argument.name)
            .collect::<Vec<_>>(),
        ["name"]
    );
    arguments.fill_defaults(&mut given);
    assert_eq!(Value::Object(given), json!({ "sure": true, "steps": 2 }));
}

#[test]
fn a_word_is_read_as_its_kind() {
    let check = |kind: ArgumentKind, word: &str, wanted: Result<Value, &str>| {
        let got = kind.parse(word).map_err(|error| error.to_string());
        assert_eq!(got, wanted.map_err(str::to_owned), "{word}");
    };
    check(ArgumentKind::Text, "7", Ok(json!("7")));
    check(ArgumentKind::Integer, "-7", Ok(json!(-7)));
    check(
        ArgumentKind::Integer,
        "1.5",
        Err("\"1.5\" is not a whole number"),
    );
    check(ArgumentKind::Number, "1.5", Ok(json!(1.5)));
    check(ArgumentKind::Number, "NaN", Err("\"NaN\" is not a number"));
    check(ArgumentKind::Boolean, "yes", Ok(json!(true)));
    check(
        ArgumentKind::Boolean,
        "maybe",
        Err("\"maybe\" is not true or false"),
    );
    check(option(json!(["a", 2])), "2", Ok(json!(2)));
    check(
        option(json!(["a", 2])),
        "b",
        Err("\"b\" is not one of: a, 2"),
    );
    check(
        ArgumentKind::list(ArgumentKind::Integer),
        "1, 2,",
        Ok(json!([1, 2])),
    );
    check(
        ArgumentKind::list(ArgumentKind::Integer),
        "1,x",
        Err("\"x\" is not a whole number"),
    );
    check(ArgumentKind::Any, "{\"a\":1}", Ok(json!({ "a": 1 })));
    check(ArgumentKind::Any, "text", Ok(json!("text")));
}

#[test]
fn a_terminal_asks_for_each_with_a_field() {
    let kind = |name: &str| every_kind().get(name).unwrap().field().kind;
    assert!(matches!(kind("name"), Kind::Text(_)));
    assert!(matches!(kind("steps"), Kind::Integer(_)));
    assert!(matches!(kind("sure"), Kind::Confirm));
    assert!(matches!(kind("mood"), Kind::Choice(choice) if choice.default.is_none()));
    assert!(matches!(kind("numbers"), Kind::Text(_)));
    let tags = Argument::new("tags", ArgumentKind::list(option(json!(["a", "b"]))));
    assert!(matches!(tags.field().kind, Kind::Choices(_)));
}
