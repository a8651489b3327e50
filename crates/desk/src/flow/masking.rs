//! Secrets that a flow was given, masked in everything that leaves it.

use crate::{flow::call::Call, flow::result::FlowResult};
use holdpoint_ask::{Answer, Form, Kind};
use rmcp::ErrorData;
use serde_json::Value;

const MASK: &str = "••••";
/// A secret as short as this would mask half of what is said.
const SHORTEST: usize = 3;
/// What the protocol itself says, under these names: somebody's password may be "text".
const WORDS: [(&str, &[&str]); 2] = [
    (
        "type",
        &["text", "image", "audio", "resource", "resource_link"],
    ),
    ("role", &["user", "assistant"]),
];

impl Call {
    /// Remembers the secrets of an answer, in memory only.
    pub fn keep_secret(&self, form: &Form, answer: &Answer) {
        let secret = |field: &&holdpoint_ask::Field| matches!(field.kind, Kind::Secret);
        let given = form.fields.iter().filter(secret);
        let given = given.filter_map(|field| answer.get(&field.name)?.as_str());
        let given = given.filter(|secret| secret.chars().count() >= SHORTEST);
        self.state().secrets.extend(given.map(str::to_owned));
    }

    /// A value without the secrets that this call's flow was given.
    pub fn mask(&self, value: &mut Value) {
        let secrets = self.state().secrets.clone();
        if !secrets.is_empty() {
            mask(value, &secrets);
        }
    }

    pub fn mask_result(&self, result: FlowResult) -> FlowResult {
        if self.state().secrets.is_empty() {
            return result;
        }
        let masked = serde_json::to_value(&result).map(|mut value| {
            self.mask(&mut value);
            value
        });
        let masked = masked.and_then(serde_json::from_value);
        masked.unwrap_or_else(|_| {
            let what = "The result repeats a secret and cannot be told.";
            FlowResult::Error(ErrorData::internal_error(what, None))
        })
    }
}

fn mask(value: &mut Value, secrets: &[String]) {
    match value {
        Value::String(text) => {
            for secret in secrets {
                if text.contains(secret.as_str()) {
                    *text = text.replace(secret.as_str(), MASK);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| mask(value, secrets)),
        Value::Object(values) => {
            for (name, value) in values.iter_mut() {
                if !is_word(name, value) {
                    mask(value, secrets);
                }
            }
        }
        _ => {}
    }
}

fn is_word(name: &str, value: &Value) -> bool {
    let words = WORDS.iter().filter(|(of, _)| *of == name);
    let mut words = words.flat_map(|(_, words)| *words);
    words.any(|word| value == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_the_protocol_says_is_no_secret() {
        let mut result = json!({
            "content": [{ "type": "text", "text": "the text and the user's" }],
            "structuredContent": { "type": "user", "role": "text", "said": ["text"] },
        });
        mask(&mut result, &["text".into(), "user".into()]);
        let masked = json!({
            "content": [{ "type": "text", "text": "the •••• and the ••••'s" }],
            "structuredContent": { "type": "••••", "role": "••••", "said": ["••••"] },
        });
        assert_eq!(result, masked);
    }
}
