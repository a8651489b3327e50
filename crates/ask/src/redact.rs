//! Removes secrets from an answer before it is recorded.

use crate::{Answer, Form, Kind};
use serde_json::{Value, json};

impl Form {
    /// Gives the answer without its secrets: each that was given becomes [`secret_given`].
    ///
    /// Where the form asks for a secret, keys that it does not know are dropped: a secret may
    /// have been typed into the wrong place.
    pub fn redact(&self, answer: &Answer) -> Answer {
        let has_secret = self.has_secret();
        let redacted = |(name, value): (&String, &Value)| {
            let value = match self.get(name).map(|field| &field.kind) {
                Some(Kind::Secret) if is_given(value) => secret_given(),
                Some(Kind::Secret) => return None,
                None if has_secret => return None,
                _ => value.clone(),
            };
            Some((name.clone(), value))
        };
        answer.iter().filter_map(redacted).collect()
    }
}

/// What stands in the record for a secret that was given.
///
/// It is an object, so that it is not a valid value of any secret field.
pub fn secret_given() -> Value {
    json!({"secret": "given"})
}

fn is_given(value: &Value) -> bool {
    !value.is_null() && value.as_str() != Some("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Field;

    #[test]
    fn a_secret_is_never_kept() {
        let form = Form::string_input("user").field(Field::new("token", Kind::Secret));
        let check = |answer: Value, kept: Value| {
            let answer = answer.as_object().unwrap();
            assert_eq!(Value::Object(form.redact(answer)), kept, "{answer:?}");
        };
        check(
            json!({"user": "ada", "token": "hunter2"}),
            json!({"user": "ada", "token": {"secret": "given"}}),
        );
        check(
            json!({"token": ["hunter2"]}),
            json!({"token": {"secret": "given"}}),
        );
        check(json!({"token": ""}), json!({}));
        check(
            json!({"user": "ada", "tokn": "hunter2"}),
            json!({"user": "ada"}),
        );
        let kept = form.redact(json!({"user": "ada", "token": "x"}).as_object().unwrap());
        assert!(
            form.validate(&kept).is_err(),
            "what stands in a secret's place is not taken for it"
        );
    }
}
