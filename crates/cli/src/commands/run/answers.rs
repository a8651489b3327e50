//! Answers given beforehand, by ask id.

use crate::terminal::file;
use holdpoint::{Answer, Ask, Kind};
use serde_json::{Map, Value};
use std::{fs, path::Path};

/// Answers given beforehand, and which of them were asked for.
#[derive(Debug, Default)]
pub struct Answers {
    given: Map<String, Value>,
    asked: Vec<String>,
}

impl Answers {
    /// Reads them from a file.
    ///
    /// # Errors
    /// One sentence: why it holds none.
    pub fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let text = fs::read_to_string(path).map_err(|why| format!("cannot read {shown}: {why}"))?;
        let given = serde_json::from_str(&text).map_err(|why| {
            format!("{shown} must hold a JSON object of ask ids and answers: {why}")
        })?;
        Ok(Self {
            given,
            asked: Vec::new(),
        })
    }

    /// Whether there is one for this ask, the next of its id.
    pub fn reach(&self, id: &str, ask: &Ask) -> bool {
        let numbered = |n: usize| match n {
            1 => id.to_owned(),
            n => format!("{id}-{n}"),
        };
        let asked = |key: &String| self.asked.contains(key);
        let next = (1..).map(numbered).find(|key| !asked(key));
        next.is_some_and(|key| self.cover(&key, ask))
    }

    /// Whether there is one for the ask of this key that may be used: it is not dangerous, and
    /// nothing in it is secret.
    pub fn cover(&self, key: &str, ask: &Ask) -> bool {
        let kept_out = ask.dangerous || ask.form.has_secret();
        self.given.contains_key(key) && !kept_out
    }

    /// The answer to the ask of this key, as its form takes it: the id that the script gave, or
    /// `id-2` where it asks a second time under the same id.
    pub fn take(&mut self, key: &str, ask: &Ask) -> Option<Result<Answer, String>> {
        let value = self.given.get(key)?.clone();
        self.asked.push(key.to_owned());
        Some(content(ask, value))
    }

    /// The ids that nothing was asked for.
    pub fn unused(&self) -> Vec<String> {
        let unused = |key: &&String| !self.asked.contains(key);
        self.given.keys().filter(unused).cloned().collect()
    }
}

/// A form of one field takes the value alone.
fn content(ask: &Ask, value: Value) -> Result<Answer, String> {
    let mut answer = match (ask.form.fields.as_slice(), value) {
        ([field], Value::Object(object)) if object.contains_key(&field.name) => object,
        ([field], value) => Answer::from_iter([(field.name.clone(), value)]),
        (_, Value::Object(object)) => object,
        (_, other) => return Err(format!("it must be an object of fields, not {other}")),
    };
    for field in &ask.form.fields {
        if let Kind::File(rules) = &field.kind
            && let Some(value) = answer.get_mut(&field.name)
            && let Value::String(path) = value
        {
            *value = file::read(path, rules.max_bytes)?;
        }
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint::{Field, Form};
    use serde_json::json;

    fn answers(given: Value) -> Answers {
        Answers {
            given: given.as_object().unwrap().clone(),
            asked: Vec::new(),
        }
    }

    #[test]
    fn an_answer_as_its_form_takes_it() {
        let name = Ask::new("Name?", Form::new().field(Field::new("value", text())));
        let both = Form::new()
            .field(Field::new("a", text()))
            .field(Field::new("b", text()));
        let both = Ask::new("Both?", both);
        let check = |ask: &Ask, given: Value, wanted: Result<Value, &str>| {
            let got = answers(json!({ "it": given })).take("it", ask).unwrap();
            let got = got.map(Value::Object);
            assert_eq!(got, wanted.map_err(str::to_owned));
        };
        check(&name, json!("Ada"), Ok(json!({ "value": "Ada" })));
        check(
            &name,
            json!({ "value": "Ada" }),
            Ok(json!({ "value": "Ada" })),
        );
        check(&both, json!({ "a": "x" }), Ok(json!({ "a": "x" })));
        check(
            &both,
            json!("x"),
            Err("it must be an object of fields, not \"x\""),
        );
    }

    #[test]
    fn what_is_never_answered_beforehand() {
        let check = |ask: Ask, wanted| {
            let covered = answers(json!({ "it": true })).cover("it", &ask);
            assert_eq!(covered, wanted, "{ask:?}");
        };
        check(Ask::confirm("Go?"), true);
        check(Ask::confirm("Go?").dangerous(), false);
        let secret = Form::new().field(Field::new("value", Kind::Secret));
        check(Ask::new("Token?", secret), false);
        let plain = Form::new().field(Field::new("value", text()));
        check(Ask::new("Name?", plain), true);
        assert!(!answers(json!({})).cover("it", &Ask::confirm("Go?")));
    }

    #[test]
    fn what_nothing_was_asked_for() {
        let mut answers = answers(json!({ "it": true, "other": 1 }));
        assert!(answers.take("it", &Ask::confirm("Go?")).is_some());
        assert!(answers.take("none", &Ask::confirm("Go?")).is_none());
        assert_eq!(answers.unused(), ["other"]);
    }

    #[test]
    fn an_answer_is_used_once() {
        let ask = Ask::confirm("Go?");
        let mut answers = answers(json!({ "it": true, "it-2": false }));
        for key in ["it", "it-2"] {
            assert!(answers.reach("it", &ask), "{key}");
            assert!(answers.take(key, &ask).is_some(), "{key}");
        }
        assert!(!answers.reach("it", &ask));
    }

    fn text() -> Kind {
        Kind::Text(Default::default())
    }
}
