//! What kind of decision an ask wants, in a word.

use holdpoint::{Ask, Kind};
use serde::{Deserialize, Serialize};

/// Details with more characters than this are read as a document.
const LONG_DETAILS: usize = 1_500;

/// What kind of decision an ask wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AskKind {
    /// Something long is read and commented on: a plan, a diff, a text that can be edited.
    Review,
    /// One of several ways to go on.
    Permission,
    /// Yes or no.
    Confirm,
    /// One or some of several options.
    Choice,
    /// One value.
    Input,
    /// Several values.
    Form,
}

impl AskKind {
    /// The kind of this ask, by what it shows and what it asks for.
    pub fn of(ask: &Ask) -> Self {
        let details = ask.details.as_deref().unwrap_or_default();
        let is_long = details.char_indices().nth(LONG_DETAILS).is_some();
        let texts = [ask.message.as_str(), details];
        if ask.round.is_some() || ask.editable.is_some() || is_long || texts.iter().any(has_diff) {
            return Self::Review;
        }
        if ask.form.endings().is_some() {
            return Self::Permission;
        }
        match ask.form.fields.as_slice() {
            [] => Self::Confirm,
            [field] => match field.kind {
                Kind::Confirm => Self::Confirm,
                Kind::Choice(_) | Kind::Choices(_) => Self::Choice,
                _ => Self::Input,
            },
            _ => Self::Form,
        }
    }
}

/// Whether a fence of this Markdown holds a diff.
fn has_diff(text: &&str) -> bool {
    text.lines().any(|line| {
        let fence = line.trim_start();
        let word = fence.trim_start_matches(['`', '~']);
        fence.len() - word.len() >= 3 && matches!(word.trim(), "diff" | "patch")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint::{Field, Form};

    #[test]
    fn a_kind_is_told_by_what_is_shown_and_asked_for() {
        let check = |ask: Ask, kind| assert_eq!(AskKind::of(&ask), kind, "{}", ask.message);
        let confirm = || Ask::confirm("Go on?");
        check(confirm(), AskKind::Confirm);
        check(confirm().details("x".repeat(1_500)), AskKind::Confirm);
        check(confirm().details("x".repeat(1_501)), AskKind::Review);
        check(confirm().details("```diff\n-a\n+b\n```"), AskKind::Review);
        check(confirm().details("a diff of `diff`"), AskKind::Confirm);
        check(Ask::choose("Which?", ["a", "b"]), AskKind::Choice);
        check(Ask::new("Who?", Form::string_input("name")), AskKind::Input);
        let two = Form::string_input("name").field(Field::new("sure", Kind::Confirm));
        check(Ask::new("Both?", two), AskKind::Form);
    }
}
