//! What a person typed, as the value of a field.

use super::file;
use holdpoint_ask::{Answer, Field, Form, Kind};
use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use serde_json::{Number, Value};

/// The value that this text stands for, checked; what is wrong with it where it is none.
///
/// # Errors
/// One sentence, in words for a person.
pub fn typed(field: &Field, text: &str) -> Result<Value, String> {
    let value = raw(field, text)?;
    checked(field, value)
}

/// The value as the form takes it; null where an optional field was left out.
///
/// # Errors
/// One sentence, in words for a person.
pub fn checked(field: &Field, value: Value) -> Result<Value, String> {
    let form = Form::new().field(field.clone());
    let answer = Answer::from_iter([(field.name.clone(), value)]);
    match form.validate(&answer) {
        Ok(mut answer) => Ok(answer.remove(&field.name).unwrap_or(Value::Null)),
        Err(errors) => Err(errors
            .into_iter()
            .map(|error| error.message)
            .collect::<Vec<_>>()
            .join(" ")),
    }
}

fn raw(field: &Field, text: &str) -> Result<Value, String> {
    let trimmed = text.trim();
    if trimmed.is_empty() && !matches!(field.kind, Kind::Text(_) | Kind::Secret) {
        return Ok(Value::Null);
    }
    Ok(match &field.kind {
        Kind::Text(_) | Kind::Secret => text.into(),
        Kind::Toggle(_) | Kind::Confirm | Kind::Link(_) => match truth(trimmed) {
            Some(truth) => truth.into(),
            // The form says in its own words what it takes.
            None => trimmed.into(),
        },
        Kind::Choice(_) | Kind::Date(_) => trimmed.into(),
        Kind::Choices(_) => several(trimmed),
        Kind::Number(_) => number(trimmed).unwrap_or_else(|| trimmed.into()),
        Kind::Integer(_) | Kind::Rating(_) => match trimmed.parse::<i64>() {
            Ok(whole) => whole.into(),
            Err(_) => number(trimmed).unwrap_or_else(|| trimmed.into()),
        },
        Kind::DateTime(_) => moment(trimmed, &TimeZone::system()).into(),
        Kind::File(rules) => file::read(trimmed, rules.max_bytes)?,
    })
}

/// A yes or a no. Only whole words are one.
fn truth(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "y" | "yes" | "true" | "on" => Some(true),
        "n" | "no" | "false" | "off" => Some(false),
        _ => None,
    }
}

fn number(text: &str) -> Option<Value> {
    let number: f64 = text.parse().ok()?;
    Number::from_f64(number).map(Value::Number)
}

/// Several options: a list as JSON has it, or words with commas between them.
fn several(text: &str) -> Value {
    if text.starts_with('[')
        && let Ok(list) = serde_json::from_str(text)
    {
        return list;
    }
    let words = text.split(',').map(str::trim);
    words.filter(|word| !word.is_empty()).collect()
}

/// A moment with its offset; a time without one is the time here.
fn moment(text: &str, here: &TimeZone) -> String {
    if text.parse::<Timestamp>().is_ok() {
        return text.to_owned();
    }
    let local = text.parse::<DateTime>();
    let zoned = local.and_then(|local| here.to_ambiguous_zoned(local).unambiguous());
    match zoned {
        Ok(zoned) => zoned.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        Err(_) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_ask::field::{
        Choice, Choices, DateRange, File, Integer, Link, Rating, Text, Toggle,
    };
    use serde_json::json;

    fn check(kind: Kind, text: &str, wanted: Result<Value, &str>) {
        let got = typed(&Field::new("it", kind), text);
        assert_eq!(got, wanted.map_err(str::to_owned), "{text:?}");
    }

    #[test]
    fn every_kind() {
        let options = || ["a", "b"].map(Into::into).to_vec();
        check(Kind::Text(Text::default()), " as is ", Ok(json!(" as is ")));
        check(
            Kind::Text(Text::default()),
            "",
            Err("it must be filled in."),
        );
        check(Kind::Secret, "hunter2", Ok(json!("hunter2")));
        for kind in [Kind::Confirm, Kind::Toggle(Toggle::default())] {
            check(kind.clone(), "YES", Ok(json!(true)));
            check(kind.clone(), "n", Ok(json!(false)));
            for none in ["yeah", "1", "", "ja"] {
                check(kind.clone(), none, Err("it must be yes or no."));
            }
        }
        let choice = || {
            Kind::Choice(Choice {
                options: options(),
                ..Choice::default()
            })
        };
        check(choice(), "a", Ok(json!("a")));
        check(choice(), "z", Err("it must be one of: a, b."));
        let choices = || {
            Kind::Choices(Choices {
                options: options(),
                ..Choices::default()
            })
        };
        check(choices(), "b, a", Ok(json!(["a", "b"])));
        check(choices(), r#"["b"]"#, Ok(json!(["b"])));
        check(choices(), "a,z", Err("it must have only: a, b."));
        let number = || Kind::Number(Default::default());
        check(number(), "1.5", Ok(json!(1.5)));
        check(number(), "120", Ok(json!(120)));
        check(number(), "many", Err("it must be a number."));
        check(number(), "NaN", Err("it must be a number."));
        check(
            Kind::Integer(Integer::default()),
            "9007199254740993",
            Ok(json!(9_007_199_254_740_993_i64)),
        );
        check(
            Kind::Integer(Integer::default()),
            "1.5",
            Err("it must be a whole number."),
        );
        check(Kind::Rating(Rating::default()), "4", Ok(json!(4)));
        check(
            Kind::Rating(Rating::default()),
            "6",
            Err("it must be at most 5."),
        );
        check(
            Kind::Date(DateRange::default()),
            "2026-07-28",
            Ok(json!("2026-07-28")),
        );
        check(
            Kind::Date(DateRange::default()),
            "28.7.",
            Err("it must be a date, like 2026-07-28."),
        );
        check(
            Kind::DateTime(DateRange::default()),
            "2026-07-28T09:30:00Z",
            Ok(json!("2026-07-28T09:30:00Z")),
        );
        let link = || {
            Kind::Link(Link {
                url: "https://example.org".into(),
            })
        };
        check(link(), "yes", Ok(json!(true)));
        check(
            link(),
            "no",
            Err("it must be opened and then marked as done."),
        );
        check(
            Kind::File(File::default()),
            "/nowhere/at/all",
            Err("There is no file /nowhere/at/all."),
        );
    }

    #[test]
    fn what_is_optional_may_be_left_out() {
        let field = Field::new("it", Kind::Confirm).optional();
        assert_eq!(typed(&field, ""), Ok(Value::Null));
        let field = Field::new("it", Kind::Text(Text::default())).optional();
        assert_eq!(typed(&field, ""), Ok(Value::Null));
    }

    #[test]
    fn a_time_without_an_offset_is_the_time_here() {
        let here = TimeZone::fixed(jiff::tz::offset(2));
        let check = |text: &str, wanted: &str| assert_eq!(moment(text, &here), wanted);
        check("2026-07-28T09:30:00Z", "2026-07-28T09:30:00Z");
        check("2026-07-28 09:30", "2026-07-28T09:30:00+02:00");
        check("2026-07-28T09:30:15", "2026-07-28T09:30:15+02:00");
        check("soon", "soon");
    }
}
