//! Schemas of other servers.

use crate::{
    Field, Form, Kind,
    field::{Choice, Choices, DateRange, Integer, Number, Pick, Text, Toggle},
};
use serde_json::{Value, json};

/// Checks the kind of the field that a property becomes, or what is said about it.
fn check(property: Value, expected: Result<Kind, &str>) {
    let schema = json!({"type": "object", "properties": {"it": property}, "required": ["it"]});
    let form = Form::from_requested_schema(&schema);
    let got = form.map(|mut form| form.fields.remove(0).kind);
    let expected = expected.map_err(|why| format!("the property \"it\" {why}"));
    assert_eq!(
        got.map_err(|error| error.to_string()),
        expected,
        "{property}"
    );
}

#[test]
fn what_mcp_allows() {
    let text = Text {
        min_length: Some(1),
        max_length: Some(9),
        default: Some("a".into()),
        ..Text::default()
    };
    check(
        json!({"type": "string", "minLength": 1, "maxLength": 9, "default": "a"}),
        Ok(Kind::Text(text)),
    );
    check(
        json!({"type": "string", "default": "", "x-order": 1}),
        Ok(Kind::Text(Text::default())),
    );
    let code = Text {
        pattern: Some("[a-z]+".into()),
        ..Text::default()
    };
    check(
        json!({"type": "string", "pattern": "^[a-z]+$"}),
        Ok(Kind::Text(code)),
    );
    let part = Text {
        pattern: Some("(?s:.*)(?:^a|b$)(?s:.*)".into()),
        ..Text::default()
    };
    check(
        json!({"type": "string", "pattern": "^a|b$"}),
        Ok(Kind::Text(part)),
    );
    check(
        json!({"type": "string", "format": "date"}),
        Ok(Kind::Date(DateRange::default())),
    );
    check(json!({"type": "boolean"}), Ok(Kind::Confirm));
    check(
        json!({"type": "boolean", "default": true}),
        Ok(Kind::Toggle(Toggle {
            default: Some(true),
        })),
    );
    let number = Number {
        min: Some(0.5),
        max: Some(9.0),
        default: Some(1.0),
        ..Number::default()
    };
    check(
        json!({"type": "number", "minimum": 0.5, "maximum": 9, "default": 1}),
        Ok(Kind::Number(number)),
    );
    let integer = Integer {
        min: Some(4),
        step: Some(2),
        ..Integer::default()
    };
    check(
        json!({"type": "integer", "minimum": 3, "multipleOf": 2.0}),
        Ok(Kind::Integer(integer)),
    );

    let plain = || vec![Pick::new("a"), Pick::new("b")];
    let titled = || vec![Pick::new("a").label("A"), Pick::new("b").label("B")];
    let one = |options, default: Option<&str>| {
        Ok(Kind::Choice(Choice {
            options,
            default: default.map(Into::into),
            ..Choice::default()
        }))
    };
    check(
        json!({"type": "string", "enum": ["a", "b"], "default": "b"}),
        one(plain(), Some("b")),
    );
    check(
        json!({"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]}),
        Ok(Kind::Choice(Choice {
            options: titled(),
            enum_names: true,
            ..Choice::default()
        })),
    );
    let consts = json!([{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]);
    check(
        json!({"type": "string", "oneOf": consts}),
        one(titled(), None),
    );
    let many = |options| {
        Ok(Kind::Choices(Choices {
            options,
            min: Some(1),
            max: Some(2),
            ..Choices::default()
        }))
    };
    let array = |items| json!({"type": "array", "items": items, "minItems": 1, "maxItems": 2});
    check(
        array(json!({"type": "string", "enum": ["a", "b"]})),
        many(plain()),
    );
    check(array(json!({"anyOf": consts})), many(titled()));
}

#[test]
fn what_mcp_does_not_allow() {
    check(
        json!({"type": "object"}),
        Err("is an object: a form must be flat"),
    );
    check(
        json!({"$ref": "#/$defs/A"}),
        Err("has no type: MCP requires exactly one"),
    );
    check(
        json!({"type": ["string", "null"]}),
        Err("has no type: MCP requires exactly one"),
    );
    check(
        json!({"type": "null"}),
        Err("has the type \"null\", which MCP does not allow"),
    );
    check(json!(true), Err("must be a schema"));
    check(
        json!({"type": "string", "contentEncoding": "base64"}),
        Err("cannot have \"contentEncoding\" in MCP"),
    );
    check(
        json!({"type": "number", "exclusiveMinimum": 1}),
        Err("cannot have \"exclusiveMinimum\" in MCP"),
    );
    check(
        json!({"type": "string", "format": "password"}),
        Err("has the format \"password\"; MCP allows email, uri, date and date-time"),
    );
    check(
        json!({"type": "string", "enum": [1]}),
        Err("has an option that is not text"),
    );
    check(
        json!({"type": "string", "enum": ["a"], "enumNames": []}),
        Err("has a different number of enumNames than of values"),
    );
    check(
        json!({"type": "string", "oneOf": [{"type": "string"}]}),
        Err("has alternatives that are not plain options"),
    );
    check(
        json!({"type": "array", "items": {"type": "string"}}),
        Err("is a list of arbitrary values: only a list of options can be asked for"),
    );
    check(
        json!({"type": "boolean", "default": "true"}),
        Err("has a default that is not true or false"),
    );
    check(
        json!({"type": "string", "minLength": -1}),
        Err("has a minLength that is not a count"),
    );
}

#[test]
fn whole_schemas() {
    let check = |schema: Value, fault: &str| {
        let error = Form::from_requested_schema(&schema).map(drop);
        assert_eq!(
            error.map_or_else(|error| error.to_string(), |()| String::new()),
            fault,
            "{schema}"
        );
    };
    check(
        json!({"type": "object", "properties": {}, "additionalProperties": false}),
        "",
    );
    check(json!([]), "a requestedSchema must be an object");
    check(
        json!({"properties": {}}),
        "a requestedSchema must have the type \"object\"",
    );
    check(
        json!({"type": "object"}),
        "a requestedSchema must have properties",
    );
    check(
        json!({"type": "object", "properties": {}, "$defs": {}}),
        "a requestedSchema cannot have \"$defs\"",
    );
    check(
        json!({"type": "object", "properties": {}, "required": ["a"]}),
        "a requestedSchema requires \"a\", which it does not have",
    );
    check(
        json!({"type": "object", "properties": {"a": {"type": "number", "minimum": 2, "maximum": 1}}}),
        "the field \"a\" has a min above its max",
    );
}

#[test]
fn order_titles_and_what_is_required() {
    let form = Form::from_requested_schema(&json!({
        "type": "object",
        "properties": {
            "z": {"type": "boolean", "title": "Zed", "description": "The last."},
            "a": {"type": "boolean"},
        },
        "required": ["a"],
    }));
    let zed = Field::new("z", Kind::Confirm)
        .title("Zed")
        .help("The last.")
        .optional();
    assert_eq!(
        form.unwrap(),
        Form::new().field(zed).field(Field::new("a", Kind::Confirm))
    );
}
