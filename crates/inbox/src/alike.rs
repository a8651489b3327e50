//! Which asks can be answered at once: what one answer means for each of them must be the same, and so short and
//! alike that a person sees of each what it is.

use crate::render;
use holdpoint::{Digest, Kind, journal::AskRecord};

/// The most characters of what an ask shows, so that a row shows all of it.
const LONGEST: usize = 600;
/// How much of the key rows carry: enough to tell apart what is open at one time. An answer is checked by all of it.
const SHORT_KEY: usize = 16;

/// Why an ask is answered on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Alone {
    /// A yes to it cannot be taken back.
    #[error("Dangerous asks are answered one by one.")]
    Dangerous,
    /// What it asks for belongs to it alone.
    #[error("Asks for a secret, a file or a visit are answered one by one.")]
    Own,
    /// A permission can be remembered with it, which is given for one thing.
    #[error("Asks whose yes can be remembered are answered one by one.")]
    Remembered,
    /// It comes from a shell, or from no tool.
    #[error("Asks that come from no agent's tool are answered one by one.")]
    NoTool,
    /// A row cannot show all of it.
    #[error("Asks with a long text, and reviews, are answered one by one.")]
    Long,
}

/// What asks have in common that can be answered at once: the server, the agent (its principal,
/// client and workspace), the tool, the form, and the text but for numbers and names of things.
pub(crate) fn alike(record: &AskRecord) -> Result<Digest, Alone> {
    let own = |kind: &Kind| matches!(kind, Kind::Secret | Kind::File(_) | Kind::Link(_));
    let ask = &record.ask;
    if ask.dangerous {
        return Err(Alone::Dangerous);
    }
    if ask.form.fields.iter().any(|field| own(&field.kind)) {
        return Err(Alone::Own);
    }
    if ask.remember.is_some() {
        return Err(Alone::Remembered);
    }
    if record.call.is_none() || record.origin.tool.is_none() {
        return Err(Alone::NoTool);
    }
    let shown = ask.shown();
    if ask.round.is_some() || ask.editable.is_some() || shown.chars().nth(LONGEST).is_some() {
        return Err(Alone::Long);
    }
    // A diff is drawn where one ask is read, and nowhere else.
    let texts = [Some(ask.message.as_str()), ask.details.as_deref()];
    if texts.into_iter().flatten().any(render::has_diff) {
        return Err(Alone::Long);
    }
    // What has no digest is like nothing else.
    Digest::hash_json(&(&record.origin, &ask.form, shape(&shown))).map_err(|_| Alone::Own)
}

/// The beginning of that key, for rows.
pub(crate) fn short_key(record: &AskRecord) -> Option<String> {
    let key = alike(record).ok()?.to_string();
    key.get(..SHORT_KEY).map(str::to_owned)
}

/// A text without what differs between asks that are alike: a number, a path, a file's name.
fn shape(text: &str) -> String {
    let name = |word: &str| {
        let inner = word.trim_matches(|edge: char| !edge.is_alphanumeric());
        inner.contains(|one: char| one.is_numeric() || matches!(one, '/' | '\\' | '.' | '_'))
    };
    let lines = text.lines().map(|line| {
        let words = line.split_whitespace();
        let words = words.map(|word| if name(word) { "…" } else { word });
        words.collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint::{Ask, CallId, Origin, journal::NewAsk};
    use jiff::Timestamp;

    #[test]
    fn what_has_a_diff_is_answered_on_its_own() {
        let alone = |message: &str, details: Option<&str>| {
            let mut ask = Ask::confirm(message);
            ask.details = details.map(str::to_owned);
            let origin = Origin {
                tool: Some("deploy".into()),
                ..Origin::default()
            };
            let mut record = AskRecord::from(NewAsk::new(ask, origin, Timestamp::UNIX_EPOCH));
            record.call = Some(CallId::new());
            alike(&record).err()
        };
        assert_eq!(alone("Apply it?", Some("```sh\nls\n```")), None);
        for diff in [
            "```diff\n+rm -rf x_1\n```",
            "~~~ patch\n+rm -rf x_1\n~~~",
            "```&#100;iff\n+rm -rf x_1\n```",
            "- a\n\n      diff --git a/x b/x\n      +y",
        ] {
            assert_eq!(alone("Apply it?", Some(diff)), Some(Alone::Long), "{diff}");
            assert_eq!(alone(diff, None), Some(Alone::Long), "{diff}");
        }
    }

    #[test]
    fn texts_are_alike_that_differ_in_numbers_and_names_of_things() {
        let alike = |one: &str, other: &str| shape(one) == shape(other);
        assert!(alike("Delete file 1?", "Delete file 23?"));
        assert!(alike("Delete src/a.rs?", "Delete tests/b.rs?"));
        assert!(alike("Format `a_b`", "Format `c_d`"));
        assert!(!alike("Delete file 1?", "Keep file 1?"));
        assert!(!alike("Delete it.", "Delete all."));
        assert!(!alike("Delete file 1?", "Delete file 1? And more."));
        assert!(!alike("Delete\nfile 1?", "Delete file 1?"));
    }
}
