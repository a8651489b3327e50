//! Attempts to get a decision from a type that nobody made: no default of `serde` may stand for one.

use super::Plain;
use crate::{Kind, TypedForm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}

fn some_yes() -> Option<bool> {
    Some(true)
}

fn all() -> Vec<Plain> {
    vec![Plain::Red, Plain::Green]
}

fn green() -> Option<Plain> {
    Some(Plain::Green)
}

/// Reads what comes of an answer that leaves everything out.
#[track_caller]
fn untouched<T: JsonSchema + DeserializeOwned>() -> Result<T, String> {
    let form = TypedForm::<T>::new().unwrap();
    let deciding = form.form().fields.iter().filter(|field| field.decides());
    assert!(deciding.count() > 0, "it decides nothing");
    form.read(Default::default())
        .map_err(|error| error.to_string())
}

/// Its defaults are in no schema, since nobody writes them.
#[derive(JsonSchema, Serialize, Deserialize)]
struct Hidden {
    #[serde(default = "some_yes", skip_serializing_if = "Option::is_some")]
    sure: Option<bool>,
    #[serde(default = "all", skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("default" = null))]
    which: Vec<Plain>,
    #[serde(default = "green", skip_serializing_if = "Option::is_some")]
    key: Option<Plain>,
}

#[test]
fn a_default_that_nobody_sees_answers_nothing() {
    let read = untouched::<Hidden>().unwrap();
    assert_eq!(read.sure, None);
    assert!(read.which.is_empty());
    assert!(read.key.is_none());
}

#[test]
fn what_has_no_value_for_undecided_is_refused() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct It {
        #[serde(default = "yes", skip_serializing_if = "is_yes")]
        sure: bool,
    }
    let form = TypedForm::<It>::new().unwrap();
    assert_eq!(form.form().fields[0].kind, Kind::Confirm);
    assert_eq!(
        untouched::<It>().err().unwrap(),
        "the answer cannot be read as It: invalid type: null, expected a boolean; the field \"sure\" was left out, and no default can stand for what decides: make it an Option"
    );
    let given = |sure: bool| json!({ "sure": sure }).as_object().unwrap().clone();
    assert!(form.read(given(true)).unwrap().sure);
    assert!(!form.read(given(false)).unwrap().sure);
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Inner {
    sure: Option<bool>,
}

fn sure() -> Inner {
    Inner { sure: Some(true) }
}

fn some_sure() -> Option<Inner> {
    Some(sure())
}

fn always<T>(_: &T) -> bool {
    true
}

#[test]
fn a_default_of_a_whole_struct_answers_nothing() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Open {
        #[serde(default = "sure")]
        it: Inner,
    }
    let error = TypedForm::<Open>::new().err().unwrap().to_string();
    assert!(error.contains("a default as a whole"), "{error}");

    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Covered {
        #[serde(default = "sure", skip_serializing_if = "always")]
        it: Inner,
        #[serde(default = "some_sure", skip_serializing_if = "always")]
        other: Option<Inner>,
    }
    let read = untouched::<Covered>().unwrap();
    assert_eq!(read.it.sure, None);
    assert!(read.other.is_none());
}

#[test]
fn a_nested_boolean_without_a_default_decides() {
    #[derive(JsonSchema, Serialize, Deserialize, Debug)]
    struct Two {
        sure: bool,
        #[serde(default)]
        loud: bool,
    }
    #[derive(JsonSchema, Serialize, Deserialize, Debug)]
    struct It {
        it: Two,
    }
    let form = TypedForm::<It>::new().unwrap();
    let fields = &form.form().fields;
    assert!(fields[0].decides() && fields[0].required);
    assert!(!fields[1].decides(), "it has a default of its own");
    for answer in [
        json!({}),
        json!({ "it_sure": null }),
        json!({ "it_sure": "" }),
        json!({ "it_sure": "true" }),
        json!({ "it_sure": 1 }),
        json!({ "it": { "sure": true } }),
        json!({ "sure": true }),
        json!({ "it.sure": true }),
        json!({ "it_loud": true }),
    ] {
        let read = form.read(answer.as_object().unwrap().clone());
        assert!(read.is_err(), "{answer}: {read:?}");
    }
    let read = form.read(json!({ "it_sure": true }).as_object().unwrap().clone());
    assert!(read.unwrap().it.sure);
}

#[test]
fn a_struct_that_is_flattened_as_a_whole_is_left_out_as_a_whole() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Two {
        sure: bool,
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct It {
        #[serde(flatten)]
        two: Option<Two>,
    }
    assert!(untouched::<It>().unwrap().two.is_none());
    let form = TypedForm::<It>::new().unwrap();
    let read = form.read(json!({ "sure": true }).as_object().unwrap().clone());
    assert!(read.unwrap().two.unwrap().sure);
}

#[test]
fn no_field_that_decides_is_filled_in() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct It {
        sure: bool,
        maybe: Option<bool>,
        key: Plain,
        keys: Vec<Plain>,
        inner: Inner,
        hidden: Hidden,
    }
    let form = TypedForm::<It>::new().unwrap();
    for field in &form.form().fields {
        assert!(field.decides(), "{field:?}");
        let written = serde_json::to_value(field).unwrap();
        assert_eq!(written.get("default"), None::<&Value>, "{field:?}");
    }
}
