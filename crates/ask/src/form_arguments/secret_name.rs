//! Fields that would ask for a secret, known by their names.

/// What is said about them.
pub(super) const NO_SECRETS: &str = "secrets cannot be asked for: what is typed here goes to you and into the record. Tell the person where to put the secret themselves";

/// Words that name a secret wherever they stand.
const ANYWHERE: [&str; 7] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "secret",
    "credential",
    "credentials",
];
/// Words that name one at the end.
const AT_THE_END: [&str; 5] = ["token", "apikey", "api key", "access key", "private key"];

/// Whether a text of this name is a secret: `password`, `dbPassword`, `api_key`, `GITHUB_TOKEN`; `maxTokens` is
/// none.
pub(super) fn is_secret(name: &str) -> bool {
    let words = format!(" {}", words(name));
    let ends = |with: &&str| words.ends_with(&format!(" {with}"));
    AT_THE_END.iter().any(ends) || words.split(' ').any(|word| ANYWHERE.contains(&word))
}

/// The words of a name, in small letters with a space between.
fn words(name: &str) -> String {
    let mut words = String::new();
    let mut small = false;
    for char in name.chars() {
        if small && char.is_uppercase() {
            words.push(' ');
        }
        small = char.is_lowercase();
        if char.is_alphanumeric() {
            words.extend(char.to_lowercase());
        } else {
            words.push(' ');
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets() {
        for name in [
            "password",
            "Password",
            "dbPassword",
            "new-password",
            "API_KEY",
            "apiKey",
            "apikey",
            "GITHUB_TOKEN",
            "token",
            "client_secret",
            "privateKey",
            "your credentials",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "name",
            "maxTokens",
            "token_count",
            "secretary",
            "key",
            "passenger",
            "monkey",
            "",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
