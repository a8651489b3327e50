//! What looks like a secret: by the name that it stands under, or by how tokens of known services begin.
//! For what is recorded to be read: nothing is decided by it, and what a person gave as a secret is masked
//! by its value.

use serde_json::Value;

/// What stands in the place of a secret.
pub const MASK: &str = "••••";

/// How tokens of known services begin.
const TOKENS: [&str; 17] = [
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "sk-",
    "sk_live_",
    "npm_",
    "pypi-",
    "AKIA",
    "AIza",
    "eyJ",
];
/// Nothing that is shorter is a token.
const SHORTEST_TOKEN: usize = 16;

/// Whether what stands under this name is likely a secret: `apiKey`, `db_password`, `X-Amz-Signature`.
pub fn names_secret(name: &str) -> bool {
    const PARTS: [&str; 12] = [
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "apikey",
        "privatekey",
        "accesskey",
        "credential",
        "signature",
        "authorization",
        "bearer",
    ];
    const WHOLE: [&str; 9] = [
        "pwd", "pw", "pin", "auth", "key", "sig", "jwt", "otp", "code",
    ];
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = plain.to_ascii_lowercase();
    PARTS.iter().any(|part| plain.contains(part)) || WHOLE.contains(&plain.as_str())
}

/// Whether this is likely a token, by how it begins.
pub fn is_token(text: &str) -> bool {
    let word = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    text.len() >= SHORTEST_TOKEN
        && text.chars().all(word)
        && TOKENS.iter().any(|start| text.starts_with(start))
}

/// Masks what looks secret in the arguments of a call, however deep.
pub fn mask_secrets(value: &mut Value) {
    match value {
        Value::Object(values) => {
            for (name, value) in values.iter_mut() {
                let is_one = matches!(value, Value::String(_) | Value::Number(_));
                if is_one && names_secret(name) {
                    *value = MASK.into();
                } else {
                    mask_secrets(value);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(mask_secrets),
        Value::String(text) if is_token(text) => *value = MASK.into(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_secret_is_known_by_its_name() {
        for name in [
            "password",
            "dbPassword",
            "api_key",
            "X-Amz-Signature",
            "key",
            "GITHUB_TOKEN",
            "--pin",
        ] {
            assert!(names_secret(name), "{name}");
        }
        for name in [
            "message", "keyboard", "author", "path", "monkey", "encode", "page",
        ] {
            assert!(!names_secret(name), "{name}");
        }
    }

    #[test]
    fn a_token_is_known_by_its_beginning() {
        assert!(is_token("ghp_16C7e42F292c6912E7710c838347Ae178B4a"));
        assert!(is_token("xoxb-123456789012-abcdef"));
        for plain in [
            "sk-short",
            "eyJust a sentence that is long",
            "src/main.rs",
            "skeleton-of-a-word",
        ] {
            assert!(!is_token(plain), "{plain}");
        }
    }

    #[test]
    fn arguments_are_masked_however_deep() {
        let mut value = json!({
            "user": "ada", "login": [{ "password": "hunter2" }], "pin": 1234, "code": true,
            "list": ["ghp_16C7e42F292c6912E7710c838347Ae178B4a"],
        });
        mask_secrets(&mut value);
        let masked = json!({
            "user": "ada", "login": [{ "password": MASK }], "pin": MASK, "code": true,
            "list": [MASK],
        });
        assert_eq!(value, masked);
    }
}
