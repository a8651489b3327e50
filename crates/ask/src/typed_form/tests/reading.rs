//! From an answer back to the type.

use super::Plain;
use crate::{TypedError, TypedForm};
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[track_caller]
fn form<T: JsonSchema + DeserializeOwned>() -> TypedForm<T> {
    TypedForm::new().unwrap()
}

fn read<T: JsonSchema + DeserializeOwned>(answer: &Value) -> Result<T, TypedError> {
    form::<T>().read(answer.as_object().unwrap().clone())
}

#[track_caller]
fn check<T>(answer: Value, wanted: T)
where
    T: JsonSchema + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    assert_eq!(read::<T>(&answer), Ok(wanted), "{answer}");
}

#[track_caller]
fn refuse<T: JsonSchema + DeserializeOwned + std::fmt::Debug>(answer: Value, why: &str) {
    let name = T::schema_name();
    let wanted = format!("the answer cannot be read as {name}: {why}");
    let error = read::<T>(&answer).unwrap_err();
    assert_eq!(error.to_string(), wanted, "{answer}");
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Lists {
    needed: Vec<String>,
    maybe: Option<Vec<String>>,
    #[serde(default)]
    none: Vec<String>,
    #[schemars(length(min = 2, max = 3))]
    some: Option<BTreeSet<String>>,
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn lines_come_back_as_lists() {
    let lists = |needed: &[&str]| Lists {
        needed: texts(needed),
        maybe: None,
        none: Vec::new(),
        some: None,
    };
    check(json!({ "needed": "a" }), lists(&["a"]));
    check(
        json!({ "needed": "  a b \r\n\n\tc\n \n", "maybe": "", "none": null }),
        lists(&["a b", "c"]),
    );
    check(
        json!({ "needed": "a\na", "maybe": "x", "none": "y\nz", "some": "b\na\nb" }),
        Lists {
            needed: texts(&["a", "a"]),
            maybe: Some(texts(&["x"])),
            none: texts(&["y", "z"]),
            some: Some(texts(&["a", "b"]).into_iter().collect()),
        },
    );
    refuse::<Lists>(json!({}), "needed must be filled in.");
    refuse::<Lists>(json!({ "needed": " \n " }), "needed must be filled in.");
    refuse::<Lists>(json!({ "needed": ["a"] }), "needed must be text.");
    refuse::<Lists>(
        json!({ "needed": "a", "some": "x" }),
        "some must have at least 2 lines.",
    );
    refuse::<Lists>(
        json!({ "needed": "a", "some": "a\nb\nc\nd" }),
        "some must have at most 3 lines.",
    );
    refuse::<Lists>(
        json!({ "needed": "a", "some": "x\nx" }),
        "the field \"some\" must have at least 2 lines that differ",
    );
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Dates {
    #[schemars(with = "String", extend("format" = "date"))]
    day: jiff::civil::Date,
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    moment: Option<jiff::Timestamp>,
    #[schemars(extend("format" = "date"))]
    text: Option<String>,
}

#[test]
fn dates_come_back_as_dates() {
    check(
        json!({ "day": "2026-07-28", "moment": "2026-07-28T09:30:00+02:00" }),
        Dates {
            day: jiff::civil::date(2026, 7, 28),
            moment: Some("2026-07-28T07:30:00Z".parse().unwrap()),
            text: None,
        },
    );
    check(
        json!({ "day": "2026-07-28", "moment": "", "text": "2026-02-01" }),
        Dates {
            day: jiff::civil::date(2026, 7, 28),
            moment: None,
            text: Some("2026-02-01".into()),
        },
    );
    refuse::<Dates>(
        json!({ "day": "2026-02-30" }),
        "day must be a date, like 2026-07-28.",
    );
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Inner {
    x: Option<u8>,
    tags: Option<Vec<String>>,
    key: Option<Plain>,
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct Strict {
    name: String,
    sure: bool,
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Outer {
    strict: Strict,
    loose: Inner,
    maybe: Option<Inner>,
    last: u8,
}

#[test]
fn structs_come_back_nested() {
    let strict = || Strict {
        name: "ada".into(),
        sure: false,
    };
    let nothing = || Inner {
        x: None,
        tags: None,
        key: None,
    };
    check(
        json!({ "strict_name": "ada", "strict_sure": false, "last": 1.0 }),
        Outer {
            strict: strict(),
            loose: nothing(),
            maybe: None,
            last: 1,
        },
    );
    check(
        json!({
            "strict_name": "ada", "strict_sure": false, "loose_tags": "a\nb", "maybe_key": "grün", "last": 1,
        }),
        Outer {
            strict: strict(),
            loose: Inner {
                tags: Some(texts(&["a", "b"])),
                ..nothing()
            },
            maybe: Some(Inner {
                key: Some(Plain::Green),
                ..nothing()
            }),
            last: 1,
        },
    );
    refuse::<Outer>(
        json!({ "strict_name": "ada", "last": 1 }),
        "Strict: sure must be yes or no.",
    );
    refuse::<Outer>(
        json!({ "strict": { "name": "ada", "sure": true }, "last": 1 }),
        "Strict: name must be filled in. Strict: sure must be yes or no. The form has no field \"strict\".",
    );
}

#[test]
fn a_type_may_refuse_what_the_form_takes() {
    #[derive(JsonSchema, Deserialize, Debug)]
    #[serde(try_from = "String")]
    #[schemars(with = "String")]
    struct Even(String);

    impl TryFrom<String> for Even {
        type Error = String;

        fn try_from(text: String) -> Result<Self, String> {
            match text.len() % 2 {
                0 => Ok(Self(text)),
                _ => Err(format!("{text} is odd")),
            }
        }
    }

    #[derive(JsonSchema, Deserialize, Debug)]
    struct It {
        it: Even,
    }
    refuse::<It>(json!({ "it": "abc" }), "abc is odd");

    #[derive(JsonSchema, Deserialize, Debug)]
    struct Token {
        #[schemars(extend("format" = "password"))]
        token: Even,
    }
    refuse::<Token>(
        json!({ "token": "hunter2" }),
        "one of its fields refuses its value",
    );
}

#[test]
fn it_can_be_shared_between_threads() {
    fn check<T: Send + Sync + Clone + std::fmt::Debug>(_: &T) {}
    // The type itself can do none of that.
    #[derive(JsonSchema, Deserialize)]
    struct It {
        it: String,
        #[serde(skip)]
        alone: std::marker::PhantomData<*const u8>,
    }
    check(&form::<It>());
}
