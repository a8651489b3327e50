//! An effect in words, for the record: what was done and what came of it, without what is secret.

use super::{Effect, Ended, address};
use crate::masking::mask_text;
use holdpoint::ToolContext;
use holdpoint_ask::looks_secret::{MASK, is_token, names_secret};
use serde_json::Value;

impl Effect {
    /// What is done, as one would type it. `shown` is the same effect without the secrets that the script was
    /// given; what looks like a secret is masked besides.
    pub(crate) fn label(&self, shown: &Self, cx: &ToolContext) -> String {
        match (self, shown) {
            (_, Self::Run(run)) => {
                let line = command_line(&mask_words(&run.command));
                match &run.cwd {
                    Some(cwd) => format!("{line} (in {cwd})"),
                    None => line,
                }
            }
            (_, Self::Read(read)) => format!("read {}", read.path),
            // How long a text with a secret in it is says something of the secret.
            (Self::Write(write), Self::Write(masked)) if write.text == masked.text => {
                format!("write {} ({} bytes)", masked.path, write.text.len())
            }
            (Self::Fetch(fetch), _) => format!("{} {}", fetch.method, address(&fetch.url, cx)),
            (_, other) => other.to_string(),
        }
    }
}

impl Ended {
    /// What came of it.
    pub(crate) fn label(&self) -> Option<String> {
        match self {
            Self::Failed(failure) => Some(format!("failed: {}", failure.message)),
            Self::Done(Value::String(text)) => Some(format!("{} bytes", text.len())),
            Self::Done(value) => {
                let number = |name: &str| value.get(name).and_then(Value::as_i64);
                let code = number("code").map(|code| format!("exit code {code}"));
                code.or_else(|| number("status").map(|status| format!("status {status}")))
            }
        }
    }
}

/// A command as one would type it in a shell.
pub(super) fn command_line(command: &[String]) -> String {
    let words: Vec<_> = command.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |char: char| char.is_alphanumeric() || "-_./:,=@%+•".contains(char);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The arguments of a program without what looks like a secret: `--token X`, `PASSWORD=X`,
/// `Authorization: Bearer X`, `https://user:X@host`, the tokens of known services.
fn mask_words(command: &[String]) -> Vec<String> {
    let mut next_is_secret = false;
    let mask = |argument: &String| {
        let words: Vec<_> = argument
            .split(' ')
            .map(|word| mask_word(word, &mut next_is_secret))
            .collect();
        words.join(" ")
    };
    command.iter().map(mask).collect()
}

fn mask_word(word: &str, next_is_secret: &mut bool) -> String {
    let bare = word.trim_matches(['"', '\'', '`', ',']);
    if bare.is_empty() {
        return word.to_owned();
    }
    let scheme = ["bearer", "basic"].contains(&bare.to_ascii_lowercase().as_str());
    if *next_is_secret && !scheme && !bare.starts_with('-') {
        *next_is_secret = false;
        return word.replace(bare, MASK);
    }
    let header = bare.strip_suffix(':').is_some_and(|name| {
        let name = name.to_ascii_lowercase();
        name == "cookie"
            || name.contains("authorization")
            || name.contains("-key")
            || name.contains("-token")
    });
    let option = bare.starts_with('-') && !bare.contains('=') && names_secret(bare);
    *next_is_secret = header || option || scheme;
    match bare.split_once('=') {
        Some((name, value)) if !value.is_empty() && names_secret(name) => {
            return word.replace(bare, &format!("{name}={MASK}"));
        }
        _ => {}
    }
    if is_token(bare) {
        return word.replace(bare, MASK);
    }
    match word.split_once("://").and_then(|(scheme, rest)| {
        let (user, host) = rest.split('/').next()?.rsplit_once('@')?;
        let path = &rest[user.len() + 1 + host.len()..];
        Some(format!("{scheme}://{MASK}@{host}{path}"))
    }) {
        Some(without_user) => without_user,
        None => word.to_owned(),
    }
}

/// An address without its fragment and without what is secret in its path and query.
fn address(text: &str, cx: &ToolContext) -> String {
    let Ok(url) = address::parse(text) else {
        return mask_text(cx, text);
    };
    let is_secret = |part: &str| {
        let decoded = percent_decoded(part);
        mask_text(cx, &decoded) != decoded || is_token(&decoded)
    };
    let masked = |part: &str| if is_secret(part) { MASK } else { part }.to_owned();
    let path: Vec<_> = url.path().split('/').map(masked).collect();
    let mut shown = format!("{}{}", url.origin().ascii_serialization(), path.join("/"));
    if let Some(query) = url.query() {
        let pair = |pair: &str| match pair.split_once('=') {
            Some((name, value)) if names_secret(name) || is_secret(value) => {
                format!("{}={MASK}", masked(name))
            }
            Some((name, value)) => format!("{}={value}", masked(name)),
            None => masked(pair),
        };
        let pairs: Vec<_> = query.split('&').map(pair).collect();
        shown.push_str(&format!("?{}", pairs.join("&")));
    }
    shown
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let hex = hex.and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(if bytes[at] == b'+' { b' ' } else { bytes[at] });
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_said_as_one_would_type_it() {
        let check = |command: &[&str], wanted: &str| {
            let command: Vec<_> = command.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(command_line(&mask_words(&command)), wanted);
        };
        check(
            &["git", "commit", "-m", "It's two words"],
            r"git commit -m 'It'\''s two words'",
        );
        check(&["echo", "", "a;b", "naïve"], "echo '' 'a;b' naïve");
        check(
            &["login", "--password", "hunter2", "--user", "ada"],
            "login --password •••• --user ada",
        );
        check(&["env", "API_KEY=abc", "run"], "env API_KEY=•••• run");
        check(&["x", "--token=abc", "--page=2"], "x --token=•••• --page=2");
        check(
            &["curl", "-H", "Authorization: Bearer abc.def"],
            "curl -H 'Authorization: Bearer ••••'",
        );
        check(
            &["sh", "-c", "curl -H \"X-Api-Key: abc\" https://h/"],
            "sh -c 'curl -H \"X-Api-Key: ••••\" https://h/'",
        );
        check(
            &["git", "push", "https://ada:pw@host/x.git"],
            "git push https://••••@host/x.git",
        );
        check(
            &["gh", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"],
            "gh ••••",
        );
        check(
            &["git", "commit", "-m", "Fix password: it was short"],
            "git commit -m 'Fix password: it was short'",
        );
        check(&["x", "--password", "--verbose"], "x --password --verbose");
    }

    #[test]
    fn what_is_percent_encoded_is_read() {
        assert_eq!(percent_decoded("p%40ss%20w%2Frd+%zz%4"), "p@ss w/rd %zz%4");
    }
}
