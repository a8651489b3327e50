//! `field=value` as an answer.

use crate::terminal::value;
use holdpoint::{Answer, Field, Form, Kind};
use holdpoint_ask::visible;
use serde_json::Value;

/// What is wrong with the command line, naming the field.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong(pub String);

/// The answer that these say, each of the kind that the form has. A form of one field takes the
/// value alone.
///
/// # Errors
/// What is wrong, all of it.
pub fn read(form: &Form, given: &[String]) -> Result<Answer, Vec<Wrong>> {
    let mut answer = Answer::new();
    let mut wrong = Vec::new();
    for text in given {
        match one(form, text) {
            Ok((field, value)) => {
                let joined = match answer.remove(&field.name) {
                    Some(before) if matches!(field.kind, Kind::Choices(_)) => join(before, value),
                    Some(_) => {
                        wrong.push(Wrong(format!("{}: it is given twice", field.name)));
                        value
                    }
                    None => value,
                };
                answer.insert(field.name.clone(), joined);
            }
            Err(why) => wrong.push(why),
        }
    }
    let missing = form
        .fields
        .iter()
        .filter(|field| field.required && !answer.contains_key(&field.name) && !is_secret(field));
    // What is wrong with a field is said once.
    if wrong.is_empty() {
        wrong.extend(missing.map(|field| Wrong(format!("{}: it is missing", field.name))));
    }
    if wrong.is_empty() {
        Ok(answer)
    } else {
        Err(wrong)
    }
}

/// The fields whose values are never part of a command line.
pub fn secrets(form: &Form) -> impl Iterator<Item = &Field> {
    form.fields.iter().filter(|field| is_secret(field))
}

fn is_secret(field: &Field) -> bool {
    matches!(field.kind, Kind::Secret)
}

fn one<'a>(form: &'a Form, text: &str) -> Result<(&'a Field, Value), Wrong> {
    let named = text
        .split_once('=')
        .and_then(|(name, value)| Some((form.get(name)?, value)));
    let (field, value) = match (named, form.fields.as_slice()) {
        (Some(named), _) => named,
        (None, [only]) => (only, text),
        (None, fields) => {
            let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            let name = text.split_once('=').map_or("", |(name, _)| name);
            return Err(Wrong(format!(
                "the form has no field {:?}; it has {}",
                visible(name),
                visible(&names.join(", "))
            )));
        }
    };
    if is_secret(field) {
        return Err(Wrong(format!(
            "{}: a secret is never an argument; leave it out, and it is asked for at the terminal",
            field.name
        )));
    }
    let name = visible(&field.name).into_owned();
    match value::typed(field, value) {
        Ok(value) => Ok((field, value)),
        Err(why) => Err(Wrong(format!("{name}: {}", visible(&why)))),
    }
}

fn join(before: Value, more: Value) -> Value {
    match (before, more) {
        (Value::Array(mut before), Value::Array(more)) => {
            before.extend(more);
            before.into()
        }
        (_, more) => more,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(form: &Form, given: &[&str], wanted: Result<Value, &[&str]>) {
        let given: Vec<String> = given.iter().map(|text| (*text).to_owned()).collect();
        let got = read(form, &given).map(Value::Object);
        let wanted = wanted.map_err(|all| {
            all.iter()
                .map(|text| Wrong((*text).to_owned()))
                .collect::<Vec<_>>()
        });
        assert_eq!(got, wanted, "{given:?}");
    }

    #[test]
    fn one_field() {
        let form = Form::confirm();
        check(&form, &["yes"], Ok(json!({ "confirmed": true })));
        check(&form, &["confirmed=no"], Ok(json!({ "confirmed": false })));
        check(
            &form,
            &["perhaps"],
            Err(&["confirmed: Your answer must be yes or no."]),
        );
        check(&form, &[], Err(&["confirmed: it is missing"]));
        let form = Form::string_input("value");
        check(&form, &["a=b"], Ok(json!({ "value": "a=b" })));
    }

    #[test]
    fn several_fields() {
        let form = Form::choices(["a", "b"])
            .field(Field::new("count", Kind::Integer(Default::default())))
            .field(Field::new("token", Kind::Secret));
        check(
            &form,
            &["choices=b", "choices=a", "count=3"],
            Ok(json!({ "choices": ["b", "a"], "count": 3 })),
        );
        check(
            &form,
            &["choices=a", "count=many", "size=3"],
            Err(&[
                "count: count must be a whole number.",
                "the form has no field \"size\"; it has choices, count, token",
            ]),
        );
        check(
            &form,
            &["choices=a", "count=1", "token=hunter2"],
            Err(&[
                "token: a secret is never an argument; leave it out, and it is asked for at the terminal",
            ]),
        );
        check(
            &form,
            &["choices=a", "count=1", "count=2"],
            Err(&["count: it is given twice"]),
        );
    }
}
