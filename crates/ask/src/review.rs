//! What a person says about what was shown, beside the answer: comments on places in it, and their own
//! version of a text; and the rounds in which the same thing is shown again.

use crate::{AskId, Digest};
use serde::{Deserialize, Serialize};

pub use crate::limits::{MAX_COMMENT, MAX_COMMENTS, MAX_EDITED};

/// What a person says beside an answer. Both parts are in the decision, and reach the agent.
///
/// ```
/// use holdpoint_ask::review::{Comment, Place, Review};
///
/// let mut review = Review::default();
/// assert!(review.is_empty());
/// let mut comment = Comment::new(Place::file("src/main.rs", 12), "Handle the error.");
/// comment.quote = Some("run().unwrap()".into());
/// comment.suggestion = Some("run()?".into());
/// review.comments.push(comment);
/// assert_eq!(
///     review.text(),
///     "- src/main.rs, line 12: “run().unwrap()”\n  Handle the error.\n  Suggested instead: run()?"
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Review {
    /// Remarks on places in what was shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<Comment>,
    /// The person's own version of the text that the ask lets them edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited: Option<Edited>,
}

/// A remark of a person on a place in what was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Comment {
    /// Where.
    #[serde(rename = "where", default, skip_serializing_if = "Place::is_whole")]
    pub place: Place,
    /// What stands there, as it was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// What the person says.
    pub text: String,
    /// What they would write there instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// A place in what was shown; the whole of it where nothing is named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Place {
    /// The headings that it stands below, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
    /// The file, where it is in a diff or is a file that was shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the file, or of the text that was shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The last line, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// Which version of the file the line is in; the new one where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
}

/// A version of a file in a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Before the change.
    Old,
    /// After it.
    New,
}

/// A text that the person may edit, and approve so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EditableText {
    /// What it is the text of.
    #[serde(flatten)]
    pub of: TextOf,
    /// What people call it: "Commit message".
    pub title: String,
    /// As it is.
    pub text: String,
}

/// What a text is the text of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextOf {
    /// An argument of the tool that asks.
    Field(String),
    /// A file in the workspace.
    File(String),
}

/// A person's own version of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Edited {
    /// What it is the text of.
    #[serde(flatten)]
    pub of: TextOf,
    /// As the person wants it.
    pub text: String,
    /// The digest of that.
    pub digest: Digest,
    /// The digest of the text that was shown.
    pub shown: Digest,
}

/// Which showing of the same thing an ask is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Round {
    /// What is shown, in a few words: "Plan “auth”".
    pub about: String,
    /// The first is 1.
    pub number: u32,
    /// The ask of the round before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<AskId>,
}

impl Round {
    /// The first showing of this.
    pub fn first(about: impl Into<String>) -> Self {
        Self {
            about: about.into(),
            number: 1,
            follows: None,
        }
    }

    /// The showing after that of this ask.
    pub fn after(&self, ask: AskId) -> Self {
        Self {
            about: self.about.clone(),
            number: self.number.saturating_add(1),
            follows: Some(ask),
        }
    }
}

impl EditableText {
    /// The text of a file in the workspace.
    pub fn file(
        path: impl Into<String>,
        title: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self {
            of: TextOf::File(path.into()),
            title: title.into(),
            text: text.into(),
        }
    }

    /// The text of an argument of the tool.
    pub fn field(
        name: impl Into<String>,
        title: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self {
            of: TextOf::Field(name.into()),
            title: title.into(),
            text: text.into(),
        }
    }

    /// The person's own version of it; none where that is the same.
    pub fn edited(&self, text: impl Into<String>) -> Option<Edited> {
        let text = text.into();
        (text != self.text).then(|| Edited {
            of: self.of.clone(),
            digest: Digest::hash_bytes(text.as_bytes()),
            shown: Digest::hash_bytes(self.text.as_bytes()),
            text,
        })
    }
}

impl Comment {
    /// A remark on this place.
    pub fn new(place: Place, text: impl Into<String>) -> Self {
        Self {
            place,
            quote: None,
            text: text.into(),
            suggestion: None,
        }
    }
}

impl Place {
    /// All that was shown.
    pub fn whole() -> Self {
        Self::default()
    }

    /// A line of a file, as it is after the change.
    pub fn file(path: impl Into<String>, line: u32) -> Self {
        Self {
            file: Some(path.into()),
            line: Some(line),
            ..Self::default()
        }
    }

    /// Below these headings, outermost first.
    pub fn below<H: Into<String>>(headings: impl IntoIterator<Item = H>) -> Self {
        Self {
            headings: headings.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// Whether it is all that was shown.
    pub fn is_whole(&self) -> bool {
        *self == Self::default()
    }

    /// The place in a few words: "src/main.rs, line 12", "Phase 2 › Tests".
    pub fn describe(&self) -> String {
        let lines = match (self.line, self.end_line) {
            (Some(first), Some(last)) if last > first => Some(format!("lines {first} to {last}")),
            (Some(line), _) => Some(format!("line {line}")),
            _ => None,
        };
        let old = (self.side == Some(Side::Old)).then(|| "before the change".to_owned());
        match &self.file {
            Some(file) => [Some(file.clone()), lines, old]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(", "),
            None if !self.headings.is_empty() => self.headings.join(" › "),
            None => lines.unwrap_or_else(|| "All of it".to_owned()),
        }
    }
}

impl Review {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.comments.is_empty() && self.edited.is_none()
    }

    /// The comments as a list that people and agents can read; empty where there is none.
    pub fn text(&self) -> String {
        let items: Vec<_> = self.comments.iter().map(Comment::item).collect();
        items.join("\n")
    }
}

impl Comment {
    fn item(&self) -> String {
        let mut item = format!("- {}", self.place.describe());
        if let Some(quote) = &self.quote {
            item.push_str(&format!(": “{}”", one_line(quote)));
        }
        if !self.text.is_empty() {
            item.push_str(&format!("\n  {}", indented(&self.text)));
        }
        if let Some(suggestion) = &self.suggestion {
            item.push_str(&format!("\n  Suggested instead: {}", indented(suggestion)));
        }
        item
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn places_in_words() {
        let mut old = Place::file("a.rs", 3);
        (old.end_line, old.side) = (Some(5), Some(Side::Old));
        for (place, words) in [
            (Place::whole(), "All of it"),
            (Place::below(["Plan", "Tests"]), "Plan › Tests"),
            (Place::file("a.rs", 3), "a.rs, line 3"),
            (old, "a.rs, lines 3 to 5, before the change"),
        ] {
            assert_eq!(place.describe(), words);
        }
    }

    #[test]
    fn unknown_keys_of_a_comment_are_refused() {
        let read = |json| serde_json::from_value::<Comment>(json);
        assert!(read(json!({ "text": "x", "where": { "line": 3 } })).is_ok());
        assert!(read(json!({ "text": "x", "Where": {} })).is_err());
        assert!(read(json!({ "text": "x", "where": { "lines": 3 } })).is_err());
    }
}
