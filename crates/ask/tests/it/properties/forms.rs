//! Forms of every kind that travels, with valid answers in their own shape; and broken ones.

use holdpoint_ask::{
    Answer, Field, Form, Kind,
    field::{Choice, Choices, DateRange, Format, Integer, Number, Pick, Rating, Text, Toggle},
};
use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};

/// A form, and an answer that fits it.
#[derive(Debug, Clone)]
pub struct Asked {
    pub form: Form,
    pub answer: Answer,
}

/// Names that could be taken for parts of each other.
const NAMES: [&str; 12] = [
    "it",
    "01_it",
    "02_it",
    "it_01_a",
    "it_other",
    "it_other_",
    "it_a",
    "it_1",
    "it_2",
    "other",
    "a b",
    "ü",
];
const OPTIONS: [&str; 9] = [
    "a",
    "b",
    "other",
    "other_",
    "c d",
    "né",
    "1",
    "Not decided yet",
    "Yes",
];
const OWN: [&str; 3] = ["mine", " my own ", "true"];

pub fn asked() -> impl Strategy<Value = Asked> {
    let names = prop::sample::subsequence(NAMES.to_vec(), 1..=5).prop_shuffle();
    names.prop_flat_map(|names| {
        let fields: Vec<_> = names.into_iter().map(field).collect();
        fields.prop_map(|fields| {
            let mut asked = Asked {
                form: Form::new(),
                answer: Answer::new(),
            };
            for (field, value) in fields {
                asked
                    .answer
                    .extend(value.map(|value| (field.name.clone(), value)));
                asked.form.fields.push(field);
            }
            asked
        })
    })
}

fn field(name: &'static str) -> impl Strategy<Value = (Field, Option<Value>)> {
    let text = || prop::option::of("T[a-z \u{202e}\u{200b}\u{1b}é😀\n]{0,6}");
    (kind(), text(), text(), any::<bool>(), any::<[bool; 2]>()).prop_map(
        move |((kind, value), title, help, required, [given, separate])| {
            // An optional choice of nothing is left out.
            let given = required || (given && value != json!([]));
            let mut field = Field::new(name, kind);
            (field.title, field.help) = (title, help);
            field.required = required;
            field.separate = separate && !required;
            (field, given.then_some(value))
        },
    )
}

fn kind() -> impl Strategy<Value = (Kind, Value)> {
    prop_oneof![
        text(),
        formatted(),
        (prop::option::of(any::<bool>()), any::<bool>())
            .prop_map(|(default, value)| (Kind::Toggle(Toggle { default }), json!(value))),
        any::<bool>().prop_map(|value| (Kind::Confirm, json!(value))),
        choice(),
        choices(),
        number(),
        integer(),
        rating(),
        day(),
    ]
}

fn text() -> impl Strategy<Value = (Kind, Value)> {
    let value = "x[a-zA-Z0-9 äß😀\u{200b}]{0,8}";
    (value, 0..3u32, 0..3u32, any::<bool>(), any::<bool>()).prop_map(
        |(value, less, more, bound, fill)| {
            let length = value.chars().count() as u32;
            let rules = Text {
                min_length: bound.then(|| length.saturating_sub(less)),
                max_length: bound.then(|| length + more),
                multiline: more > 1,
                min_lines: (bound && more > 0).then_some(1),
                max_lines: bound.then_some(1 + less),
                placeholder: Some("like\u{202e} this".into()),
                default: fill.then(|| "x".repeat(length as usize)),
                ..Text::default()
            };
            (Kind::Text(rules), json!(value))
        },
    )
}

fn formatted() -> impl Strategy<Value = (Kind, Value)> {
    let format = |format, value: &str| (Some(format), None, value.to_owned());
    let pattern = |pattern: &str, value: &str| (None, Some(pattern.to_owned()), value.to_owned());
    select(vec![
        format(Format::Email, "ada@example.org"),
        format(Format::Uri, "https://example.org/a?b"),
        format(Format::Date, "2026-07-28"),
        format(Format::DateTime, "2026-07-28T09:30:00+02:00"),
        pattern("[a-z]{2,5}", "abc"),
        pattern("a|ab", "ab"),
    ])
    .prop_map(|(format, pattern, value)| {
        let rules = Text {
            format,
            pattern,
            ..Text::default()
        };
        (Kind::Text(rules), json!(value))
    })
}

