//! Forms of Rust types: fields that are answered as they stand, and what no form can ask.

#![allow(dead_code)]

use crate::{
    Field, Form, Kind, TypedError,
    field::{Choice, Choices, DateRange, Format, Integer, Number, Pick, Text, Toggle},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

#[derive(JsonSchema, Serialize, Deserialize, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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
        crate::typed_form::parse::<It>().map(|(mut form, _)| form.fields.remove(0))
    }};
}

mod consent;
mod reading;
mod shapes;

#[track_caller]
fn check(got: Result<Field, TypedError>, expected: Field) {
    assert_eq!(got.unwrap(), expected);
}

#[track_caller]
fn refuse(got: Result<Field, TypedError>, why: &str) {
    refuse_at("it", got, why);
}

#[track_caller]
fn refuse_at<T: std::fmt::Debug>(field: &str, got: Result<T, TypedError>, why: &str) {
    let error = got.unwrap_err();
    assert!(
        matches!(&error, TypedError::Field { field: at, .. } if at == field)
            || matches!(error, TypedError::Form(_)),
        "{error:?}"
    );
    assert_eq!(error.to_string(), format!("the field {field:?} {why}"));
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
    let nested = "is a struct in a struct inside the type: put `#[serde(flatten)]` on one of the two, or ask for it on its own";
    refuse_at("it.again", form!(Nested), nested);
    let map = "is a map: use a struct, which has a field for each key";
    refuse(form!(HashMap<String, u8>), map);
    refuse(form!(HashMap<u8, String>), map);
    refuse(form!(Option<HashMap<String, Nested>>), map);
    refuse(form!(serde_json::Map<String, serde_json::Value>), map);
    refuse(
        form!((u8, u8)),
        "is a tuple: give each of its parts a field of its own",
    );
    let list = |of: &str| {
        format!(
            "is a list of {of}: use a list of texts (Vec<String>) or of an enum, or ask for each on its own"
        )
    };
    refuse(form!(Vec<u8>), &list("numbers"));
    refuse(form!(Vec<f64>), &list("numbers"));
    refuse(form!([i32; 3]), &list("numbers"));
    refuse(form!(Option<Vec<bool>>), &list("booleans"));
    refuse(form!(Vec<Nested>), &list("structs"));
    refuse(form!(Vec<Vec<String>>), &list("lists"));
    refuse(
        form!(Vec<HashMap<String, u8>>),
        &list("values that are not texts"),
    );
    refuse(
        form!(Vec<serde_json::Value>),
        "can hold anything: give it a type",
    );
    let ruled =
        "is a list of texts with a rule for each, which lines are not checked for: use Vec<String>";
    refuse(form!(Vec<char>), ruled);
    refuse(
        form!(#[schemars(inner(length(max = 9)))] Vec<String>),
        ruled,
    );
    refuse(form!(Vec<std::net::IpAddr>), ruled);
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
    let name = |error: TypedError| error.to_string();
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
