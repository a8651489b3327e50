//! A question that a script yields, and what the script gets for it.
//!
//! | module | holds |
//! |---|---|
//! | `read` | from what is yielded to an [`Ask`] |
//! | `answer` | from an outcome to a value, or to an error that is thrown |

mod answer;
mod read;

pub(crate) use answer::{AskResult, Unanswered};

use holdpoint::Ask;
use serde_json::Value;
use std::fmt;

/// A question that a script yields.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptAsk {
    /// What kind it is.
    pub kind: AskKind,
    /// What is put to a person. Its key is the id that the author gave.
    pub ask: Ask,
    /// Whether it may be skipped.
    pub required: bool,
    /// The values of a select's options as the author wrote them, by their text.
    options: Vec<(String, Value)>,
}

/// The kinds of asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AskKind {
    /// A text.
    Text,
    /// A text that nobody sees.
    Password,
    /// A yes or a no.
    Confirm,
    /// One or some of several options.
    Select,
    /// A number.
    Number,
    /// A file, or several.
    File,
    /// A day or a moment.
    Date,
    /// Several things at once.
    Form,
    /// An address to visit.
    Url,
    /// Stars.
    Rating,
}

impl AskKind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Text,
        Self::Password,
        Self::Confirm,
        Self::Select,
        Self::Number,
        Self::File,
        Self::Date,
        Self::Form,
        Self::Url,
        Self::Rating,
    ];

    /// The word that scripts have for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Password => "password",
            Self::Confirm => "confirm",
            Self::Select => "select",
            Self::Number => "number",
            Self::File => "file",
            Self::Date => "date",
            Self::Form => "form",
            Self::Url => "url",
            Self::Rating => "rating",
        }
    }
}

impl fmt::Display for AskKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl ScriptAsk {
    /// The id that the author gave it.
    pub fn id(&self) -> Option<&str> {
        self.ask.key.as_deref()
    }
}