fn options() -> impl Strategy<Value = Vec<Pick>> {
    let pick = |value: &'static str| {
        (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(move |(label, help, recommended)| {
            Pick {
                ending: None,
                value: value.into(),
                label: label.then(|| match value {
                    "b" => "Not decided yet_".into(),
                    value => format!("{value}\u{200b}!"),
                }),
                description: help.then(|| format!("what {value} is\u{202e}")),
                recommended,
            }
        })
    };
    let values = prop::sample::subsequence(OPTIONS.to_vec(), 1..=5).prop_shuffle();
    values.prop_flat_map(move |values| values.into_iter().map(pick).collect::<Vec<_>>())
}

fn choice() -> impl Strategy<Value = (Kind, Value)> {
    (
        options(),
        any::<prop::sample::Index>(),
        select(OWN.to_vec()),
        0..4u8,
        any::<bool>(),
    )
        .prop_map(|(options, at, own, way, enum_names)| {
            let picked = options[at.index(options.len())].value.clone();
            let value = if way == 0 {
                own.to_owned()
            } else {
                picked.clone()
            };
            let rules = Choice {
                options,
                other: way < 2,
                default: (way == 2).then_some(picked),
                enum_names,
            };
            (Kind::Choice(rules), json!(value))
        })
}

fn choices() -> impl Strategy<Value = (Kind, Value)> {
    let ticks = prop::collection::vec(any::<bool>(), 5);
    let room = || prop::option::of(0..2u32);
    (
        options(),
        ticks,
        select(OWN.to_vec()),
        0..4u8,
        room(),
        room(),
    )
        .prop_map(|(options, ticks, own, way, less, more)| {
            let ticked = options.iter().zip(&ticks).filter(|(_, ticked)| **ticked);
            let picked: Vec<_> = ticked.map(|(pick, _)| pick.value.clone()).collect();
            let mut value = picked.clone();
            value.extend((way == 0).then(|| own.to_owned()));
            let count = value.len() as u32;
            let setting = way == 2 && !picked.is_empty();
            let rules = Choices {
                options,
                other: way < 2,
                min: less.map(|less| count.saturating_sub(less)),
                max: more.map(|more| (count + more).max(1)),
                default: setting.then_some(picked),
            };
            (Kind::Choices(rules), json!(value))
        })
}

/// A number in JSON as validation writes it.
fn plain(quarters: i64) -> Value {
    match quarters % 4 {
        0 => json!(quarters / 4),
        _ => json!(quarters as f64 / 4.0),
    }
}

fn number() -> impl Strategy<Value = (Kind, Value)> {
    (
        -400..400i64,
        0..40i64,
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(quarters, room, bound, step, fill)| {
            let value = quarters as f64 / 4.0;
            let rules = Number {
                min: bound.then_some(value - room as f64),
                max: bound.then_some(value + room as f64),
                step: step.then_some(0.25),
                unit: bound.then(|| "BPM\u{200b}".into()),
                default: fill.then_some(value),
            };
            (Kind::Number(rules), plain(quarters))
        })
}

fn integer() -> impl Strategy<Value = (Kind, Value)> {
    let value = prop_oneof![
        -1000..1000i64,
        Just(9_007_199_254_740_991),
        Just(-9_007_199_254_740_991)
    ];
    (value, 0..40i64, any::<bool>(), any::<bool>()).prop_map(|(value, room, bound, fill)| {
        let rules = Integer {
            min: (bound && value > -2000).then_some(value - room * 3),
            max: (bound && value < 2000).then_some(value + room),
            step: bound
                .then_some(if value > 2000 { 1 } else { 3 })
                .filter(|_| value > -2000),
            unit: None,
            default: fill.then_some(value),
        };
        (Kind::Integer(rules), json!(value))
    })
}

fn rating() -> impl Strategy<Value = (Kind, Value)> {
    (2..=10u8, any::<prop::sample::Index>(), any::<bool>()).prop_map(|(max, at, named)| {
        let rules = Rating {
            max,
            low_label: named.then(|| "bad\u{200b}".into()),
            high_label: None,
        };
        (Kind::Rating(rules), json!(1 + at.index(max.into())))
    })
}

