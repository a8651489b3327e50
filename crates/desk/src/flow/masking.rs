//! Secrets that a flow was given, masked in everything that leaves it.

use super::result::FlowResult;
use holdpoint_ask::{Answer, Field, Form, Kind, looks_secret::MASK, one_line_json::one_line_json};
use rmcp::ErrorData;
use serde_json::Value;

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

/// Secrets that a flow was given, in memory only.
#[derive(Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    /// Remembers the secrets of an answer.
    pub fn keep(&mut self, form: &Form, answer: &Answer) {
        let secret = |field: &&Field| matches!(field.kind, Kind::Secret);
        for field in form.fields.iter().filter(secret) {
            let Some(Value::String(text)) = answer.get(&field.name) else {
                continue;
            };
            if text.chars().count() >= SHORTEST {
                self.remember(text);
            }
        }
    }

    /// A secret, and how it looks in the text of a result and in an address, where that differs.
    fn remember(&mut self, text: &str) {
        let quoted = one_line_json(&text.into());
        let encoded = percent_encoded(text);
        let forms = [
            quoted[1..quoted.len() - 1].to_owned(),
            encoded.replace("%20", "+"),
            encoded,
        ];
        self.0.extend(forms.into_iter().filter(|form| form != text));
        self.0.push(text.to_owned());
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Masks them in a value.
    pub fn mask(&self, value: &mut Value) {
        if !self.0.is_empty() {
            mask(value, &self.0);
        }
    }

    /// A result without them.
    pub fn mask_result(&self, result: FlowResult) -> FlowResult {
        if self.0.is_empty() {
            return result;
        }
        let masked = serde_json::to_value(&result).map(|mut value| {
            self.mask(&mut value);
            value
        });
        let masked = masked.and_then(serde_json::from_value);
        masked.unwrap_or_else(|_| {
            let what = "The result repeats a secret and cannot be shown.";
            FlowResult::Error(ErrorData::internal_error(what, None))
        })
    }
}

/// As scripts put a value into an address: `encodeURIComponent`.
fn percent_encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if plain(byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
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
    let words = WORDS.iter().filter(|(field, _)| *field == name);
    let mut words = words.flat_map(|(_, words)| *words);
    words.any(|word| value == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_secret_is_masked_as_a_value_and_in_the_text_of_a_result() {
        let secret = "a\"b\\c\nd";
        let mut secrets = Secrets::default();
        secrets.remember(secret);
        let value = json!({ "token": secret });
        let mut result = json!({ "text": one_line_json(&value), "structuredContent": value });
        secrets.mask(&mut result);
        let masked = json!({
            "text": r#"{"token":"••••"}"#, "structuredContent": { "token": "••••" },
        });
        assert_eq!(result, masked);
    }

    #[test]
    fn a_secret_is_masked_in_an_address() {
        let mut secrets = Secrets::default();
        secrets.remember("p@ss wörd");
        for address in [
            "http://h/?q=p%40ss%20w%C3%B6rd",
            "http://h/?q=p%40ss+w%C3%B6rd",
        ] {
            let mut value = json!(address);
            secrets.mask(&mut value);
            assert_eq!(value, "http://h/?q=••••");
        }
    }

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
