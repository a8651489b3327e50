//! Forms of Rust types.

#![allow(dead_code)]

use crate::{
    Field, Form, Kind,
    field::{Choice, Choices, DateRange, Format, Integer, Number, Pick, Text, Toggle},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

#[derive(JsonSchema, Serialize, Deserialize, Default, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Plain {
    #[default]
    Red,
    #[serde(rename = "grün")]
    Green,
}

#[derive(JsonSchema)]
enum Documented {
    /// Sounds glad.
    Major,
    #[schemars(title = "Minor key")]
    Minor,
    Other,
}

#[derive(JsonSchema)]
enum Single {
    /// The only one.
    Only,
}

/// The form of a struct with this one field, or the message about it.
macro_rules! form {
    ($(#[$attribute:meta])* $kind:ty) => {{
        #[derive(JsonSchema)]
        struct It {
            $(#[$attribute])*
            it: $kind,
        }
        Form::from_type::<It>().map(|mut form| form.fields.remove(0))
    }};
}

#[track_caller]
fn check(got: Result<Field, crate::TypedError>, expected: Field) {
    assert_eq!(got.unwrap(), expected);
}

#[track_caller]
fn refuse(got: Result<Field, crate::TypedError>, why: &str) {
    assert_eq!(
        got.unwrap_err().to_string(),
        format!("the field \"it\" {why}")
    );
}

fn it(kind: Kind) -> Field {
    Field::new("it", kind)
}

fn integer(min: Option<i64>, max: Option<i64>) -> Field {
    it(Kind::Integer(Integer {
        min,
        max,
        ..Integer::default()
    }))
}

#[test]
fn texts() {
    let text = |change: fn(&mut Text)| {
        let mut rules = Text::default();
        change(&mut rules);
        it(Kind::Text(rules))
    };
    check(
        form!(/** Some help. */ String),
        text(|_| ()).help("Some help."),
    );
    check(
        form!(
            #[schemars(title = "The title")]
            String
        ),
        text(|_| ()).title("The title"),
    );
    check(form!(Option<String>), text(|_| ()).optional());
    check(
        form!(
            #[serde(default)]
            String
        ),
        text(|_| ()).optional(),
    );
    check(
        form!(
            #[schemars(length(min = 1, max = 9))]
            String
        ),
        text(|rules| (rules.min_length, rules.max_length) = (Some(1), Some(9))),
    );
    check(
        form!(
            #[schemars(regex(pattern = "^[a-z]+$"))]
            String
        ),
        text(|rules| rules.pattern = Some("[a-z]+".into())),
    );
    check(
        form!(
            #[schemars(email)]
            String
        ),
        text(|rules| rules.format = Some(Format::Email)),
    );
    check(
        form!(#[schemars(url)] Option<String>),
        text(|rules| rules.format = Some(Format::Uri)).optional(),
    );
    check(
        form!(
            #[schemars(extend("format" = "date-time"))]
            String
        ),
        it(Kind::DateTime(DateRange::default())),
    );
    check(
        form!(
            #[schemars(extend("format" = "password"))]
            String
        ),
        it(Kind::Secret),
    );
    check(
        form!(char),
        text(|rules| (rules.min_length, rules.max_length) = (Some(1), Some(1))),
    );
}

#[test]
fn numbers_and_booleans() {
    check(form!(u8), integer(Some(0), Some(255)));
    check(
        form!(i32),
        integer(Some(i32::MIN.into()), Some(i32::MAX.into())),
    );
    check(form!(u64), integer(Some(0), None));
    check(form!(i64), integer(None, None));
    check(
        form!(#[schemars(range(min = 1, max = 5))] Option<u16>),
        integer(Some(1), Some(5)).optional(),
    );
    check(form!(f64), it(Kind::Number(Number::default())));
    check(form!(bool), it(Kind::Confirm));
    check(form!(Option<bool>), it(Kind::Confirm).optional());
    check(
        form!(#[serde(default)] Option<bool>),
        it(Kind::Confirm).optional(),
    );
    check(
        form!(
            #[serde(default)]
            bool
        ),
        it(Kind::Toggle(Toggle {
            default: Some(false),
        }))
        .optional(),
    );
}

#[test]
fn enums_in_any_shape() {
    let one = |options, default: Option<&str>| {
        it(Kind::Choice(Choice {
            options,
            other: false,
            default: default.map(Into::into),
            enum_names: false,
        }))
    };
    let plain = || vec![Pick::new("red"), Pick::new("grün")];
    let documented = || {
        vec![
            Pick::new("Other"),
            Pick::new("Major").description("Sounds glad."),
            Pick::new("Minor").label("Minor key"),
        ]
    };
    check(form!(Plain), one(plain(), None));
    check(form!(Option<Plain>), one(plain(), None).optional());
    check(form!(Box<Plain>), one(plain(), None));
    check(
        form!(
            #[serde(default)]
            Plain
        ),
        one(plain(), Some("red")).optional(),
    );
    check(
        form!(#[serde(default)] Option<Plain>),
        one(plain(), None).optional(),
    );
    check(
        form!(/** Which? */ Option<Documented>),
        one(documented(), None).optional().help("Which?"),
    );
    check(form!(Documented), one(documented(), None));

    let many = |options, min, max| {
        it(Kind::Choices(Choices {
            options,
            min,
            max,
            ..Choices::default()
        }))
    };
    check(form!(Vec<Documented>), many(documented(), None, None));
    check(
        form!(Option<Vec<Plain>>),
        many(plain(), None, None).optional(),
    );
    check(form!(BTreeSet<Plain>), many(plain(), None, None));
    check(
        form!(#[serde(default)] Vec<Plain>),
        many(plain(), None, None).optional(),
    );
    check(
        form!(#[schemars(length(min = 1, max = 2))] Vec<Plain>),
        many(plain(), Some(1), Some(2)),
    );
    let only = Pick::new("Only").description("The only one.");
    check(form!(Single), one(vec![only], None).help("The only one."));
}

fn by_reference(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"allOf": [{"$ref": "#/$defs/Key"}]}, {"type": "null"}]})
}

#[test]
fn schemas_of_another_hand() {
    #[derive(JsonSchema)]
    #[schemars(extend("$defs" = {"Key": {"oneOf": [{"const": "a"}, {"const": "b", "title": "B"}]}}))]
    struct It {
        #[schemars(schema_with = "by_reference")]
        it: String,
    }
    let options = vec![Pick::new("a"), Pick::new("b").label("B")];
    let expected = it(Kind::Choice(Choice {
        options,
        ..Choice::default()
    }))
    .optional();
    check(
        Form::from_type::<It>().map(|mut form| form.fields.remove(0)),
        expected,
    );
}

#[test]
fn what_no_form_can_ask() {
    #[derive(JsonSchema)]
    struct Nested {
        x: u8,
        again: Option<Box<Nested>>,
    }
    #[derive(JsonSchema)]
    enum Data {
        A(u8),
        B,
    }
    let nested = "is a struct or a map: flatten it, or ask for it on its own";
    refuse(form!(Nested), nested);
    refuse(form!(Option<Nested>), nested);
    refuse(form!(HashMap<String, u8>), nested);
    refuse(
        form!((u8, u8)),
        "is a tuple: give each of its parts a field of its own",
    );
    refuse(
        form!(Vec<String>),
        "is a list of arbitrary values: only a list of options can be asked for",
    );
    refuse(form!(Data), "has alternatives that are not plain options");
    refuse(
        form!(serde_json::Value),
        "can hold anything: give it a type",
    );
    refuse(
        form!(std::net::IpAddr),
        "has the format \"ip\", which no field can check",
    );
    refuse(form!(()), "has the type \"null\", which no field can hold");
    refuse(
        form!(
            #[serde(default)]
            #[schemars(range(min = 1))]
            u8
        ),
        "has a default that breaks its own rules: it must be at least 1.",
    );
    let name = |error: crate::TypedError| error.to_string();
    let root = "Plain must be a struct with named fields to be asked as a form";
    assert_eq!(Form::from_type::<Plain>().map_err(name), Err(root.into()));
    assert!(Form::from_type::<u8>().is_err());
    assert!(Form::from_type::<Data>().is_err());
}

#[test]
fn fields_keep_their_order_and_come_back_as_the_type() {
    #[derive(JsonSchema, Deserialize)]
    struct Inner {
        middle: u8,
    }
    #[derive(JsonSchema, Deserialize)]
    struct Song {
        zeta: f64,
        #[serde(rename = "theKey")]
        key: Option<Plain>,
        #[serde(flatten)]
        inner: Inner,
        alpha: Vec<Plain>,
    }
    let form = Form::from_type::<Song>().unwrap();
    let names: Vec<_> = form
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    assert_eq!(names, ["zeta", "theKey", "middle", "alpha"]);
    let answer = serde_json::json!({"zeta": 2, "theKey": "", "middle": 3.0, "alpha": ["grün"]});
    let answer = form.validate(answer.as_object().unwrap()).unwrap();
    let song: Song = serde_json::from_value(answer.into()).unwrap();
    assert_eq!(
        (song.zeta, song.key.is_none(), song.inner.middle),
        (2.0, true, 3)
    );
}