fn day() -> impl Strategy<Value = (Kind, Value)> {
    let range = |min: &str, max: &str| DateRange {
        min: Some(min.into()),
        max: Some(max.into()),
        default: Some(min.into()),
    };
    let day = Kind::Date(range("2026-01-01", "2026-12-31"));
    let moment = Kind::DateTime(range("2026-01-01T00:00:00Z", "2026-12-31T00:00:00Z"));
    select(vec![
        (day, json!("2026-07-28")),
        (moment, json!("2026-07-28T09:30:00.5-05:00")),
        (Kind::Date(DateRange::default()), json!("1815-12-10")),
        (
            Kind::DateTime(DateRange::default()),
            json!("1815-12-10T00:00:00Z"),
        ),
    ])
}

/// Values that do not fit the field.
pub fn broken(field: &Field) -> Vec<Value> {
    let mut broken = vec![json!({}), json!([null]), json!({"it": true})];
    if field.required {
        broken.push(Value::Null);
    }
    match &field.kind {
        Kind::Text(rules) => {
            broken.push(json!(1));
            broken.push(json!(true));
            broken.extend(
                rules
                    .max_length
                    .map(|most| json!("x".repeat(most as usize + 1))),
            );
            let least = rules.min_length.filter(|least| *least > 1);
            broken.extend(least.map(|least| json!("x".repeat(least as usize - 1))));
            broken.extend(rules.format.map(|_| json!("not so")));
            broken.extend(rules.pattern.as_ref().map(|_| json!("NOT SO")));
        }
        Kind::Toggle(_) | Kind::Confirm => {
            broken.extend([
                json!("true"),
                json!("yes"),
                json!(1),
                json!([true]),
                json!(0),
            ]);
        }
        Kind::Choice(rules) => {
            broken.extend([json!(1), json!(true), json!(["a"])]);
            broken.extend((!rules.other).then(|| json!("no option")));
        }
        Kind::Choices(rules) => {
            let first = &rules.options[0].value;
            broken.extend([json!(first), json!([first, first]), json!([1]), json!([""])]);
            broken.extend([json!(["one own", "another own"])]);
            broken.extend((!rules.other).then(|| json!(["no option"])));
        }
        Kind::Number(rules) => {
            broken.extend([json!("5"), json!(true)]);
            broken.extend(rules.min.map(|min| json!(min - 1.0)));
            broken.extend(rules.max.map(|max| json!(max + 1.0)));
            broken.extend(rules.step.map(|_| json!(rules.min.unwrap_or(0.0) + 0.1)));
        }
        Kind::Integer(rules) => {
            broken.extend([json!("5"), json!(true), json!(1.5), json!(1e300)]);
            broken.extend(rules.min.map(|min| json!(min - 3)));
            broken.extend(rules.max.map(|max| json!(max + 3)));
        }
        Kind::Rating(rules) => {
            broken.extend([json!(0), json!(rules.max + 1), json!("3"), json!(1.5)])
        }
        Kind::Date(range) | Kind::DateTime(range) => {
            broken.extend([json!("tomorrow"), json!(20260728), json!("2026-13-01")]);
            broken.extend(
                range
                    .min
                    .as_ref()
                    .map(|min| json!(min.replace("2026", "2025"))),
            );
            broken.extend(
                range
                    .max
                    .as_ref()
                    .map(|max| json!(max.replace("2026", "2027"))),
            );
        }
        Kind::Secret | Kind::File(_) | Kind::Link(_) => unreachable!("these do not travel"),
    }
    broken
}

/// Values of any type that a client might send for anything.
pub fn anything() -> impl Strategy<Value = Value> {
    select(vec![
        json!(true),
        json!(false),
        json!("true"),
        json!("yes"),
        json!("on"),
        json!(1),
        json!(1.0),
        json!([true]),
        json!({"value": true}),
        json!(""),
        json!(null),
        json!("a"),
        json!(["a"]),
        json!("other"),
        json!("Yes"),
        json!("No"),
        json!(["Yes"]),
        json!("Not decided yet"),
        json!("confirm"),
        json!("Confirm "),
        json!("-"),
    ])
}
