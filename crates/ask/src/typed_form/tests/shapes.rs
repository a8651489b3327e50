//! Lists, dates and structs: what is asked in another shape than it has.

use super::{check, it, refuse, refuse_at};
use crate::{
    Field, Form, Kind,
    field::{DateRange, Text},
    typed_form::{make_fields::in_words, parse},
};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

fn two_lines() -> Vec<String> {
    vec!["a".into(), "b c".into()]
}

fn no_line() -> Vec<String> {
    vec!["a\nb".into()]
}

#[test]
fn lists_of_texts_are_lines() {
    let lines = |change: fn(&mut Text)| {
        let mut rules = Text {
            multiline: true,
            ..Text::default()
        };
        change(&mut rules);
        it(Kind::Text(rules)).help("One per line.")
    };
    check(form!(Vec<String>), lines(|_| ()));
    check(form!(Option<Vec<String>>), lines(|_| ()).optional());
    check(
        form!(#[serde(default)] Vec<String>),
        lines(|_| ()).optional(),
    );
    check(form!(BTreeSet<String>), lines(|_| ()));
    check(
        form!(/** Who gets it */ #[schemars(title = "Readers")] Vec<String>),
        lines(|_| ())
            .title("Readers")
            .help("Who gets it. One per line."),
    );
    check(
        form!(/** Who gets it? */ Vec<String>),
        lines(|_| ()).help("Who gets it? One per line."),
    );
    check(
        form!(#[schemars(length(min = 2, max = 5))] Option<Vec<String>>),
        lines(|rules| (rules.min_lines, rules.max_lines) = (Some(2), Some(5))).optional(),
    );
    check(
        form!([String; 3]),
        lines(|rules| (rules.min_lines, rules.max_lines) = (Some(3), Some(3))),
    );
    check(
        form!(#[serde(default = "two_lines")] Vec<String>),
        lines(|rules| rules.default = Some("a\nb c".into())).optional(),
    );
    refuse(
        form!(#[serde(default = "no_line")] Vec<String>),
        "has a default that is not a list of lines",
    );
    refuse(
        form!(#[schemars(length(min = 5, max = 2))] Vec<String>),
        "has a minLines above its maxLines",
    );
}

#[test]
fn dates_and_moments() {
    let day = || it(Kind::Date(DateRange::default()));
    let moment = || it(Kind::DateTime(DateRange::default()));
    check(
        form!(
            #[schemars(extend("format" = "date"))]
            String
        ),
        day(),
    );
    check(
        form!(#[schemars(extend("format" = "date"))] Option<String>),
        day().optional(),
    );
    // What the feature `jiff02` of schemars says of these two.
    check(
        form!(
            #[schemars(with = "String", extend("format" = "date"))]
            jiff::civil::Date
        ),
        day(),
    );
    check(
        form!(
            #[schemars(with = "String", extend("format" = "date-time"))]
            jiff::Timestamp
        ),
        moment(),
    );
    refuse(
        form!(
            #[schemars(extend("format" = "partial-date-time"))]
            String
        ),
        "has the format \"partial-date-time\", which no field can check",
    );
}

/// Where it goes
#[derive(JsonSchema)]
struct Address {
    /// With the number.
    street: String,
    #[serde(rename = "zipCode")]
    zip: Option<u32>,
    #[schemars(title = "Sure?")]
    sure: bool,
}

#[test]
fn structs_are_flattened_by_one_level() {
    #[derive(JsonSchema)]
    struct Order {
        #[serde(rename = "ship_to")]
        to: Address,
        count: u8,
        #[schemars(title = "Bill")]
        /** Who pays? */
        invoice: Address,
    }
    let form = parse::<Order>().unwrap().0;
    let shown: Vec<_> = form
        .fields
        .iter()
        .map(|field| {
            let title = field.title.as_deref().unwrap_or("-");
            let help = field.help.as_deref().unwrap_or("-");
            let optional = if field.required { "" } else { "optional " };
            format!("{optional}{} | {title} | {help}", field.name)
        })
        .collect();
    assert_eq!(
        shown,
        [
            "ship_to_street | Ship to: street | Where it goes. With the number.",
            "optional ship_to_zipCode | Ship to: zip code | -",
            "ship_to_sure | Ship to: Sure? | -",
            "count | - | -",
            "invoice_street | Bill: street | Who pays? With the number.",
            "optional invoice_zipCode | Bill: zip code | -",
            "invoice_sure | Bill: Sure? | -",
        ]
    );
    assert_eq!(form.fields[2].kind, Kind::Confirm, "it decides, nested too");
}

#[derive(JsonSchema, Serialize, Default)]
struct Loose {
    x: Option<u8>,
    #[serde(default)]
    loud: bool,
}

fn loud() -> Loose {
    Loose {
        x: None,
        loud: true,
    }
}

#[test]
fn a_struct_may_be_left_out_only_as_its_fields_may() {
    let strict = "may be left out, but its field \"street\" may not: make each of its fields an Option, or require the whole";
    refuse(form!(Option<Address>), strict);
    check(
        form!(Option<Loose>),
        Field::new("it_x", form!(u8).unwrap().kind)
            .title("It: x")
            .optional(),
    );
    assert!(
        form!(
            #[serde(default)]
            Loose
        )
        .is_ok()
    );
    assert!(form!(#[serde(default)] Option<Loose>).is_ok());
    refuse(
        form!(
            #[serde(default = "loud")]
            Loose
        ),
        "has a default as a whole: give its fields defaults of their own",
    );
}

#[test]
fn two_fields_of_one_name_are_both_named() {
    #[derive(JsonSchema)]
    struct Inner {
        x: u8,
        y_z: u8,
    }
    #[derive(JsonSchema)]
    struct Before {
        it_x: u8,
        it: Inner,
    }
    #[derive(JsonSchema)]
    struct After {
        it: Inner,
        it_x: u8,
    }
    #[derive(JsonSchema)]
    struct Z {
        z: u8,
    }
    #[derive(JsonSchema)]
    struct Both {
        it: Inner,
        it_y: Z,
    }
    let clash = |asked: &str, other: &str| {
        format!("is asked as {asked:?}, and so is the field {other:?}: rename one of the two")
    };
    refuse_at("it.x", parse::<Before>(), &clash("it_x", "it_x"));
    refuse_at("it_x", parse::<After>(), &clash("it_x", "it.x"));
    refuse_at("it_y.z", parse::<Both>(), &clash("it_y_z", "it.y_z"));
}

#[test]
fn names_are_written_as_people_write_them() {
    let check = |name: &str, wanted: &str| {
        assert_eq!(in_words(name), wanted, "{name:?}");
    };
    check("zip_code", "zip code");
    check("zipCode", "zip code");
    check("zip-code", "zip code");
    check("userID", "user ID");
    check("planB", "plan B");
    check("URL", "URL");
    check("grüßeAn", "grüße an");
    check("_x", "x");
    check("", "");
}

#[test]
fn a_form_alone_is_one_whose_answer_is_the_type() {
    #[derive(JsonSchema)]
    struct Flat {
        x: u8,
    }
    #[derive(JsonSchema)]
    struct Lines {
        x: u8,
        lines: Vec<String>,
    }
    #[derive(JsonSchema)]
    struct Deep {
        inner: Flat,
    }
    assert!(Form::from_type::<Flat>().is_ok());
    let shape =
        "is not answered in the shape that it has: ask with a TypedForm, which reads it back";
    refuse_at("lines", Form::from_type::<Lines>(), shape);
    refuse_at("inner", Form::from_type::<Deep>(), shape);
}
